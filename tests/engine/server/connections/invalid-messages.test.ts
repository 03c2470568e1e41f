import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PATHS, REJECTION_CODES } from "../../../../protocol/index.ts";
import { size } from "../../../support/sizes.ts";
import { BUYER, connect, restingBuy, serveTestEngine, VIEWER } from "../harness.ts";

describe("an invalid message", () => {
  test.each([
    ["text that is no JSON", "{ oops"],
    ["an empty frame", ""],
    ["bytes", new TextEncoder().encode('{"kind":"ping"}')],
    ["a number", "7"],
    ["an object without a kind", "{}"],
    ["a request without a requestId", '{"kind":"request","operationId":"1","action":"market.halt","payload":{}}'],
    ["a second hello", `{"kind":"hello","protocol":1,"userId":"${BUYER}"}`],
  ])("that is %s ends its connection alone, as invalid_message", async (_name, frame) => {
    const engine = serveTestEngine();
    const [client, other] = [await connect(engine, BUYER), await connect(engine, VIEWER)];
    client.sendText(frame);
    expect(await client.refused()).toBe("invalid_message");
    await other.settled();
    expect(other.closed).toBeNull();
  });

  test.each([
    ["an unknown action", { operationId: "1", action: "market.explode", payload: {} }, "action"],
    ["no operationId", { action: "market.halt", payload: {} }, "operationId"],
    [
      "an operationId that is too long",
      { operationId: "x".repeat(201), action: "market.halt", payload: {} },
      "operationId",
    ],
  ])("that is a request with %s is answered invalid_payload, which names the fault", async (_name, fields, name) => {
    const client = await connect(serveTestEngine(), BUYER);
    client.send({ kind: "request", requestId: "r", ...fields });
    const response = await client.response("r");
    expect(response).toMatchObject({ status: "rejected", code: "invalid_payload" });
    expect(response.message).toContain(name);
    await client.settled();
  });

  test.each([[undefined], [null], ["x"], [{}], [{ contractId: 1 }], [{
    contractId: "x",
    side: 2,
    price: 1.5,
    quantity: -1,
  }]])(
    "with the payload %j is answered invalid_payload",
    async (payload) => {
      const client = await connect(serveTestEngine(), BUYER);
      client.send({ kind: "request", requestId: "r", operationId: "o", action: "order.submit", payload });
      expect(await client.response("r")).toMatchObject({ status: "rejected", code: "invalid_payload" });
    },
  );

  test("of an unknown kind is skipped and counted", async () => {
    const engine = serveTestEngine();
    const client = await connect(engine, BUYER);
    client.send([{ kind: "subscribe", to: "all" }, { kind: "subscribe" }, { kind: "toString" }]);
    expect((await client.request("order.submit", restingBuy(engine.contractId))).status).toBe("ok");
    const health: unknown = await (await fetch(`${engine.url}${PATHS.health}`)).json();
    expect(health).toMatchObject({ status: "ok", unknownMessages: 3, connections: 1 });
  });

  test("in a frame above the size limit ends its connection alone", async () => {
    const engine = serveTestEngine();
    const [client, other] = [await connect(engine, BUYER), await connect(engine, VIEWER)];
    client.sendText(JSON.stringify({ kind: "ping", filler: "x".repeat(2 << 20) }));
    await client.ended();
    await other.settled();
  });

  test("of any form leaves the engine running", async () => {
    const engine = serveTestEngine();
    const words = fc.constantFrom("request", "hello", "ping", "order.submit", "order.cancel", engine.contractId, "");
    const value = fc.oneof(words, fc.jsonValue());
    const message = fc.record(
      { kind: words, requestId: value, operationId: value, action: words, payload: fc.object({ key: words }) },
      { requiredKeys: [] },
    );
    const frame = fc.oneof(fc.string(), fc.json(), message.map((each) => JSON.stringify(each)));
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 5 }), async (frames) => {
        const client = await connect(engine, BUYER);
        for (const each of frames) client.sendText(each);
        client.close();
        await client.ended();
      }),
      { numRuns: size(15, 60) },
    );
    const client = await connect(engine, BUYER);
    expect((await client.request("order.submit", restingBuy(engine.contractId))).status).toBe("ok");
  });
});

describe("a rejection", () => {
  test("has a code that the protocol lists", async () => {
    const engine = serveTestEngine();
    const client = await connect(engine, BUYER);
    const { contractId } = engine;
    const responses = [
      await client.request("order.submit", { ...restingBuy(contractId), contractId: "none" }),
      await client.request("order.submit", { ...restingBuy(contractId), price: 10_000_000 }),
      await client.request("order.submit", { ...restingBuy(contractId), quantity: 1.5 }),
      await client.request("order.cancel", { orderId: "none" }),
      await client.request("market.halt", {}),
      await client.request("market.halt", {}),
    ];
    for (const { status, code } of responses) {
      expect(status).toBe("rejected");
      expect(REJECTION_CODES.map(String)).toContain(code ?? "none");
    }
  });
});
