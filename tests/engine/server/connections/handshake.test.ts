import { describe, expect, test } from "bun:test";
import { PROTOCOL_VERSION } from "../../../../protocol/index.ts";
import {
  BUYER,
  connect,
  connectionsOf,
  OPERATOR,
  restingBuy,
  serveTestEngine,
  submission,
  TestClient,
  UPGRADE,
  VIEWER,
} from "../harness.ts";
import { until } from "../../../support/until.ts";

async function refusal(client: TestClient) {
  const { code, message } = await client.message("refused");
  await client.ended();
  expect(client.messages).toHaveLength(1);
  return { code, message, closeCode: client.closed?.code };
}

describe("a new connection", () => {
  test("is welcomed with its user, its permissions, the epoch and the newest event number", async () => {
    const engine = serveTestEngine();
    const client = await connect(engine, OPERATOR);
    const welcome = await client.message("welcome");
    expect(client.messages[0]).toBe(welcome);
    expect(welcome).toMatchObject({
      engineId: "test-engine",
      userId: OPERATOR,
      entityId: "OPERATOR",
      epoch: engine.epoch,
      sequence: engine.engine.sequence,
    });
    expect(welcome.capabilities).toContain("Market.Operate");
    expect(welcome.capabilities).not.toContain("Spot.Publish");
  });

  test("with the right token is welcomed, and with another one does not learn whether a user exists", async () => {
    const engine = serveTestEngine({ token: "sesame" });
    expect((await (await connect(engine, VIEWER, { token: "sesame" })).message("welcome")).entityId).toBeNull();
    for (const token of [undefined, "wrong", "", "sesame "]) {
      for (const userId of [BUYER, "nobody"]) {
        const client = await new TestClient(engine.webSocketUrl).hello({ userId, token });
        expect(await refusal(client)).toMatchObject({ code: "unauthorized", closeCode: 1008 });
      }
    }
  });

  test("without a hello in time is refused", async () => {
    const client = await new TestClient(serveTestEngine({ helloTimeoutMs: 50 }).webSocketUrl).opened();
    expect(await refusal(client)).toMatchObject({ code: "invalid_message", message: "no hello within 0.05 s" });
  });

  const hello = { kind: "hello", protocol: PROTOCOL_VERSION };
  test.each<[unknown, string, string?]>([
    [{ kind: "request", requestId: "1", operationId: "1", action: "market.halt", payload: {} }, "invalid_message"],
    [{ kind: "ping" }, "invalid_message"],
    [{ kind: "greetings" }, "invalid_message"],
    [hello, "invalid_message"],
    [7, "invalid_message"],
    [null, "invalid_message"],
    [{ ...hello, userId: "nobody" }, "unknown_user", "nobody"],
    [{ ...hello, protocol: PROTOCOL_VERSION + 1, user: { name: BUYER } }, "unsupported_protocol"],
  ])("whose first message is %j is refused as %s", async (message, code, named = "") => {
    const client = await new TestClient(serveTestEngine().webSocketUrl).opened();
    client.send(message);
    expect(await refusal(client)).toMatchObject({ code, message: expect.stringContaining(named) });
  });

  test("may send its hello and its first request in one frame", async () => {
    const engine = serveTestEngine();
    const client = await new TestClient(engine.webSocketUrl).opened();
    client.send([
      { kind: "hello", protocol: PROTOCOL_VERSION, userId: BUYER },
      submission("1", restingBuy(engine.contractId)),
    ]);
    expect((await client.response("1")).status).toBe("ok");
    expect(client.kinds.indexOf("snapshotEnd")).toBeLessThan(client.kinds.indexOf("response"));
  });

  test("from a page of another origin is refused, and one from this machine is not", async () => {
    const engine = serveTestEngine();
    const upgrade = (origin: string) =>
      fetch(engine.webSocketUrl.replace("ws:", "http:"), { headers: { Origin: origin, ...UPGRADE } });
    expect((await upgrade("https://example.com")).status).toBe(403);
    expect((await upgrade("null")).status).toBe(403);
    expect((await upgrade("http://localhost:4087")).status).not.toBe(403);
  });
});

describe("the state of a user", () => {
  test("is connected from the first connection to the end of the last, as all users see", async () => {
    const engine = serveTestEngine();
    const watcher = await connect(engine, VIEWER);
    const changes = () =>
      watcher.events.flatMap(({ type, data }) =>
        type === "change.user" && data["userId"] === BUYER ? [data["connected"]] : []
      );
    const first = await connect(engine, BUYER);
    const own = first.states.find(({ statePath }) => statePath === `/USER/${BUYER}`);
    expect(own?.state).toMatchObject({ connected: true });
    const second = await connect(engine, BUYER);
    first.close();
    await until(async () => await connectionsOf(engine) === 2, "the first to go");
    await watcher.settled();
    expect(changes()).toEqual([true]);
    second.close();
    await until(() => changes().length === 2, "the disconnect");
    expect(changes()).toEqual([true, false]);
  });
});

describe("an engine that stops", () => {
  test("ends every connection as shutting_down, and frees its port", async () => {
    const engine = serveTestEngine();
    const clients = [await connect(engine, BUYER), await connect(engine, VIEWER)];
    await engine.stop();
    for (const client of clients) {
      expect((await client.message("refused")).code).toBe("shutting_down");
      await client.ended();
    }
    expect(serveTestEngine({ port: engine.port }).port).toBe(engine.port);
  });
});
