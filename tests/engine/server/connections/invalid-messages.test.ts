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

  test("that is a request without a known action, an operationId or a payload is answered invalid_payload", async () => {
    const engine = serveTestEngine();
    const client = await connect(engine, BUYER);
    const answerTo = async (fields: object) => {
      const requestId = crypto.randomUUID();
      client.send({ kind: "request", requestId, ...fields });
      return await client.response(requestId);
    };
    const [action, payload] = ["market.halt", {}];
    const long = "x".repeat(201);
    for (
      const [name, fields] of [
        ["action", { operationId: "1", action: "market.explode", payload }],
        ["operationId", { action, payload }],
        ["operationId", { operationId: long, action, payload }],
      ] as const
    ) {
      const { status, code, message } = await answerTo(fields);
      expect([status, code, message]).toEqual(["rejected", "invalid_payload", expect.stringContaining(name)]);
    }
    for (const wrong of [undefined, null, "x", {}, { contractId: 1 }, { ...restingBuy("x"), side: 2, price: 1.5 }]) {
      expect(await answerTo({ operationId: "o", action: "order.submit", payload: wrong }))
        .toMatchObject({ status: "rejected", code: "invalid_payload" });
    }
  });

  test("of an unknown kind is skipped and counted", async () => {
    const engine = serveTestEngine();
    const client = await connect(engine, BUYER);
    client.send([{ kind: "subscribe", to: "all" }, { kind: "subscribe" }, { kind: "toString" }]);
    expect((await client.request("order.submit", restingBuy(engine.contractId))).status).toBe("ok");
    const health: unknown = await (await fetch(`${engine.url}${PATHS.health}`)).json();
    expect(health).toMatchObject({ status: "ok", unknownMessages: 3, connections: 1 });
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
