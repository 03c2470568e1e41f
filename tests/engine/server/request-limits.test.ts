import { describe, expect, test } from "bun:test";
import { ACTING_USER_HEADER, PATHS, PROTOCOL_VERSION, type ResponseMessage } from "../../../protocol/index.ts";
import {
  BUYER,
  connect,
  connectionsOf,
  isKind,
  restingBuy,
  SELLER,
  serveTestEngine,
  submission,
  TestClient,
  UPGRADE,
  VIEWER,
} from "./harness.ts";
import { until } from "../../support/until.ts";

function responses(client: TestClient): ResponseMessage[] {
  return client.messages.filter((message) => isKind(message, "response"));
}

/** JSON text of `depth` nested arrays. */
function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

describe("a request", () => {
  test("is answered invalid_payload if it is too deep or has too many values, and executed at the limit", async () => {
    const engine = serveTestEngine({ limits: { depth: 8, values: 100 } });
    const client = await connect(engine, BUYER);
    const text = (id: string, depth: number) =>
      JSON.stringify(submission(id, { ...restingBuy(engine.contractId), extra: "?" })).replace('"?"', nested(depth));
    // The message and its payload are two levels.
    client.sendText(text("at", 6));
    client.sendText(text("above", 7));
    expect((await client.response("at")).status).toBe("ok");
    expect(await client.response("above")).toMatchObject({ status: "rejected", code: "invalid_payload" });
    client.sendText(text("far above", 400_000));
    expect((await client.response("far above")).message).toBe("the message is nested more than 8 deep");
    const payload = (count: number) => ({ ...restingBuy(engine.contractId), extra: Array(count).fill(0) });
    // The message has six values without `extra`, and the payload four.
    client.send(submission("few", payload(89)));
    client.send(submission("many", payload(90)));
    expect((await client.response("few")).status).toBe("ok");
    expect(await client.response("many")).toMatchObject({ status: "rejected", code: "invalid_payload" });
  });

  test("is answered if its frame is at the size limit; a larger frame ends the connection", async () => {
    const engine = serveTestEngine({ limits: { frameBytes: 4096 } });
    const client = await connect(engine, BUYER);
    const text = (id: string, bytes: number) => {
      const bare = JSON.stringify(submission(id, { ...restingBuy(engine.contractId), extra: "" }));
      return bare.replace('"extra":""', `"extra":"${"x".repeat(bytes - bare.length)}"`);
    };
    client.sendText(text("at", 4096));
    expect((await client.response("at")).status).toBe("ok");
    client.sendText(text("above", 4097));
    await client.ended();
    expect(responses(client)).toHaveLength(1);
  });

  test("gets one response, whatever else is in its frame", async () => {
    const engine = serveTestEngine();
    const client = await connect(engine, BUYER);
    const order = restingBuy(engine.contractId);
    client.send([
      submission("1", order),
      submission("1", order),
      submission("2", order, "1"),
      { ...submission("3", order), action: "market.explode" },
      { ...submission("4", order), operationId: 7 },
      submission("5", JSON.parse(nested(100))),
      { kind: "nonsense" },
      { kind: "request", operationId: "no request id" },
      "no message",
      submission("6", order),
    ]);
    await client.ended();
    expect(responses(client).map(({ requestId }) => requestId).toSorted()).toEqual(["1", "1", "2", "3", "4", "5", "6"]);
    const [first, repeat, ...others] = responses(client);
    expect([first?.status, repeat?.status]).toEqual(["ok", "ok"]);
    expect(others.filter(({ status }) => status === "ok").map(({ requestId }) => requestId)).toEqual(["2", "6"]);
    expect(client.messages.at(-1)).toMatchObject({ kind: "refused", code: "invalid_message" });
    expect(client.events.filter(({ type }) => type === "new.order")).toHaveLength(2);
  });
});

/** Requests that a user can send at once: two seconds' worth, less the hello. */
const BURST = 180;

describe("a user's rate of messages", () => {
  test("allows a burst; a request above it is rate_limited with a time to retry, and is not remembered", async () => {
    let now = 0;
    const engine = serveTestEngine({ limits: { requestsPerSecond: 100 }, rateClock: () => now });
    const client = await connect(engine, BUYER);
    const order = restingBuy(engine.contractId);
    client.send(Array.from({ length: BURST + 1 }, (_, at) => submission(String(at), order)));
    const limited = await client.response(String(BURST));
    const answered = responses(client);
    expect(answered).toHaveLength(BURST + 1);
    expect(answered.filter(({ status }) => status === "ok")).toHaveLength(BURST);
    expect(limited).toMatchObject({ status: "rejected", code: "rate_limited", result: { retryAfterMs: 10 } });
    expect(limited.message).toBe("More than 100 messages a second of this user: try again in 10 ms.");
    now = 10;
    expect((await client.request("order.submit", { ...order, price: 7 }, limited.operationId)).status).toBe("ok");
  });

  test("counts all connections and HTTP requests of one user, and of nobody else", async () => {
    const engine = serveTestEngine({ limits: { requestsPerSecond: 100 }, rateClock: () => 0 });
    const [one, two, other] = [
      await connect(engine, BUYER),
      await connect(engine, BUYER),
      await connect(engine, SELLER),
    ];
    const order = restingBuy(engine.contractId);
    const listed = () => fetch(`${engine.url}${PATHS.entities}`, { headers: { [ACTING_USER_HEADER]: BUYER } });
    // The second hello and the first HTTP request count too.
    one.send(Array.from({ length: BURST - 21 }, (_, at) => submission(String(at), order)));
    expect((await one.response(String(BURST - 22))).status).toBe("ok");
    expect((await listed()).status).toBe(200);
    expect((await two.request("order.submit", order)).code).toBe("rate_limited");
    expect((await other.request("order.submit", order)).status).toBe("ok");
    const answer = await listed();
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "1"]);
    expect(await answer.json()).toMatchObject({ error: { code: "rate_limited" } });
  });

  test("ends the connection of a user who floods, and refuses the next hello", async () => {
    const engine = serveTestEngine({ limits: { requestsPerSecond: 100 }, rateClock: () => 0 });
    const [client, other] = [await connect(engine, BUYER), await connect(engine, SELLER)];
    const order = restingBuy(engine.contractId);
    client.send(Array.from({ length: BURST + 200 }, (_, at) => submission(String(at), order)));
    expect((await client.response(String(BURST + 199))).code).toBe("rate_limited");
    client.send(submission("one more", order));
    await client.ended();
    expect(client.messages.at(-1)).toMatchObject({ kind: "refused", code: "rate_limited" });
    const again = await new TestClient(engine.webSocketUrl).hello({ userId: BUYER });
    expect(await again.refused()).toBe("rate_limited");
    await other.settled();
  });

  test("is separate from that of rejected requests, above which no request reaches the engine", async () => {
    const engine = serveTestEngine({ limits: { refusalsPerSecond: 10 }, rateClock: () => 0 });
    const client = await connect(engine, VIEWER);
    client.send(Array.from({ length: 100 }, (_, at) => submission(String(at), restingBuy(engine.contractId))));
    await client.response("99");
    const codes = responses(client).map(({ code }) => code);
    expect(codes.slice(0, 20)).toEqual(Array(20).fill("forbidden"));
    expect(codes.slice(20)).toEqual(Array(80).fill("rate_limited"));
  });
});

test("a user's rate of bytes admits one large frame, then refuses others until the debt is paid", async () => {
  const engine = serveTestEngine({ limits: { bytesPerSecond: 10_000 }, rateClock: () => 0 });
  const client = await connect(engine, BUYER);
  const order = restingBuy(engine.contractId);
  client.send(submission("large", { ...order, extra: "x".repeat(30_000) }));
  expect((await client.response("large")).status).toBe("ok");
  client.send(submission("next", order));
  expect(await client.response("next")).toMatchObject({ code: "rate_limited" });
  const other = await connect(engine, SELLER);
  expect((await other.request("order.submit", order)).status).toBe("ok");
});

describe("connections", () => {
  test("of one user are limited; one that ends frees its place", async () => {
    const engine = serveTestEngine({ limits: { connectionsPerUser: 2 } });
    const [first] = [await connect(engine, BUYER), await connect(engine, BUYER)];
    const above = await new TestClient(engine.webSocketUrl).hello({ userId: BUYER });
    expect(await above.refused()).toBe("too_many_connections");
    await connect(engine, SELLER);
    first?.close();
    await until(async () => await connectionsOf(engine) === 2, "the end of a connection");
    await connect(engine, BUYER);
  });

  test("are limited in total: one more upgrade is answered 503", async () => {
    const engine = serveTestEngine({ limits: { connections: 2 } });
    await connect(engine, BUYER);
    const other = await connect(engine, SELLER);
    const refused = await fetch(`${engine.url}${PATHS.webSocket}`, { headers: UPGRADE });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: { code: "too_many_connections" } });
    other.close();
    await until(async () => await connectionsOf(engine) === 1, "the end of a connection");
    await connect(engine, SELLER);
  });

  test("without a hello don't keep others out: the oldest is cut off", async () => {
    const engine = serveTestEngine({ limits: { connections: 3 } });
    const member = await connect(engine, BUYER);
    // A plain HTTP request uses no connection.
    const plain = async () => (await fetch(`${engine.url}${PATHS.webSocket}`)).status;
    const strangers = [await new TestClient(engine.webSocketUrl).opened()];
    strangers.push(await new TestClient(engine.webSocketUrl).opened());
    expect([await plain(), strangers[0]?.closed]).toEqual([426, null]);
    await connect(engine, SELLER);
    await until(() => strangers[0]?.closed !== null, "the end of the first stranger");
    expect([member.closed, strangers[1]?.closed]).toEqual([null, null]);
    await connect(engine, SELLER);
    await until(() => strangers[1]?.closed !== null, "the end of the second stranger");
    await member.settled();
  });

  test("may send one short frame before the hello is accepted", async () => {
    const engine = serveTestEngine();
    const hello = (length: number) => {
      const bare = JSON.stringify({ kind: "hello", protocol: PROTOCOL_VERSION, userId: BUYER, extra: "" });
      return bare.replace('"extra":""', `"extra":"${"x".repeat(length - bare.length)}"`);
    };
    const at = await new TestClient(engine.webSocketUrl).opened();
    const above = await new TestClient(engine.webSocketUrl).opened();
    at.sendText(hello(64 << 10));
    await at.message("welcome");
    above.sendText(hello((64 << 10) + 1));
    expect(await above.refused()).toBe("invalid_message");
  });
});
