import { describe, expect, test } from "bun:test";
import { configureSync, type LogRecord } from "@logtape/logtape";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import type { PubSubOptions } from "../../../core/backend/pubsub-options.ts";
import { boundedPayload } from "../../../core/guardrails/order-bounds.ts";
import { logger } from "../../../common/logger.ts";
import type { EventBuffer } from "../../../core/market/event-buffer.ts";
import type { History } from "../../../core/market/event-content.ts";
import type { EventMessage } from "../../../protocol/index.ts";
import { bookChange, wholeModule } from "../../support/modules.ts";
import {
  ENGINE_TIME,
  entity,
  EPOCH,
  event,
  orderData,
  orderState,
  ScriptedEngine,
  snapshotEnd,
  welcome,
} from "../../support/scripted-engine.ts";
import { until } from "../../support/until.ts";
import { clientOf, connected, errorOf, idle, scriptedEngine } from "./support/clients.ts";

const HALTED = { marketId: "m", marketStatus: "halted" };

describe("connect", () => {
  test("resolves once the snapshot is whole, and shows nothing of it before", async () => {
    const { engine, client, snapshot, events } = idle({ token: "secret" });
    const session = client.connect("u-1");
    expect(client.status).toBe("connecting");
    const connection = await engine.connection();
    const hello = await connection.next("hello");
    expect(hello).toEqual({ kind: "hello", protocol: 1, userId: "u-1", token: "secret" });
    connection.send(welcome(hello, { sequence: EPOCH + 7 }), entity("north"), event(8));
    await until(() => events.latestSequence === EPOCH + 8);
    expect(snapshot.count("ENTITY")).toBe(0);
    connection.send(entity("south"), { statePath: "/ENTITY/north", state: null }, snapshotEnd);
    expect(await session).toEqual({
      userId: "u-1",
      entityId: "north",
      capabilities: ["Market.View", "Order.Submit"],
      engineId: "engine-1",
      epoch: EPOCH,
    });
    expect(snapshot.find("ENTITY", { limit: 9 }).modules.map(({ id }) => id)).toEqual(["south"]);
    expect(client.facts()).toMatchObject({ status: "connected", userId: "u-1", engineId: "engine-1", reconnects: 0 });
    expect(events.read({ since: EPOCH, limit: 9 })).toMatchObject({ missed: 7, epoch: EPOCH });
  });

  test("as the same user shares one attempt and later succeeds at once; as another user it is refused", async () => {
    const { engine, client } = idle();
    const attempts = [client.connect("u-1"), client.connect("u-1")];
    expect(await errorOf(client.connect("u-2"))).toMatchObject({ code: "already_connected" });
    await engine.admitted();
    const [first, second] = await Promise.all(attempts);
    expect(first).toBe(second as never);
    expect(await client.connect("u-1")).toBe(first as never);
    expect(engine.connectionCount).toBe(1);
    expect(await errorOf(client.connect("u-2"))).toMatchObject({
      code: "already_connected",
      message: expect.stringContaining("u-1"),
      hint: NEUTRAL_ADVICE.disconnectFirst,
    });
  });

  test("to a port without a listener is backend_unavailable, names the address, and can be tried again", async () => {
    const gone = new ScriptedEngine();
    const { port, url } = gone;
    await gone.stop();
    const { client } = clientOf(url);
    const refusal = { code: "backend_unavailable", message: expect.stringContaining(url) };
    const abort = new AbortController();
    expect(await errorOf(client.connect("u-1", abort.signal))).toMatchObject(refusal);
    expect(client).toMatchObject({ status: "disconnected", session: null });
    const engine = scriptedEngine(port);
    const session = client.connect("u-2");
    abort.abort();
    await engine.admitted();
    expect((await session).userId).toBe("u-2");
  });

  test.each([
    ["unauthorized", "forbidden", "MKT_BEARER_TOKEN"],
    ["unknown_user", "not_found", NEUTRAL_ADVICE.unknownUser],
    ["unsupported_protocol", "backend_error", "protocol"],
    ["shutting_down", "backend_unavailable", "again"],
    ["too_slow", "backend_unavailable", "again"],
    ["too_many_somethings", "backend_unavailable", "again"],
  ])("refused as %s is %s", async (refusal, code, hint) => {
    const { engine, client } = idle();
    const attempt = errorOf(client.connect("u-1"));
    (await engine.connection()).send({ kind: "refused", code: refusal, message: "no." });
    const error = await attempt;
    expect(error).toMatchObject({ code, hint: expect.stringContaining(hint) });
    expect(client.facts()).toMatchObject({ status: "disconnected", lastError: error.message });
  });

  test("as a user who is not in MKT_ALLOWED_USER_IDS is forbidden, and opens nothing", async () => {
    const { engine, client } = idle({ allowedUserIds: ["u-2"] });
    expect(await errorOf(client.connect("u-1"))).toMatchObject({ code: "forbidden" });
    expect(engine.connectionCount).toBe(0);
  });

  test("to an engine that welcomes another user is refused", async () => {
    const { engine, client } = idle();
    const attempt = errorOf(client.connect("u-1"));
    await engine.admitted([], { userId: "u-9" });
    expect(await attempt).toMatchObject({ code: "backend_error" });
    expect(client.session).toBeNull();
  });

  test("to an engine that is silent, or never ends its snapshot, fails after its limit", async () => {
    const silent = idle({ timings: { openMs: 30 } });
    expect((await errorOf(silent.client.connect("u-1"))).message).toContain("silent for 30 ms");
    // Pings wait until the socket is open, which it never is.
    using mute = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
    const unopened = clientOf(`ws://127.0.0.1:${mute.port}/ws`, { timings: { pingMs: 2, openMs: 30, answerMs: 10 } });
    expect((await errorOf(unopened.client.connect("u-1"))).message).toContain("silent for 30 ms");
    const endless = idle({ timings: { synchronizeMs: 100 } });
    const attempt = errorOf(endless.client.connect("u-1"));
    (await endless.engine.connection()).send(welcome({ userId: "u-1" }), entity("north"));
    expect((await attempt).message).toContain("no whole snapshot within 100 ms");
  });

  test("that is aborted ends the attempt if nobody else waits for it", async () => {
    const { engine, client } = idle();
    const abort = new AbortController();
    const patient = client.connect("u-1");
    const aborted = errorOf(client.connect("u-1", abort.signal));
    abort.abort(new Error("gone"));
    expect((await aborted).message).toBe("gone");
    await engine.admitted();
    await patient;
    await client.disconnect();

    const second = new AbortController();
    const alone = errorOf(client.connect("u-2", second.signal));
    const connection = await engine.connection();
    second.abort(new Error("gone"));
    expect((await alone).message).toBe("gone");
    expect(client.status).toBe("disconnected");
    await connection.closed.promise;
  });

  test("as another user clears the data of the user before; as the same user resumes", async () => {
    const { engine, client, snapshot, events, connection } = await connected();
    connection.send(event(1));
    await until(() => events.latestSequence === EPOCH + 1);
    await client.disconnect();
    expect(snapshot.count("ENTITY")).toBe(1);

    const again = client.connect("u-1");
    const hello = await (await engine.connection()).admit([], { sequence: EPOCH + 1 });
    expect(hello.resume).toEqual({ epoch: EPOCH, sequence: EPOCH + 1 });
    await again;
    expect(events.stats().totalEvents).toBe(1);
    await client.disconnect();

    const other = client.connect("u-2");
    expect(events.epoch).toBeNull();
    expect(snapshot.asOf).toBeNull();
    expect((await (await engine.connection()).admit()).resume).toBeUndefined();
    await other;
  });
});

describe("request", () => {
  test("resolves when the states and events of the same frame can be read", async () => {
    const { client, connection, snapshot, events } = await connected();
    const outcome = client.request("market.halt", { reason: "test" }, { operationId: "op-1" });
    const request = await connection.respond({ result: HALTED }, entity("north", "North 2"), entity("east"), event(1));
    expect(request).toMatchObject({ operationId: "op-1", action: "market.halt", payload: { reason: "test" } });
    expect(await outcome).toEqual({ kind: "ok", operationId: "op-1", result: HALTED } as never);
    expect(snapshot.get("ENTITY", "north")?.name).toBe("North 2");
    expect(snapshot.count("ENTITY")).toBe(2);
    expect(events.latestSequence).toBe(EPOCH + 1);
  });

  test("resolves as rejected with the engine's code, and as error if the engine failed or left the protocol", async () => {
    const { client, connection } = await connected();
    const answerTo = async (response: Record<string, unknown>) => {
      const outcome = client.request("market.halt", {}, { operationId: "op" });
      await connection.respond(response);
      return await outcome;
    };
    expect(await answerTo({ status: "rejected", code: "forbidden", message: "No." }))
      .toEqual({ kind: "rejected", operationId: "op", code: "forbidden", message: "No." });
    expect(await answerTo({ status: "error", code: "broken", message: "Oh." }))
      .toEqual({ kind: "error", operationId: "op", code: "broken", message: "Oh." });
    expect(await answerTo({ result: { marketId: 5 } })).toMatchObject({ kind: "error", code: "backend_error" });
    expect(await answerTo({ result: HALTED, operationId: "another" }))
      .toMatchObject({ kind: "error", code: "backend_error" });
  });

  test("times out without a response; a late, repeated or unknown response changes nothing", async () => {
    const { client, connection } = await connected({ confirmTimeoutMs: 500 });
    const outcome = await client.request("market.halt", {}, { operationId: "op" });
    expect(outcome).toMatchObject({ kind: "timeout", operationId: "op" });
    expect(outcome.kind === "timeout" && outcome.waitedMs).toBeGreaterThanOrEqual(499);
    await connection.respond({ result: HALTED });
    const second = client.request("market.halt", {});
    const { requestId, operationId } = await connection.respond({ result: HALTED });
    expect((await second).kind).toBe("ok");
    connection.send({ kind: "response", requestId, operationId, status: "rejected" });
    connection.send({ kind: "response", requestId: "never", operationId: "never", status: "ok" });
    await until(() => client.protocolFaults["ignored_response"] === 3);
    expect(client.status).toBe("connected");
  });

  test("accepts a response that arrived in time, though this process stood still past the deadline", async () => {
    const { client, connection } = await connected({ confirmTimeoutMs: 500 });
    const outcome = client.request("market.halt", {});
    await connection.respond({ result: HALTED });
    const standsStillUntil = performance.now() + 550;
    while (performance.now() < standsStillUntil);
    expect((await outcome).kind).toBe("ok");
  });

  test("settles by its own response, with many pending requests and responses in another order", async () => {
    const { client, connection } = await connected({ confirmTimeoutMs: 1_500 });
    const operationIds = Array.from({ length: 200 }, (_, index) => `op-${index}`);
    const outcomes = operationIds.map((operationId) => client.request("market.halt", {}, { operationId }));
    const requests: { requestId: string; operationId: string }[] = [];
    for (const _ of operationIds) requests.push(await connection.next("request"));
    const answered = requests.filter((_, index) => index % 3 !== 0).reverse();
    for (const { requestId, operationId } of answered) {
      const status = operationId.endsWith("7") ? "rejected" : "ok";
      connection.send({ kind: "response", requestId, operationId, status, result: HALTED });
    }
    for (const [index, outcome] of (await Promise.all(outcomes)).entries()) {
      const kind = index % 3 === 0 ? "timeout" : index % 10 === 7 ? "rejected" : "ok";
      expect(outcome).toMatchObject({ operationId: `op-${index}`, kind });
    }
  });

  test("throws the reason of a signal that aborts, and sends nothing if it has aborted before", async () => {
    const lines: unknown[] = [];
    const info = (...line: unknown[]) => void lines.push(line);
    const { client, connection } = await connected({ log: Object.assign(Object.create(logger("test")), { info }) });
    const cancelled = new AbortController();
    const outcome = client.request("market.halt", {}, { operationId: "op", signal: cancelled.signal });
    const { requestId, operationId, validUntil } = await connection.next("request");
    cancelled.abort("the client gave up");
    expect(await errorOf(outcome)).toBe("the client gave up" as never);
    const effect = expect.stringContaining("operation {operationId} may take effect until {validUntil}");
    expect(lines).toContainEqual([effect, { action: "market.halt", operationId: "op", validUntil }]);
    const late = client.request("market.resume", {}, { signal: cancelled.signal });
    expect(await errorOf(late)).toBe("the client gave up" as never);
    // The late response is no fault, a second one is.
    for (let sent = 0; sent < 2; sent += 1) {
      connection.send({ kind: "response", requestId, operationId, status: "ok", result: HALTED });
    }
    const next = client.request("market.halt", {}, { operationId: "next" });
    expect(await connection.respond({ result: HALTED })).toMatchObject({ operationId: "next" });
    expect((await next).kind).toBe("ok");
    expect(client.protocolFaults["ignored_response"]).toBe(1);
  });

  test("does not send a request again that was cancelled before the connection was lost", async () => {
    const { engine, client, connection } = await connected();
    const cancelled = new AbortController();
    const outcome = client.request("market.halt", {}, { operationId: "op", signal: cancelled.signal });
    const kept = client.request("market.halt", {}, { operationId: "kept" });
    await connection.next("request");
    cancelled.abort();
    await outcome.catch(() => {});
    connection.cut();
    const second = await engine.admitted();
    expect(await second.respond({ result: HALTED })).toMatchObject({ operationId: "kept" });
    expect((await kept).kind).toBe("ok");
    expect(second.unread("request")).toBe(0);
  });

  test("is not_connected before, after and between connections, and sends nothing", async () => {
    expect(await idle().client.request("market.halt", {}, { operationId: "op" }))
      .toEqual({ kind: "not_connected", operationId: "op" });
    const { client, connection } = await connected();
    connection.cut();
    await until(() => client.status === "reconnecting");
    expect((await client.request("market.halt", {})).kind).toBe("not_connected");
    await client.disconnect();
    expect((await client.request("market.halt", {})).kind).toBe("not_connected");
  });

  test("is valid as long as its confirmation is awaited, in engine time", async () => {
    const { client, connection } = await connected({ now: () => 1_000_000, confirmTimeoutMs: 2_000 });
    expect(client.marketTime()).toBe(Date.parse(ENGINE_TIME));
    const order = { contractId: "c", side: 0, price: 1, quantity: 1 } as const;
    const validUntil = "2030-06-01T12:00:02.000Z";
    void client.request("order.submit", order);
    expect(await connection.next("request")).toMatchObject({ payload: order, validUntil });
    void client.request("market.halt", {});
    expect(await connection.next("request")).toMatchObject({ payload: {}, validUntil });
    const cancelled = client.request("order.cancel", { orderId: "o" });
    expect(await connection.next("request")).toMatchObject({ payload: { orderId: "o" }, validUntil });
    await client.disconnect();
    expect(await cancelled).toMatchObject({ kind: "timeout", validUntil });
  });

  test("of a new or changed order carries the bounds of this process instead of its own; other requests carry none", async () => {
    const orderBounds = { maxNotional: 20_000, maxOpenOrders: 3 };
    const bounded: PubSubOptions["bounded"] = (action, payload) => boundedPayload(action, payload, orderBounds);
    const { client, connection } = await connected({ bounded });
    const order = { contractId: "c", side: 0, price: 1, quantity: 1 } as const;
    void client.request("order.submit", { ...order, bounds: { maxNotional: 1e9, maxQuantity: 1 } });
    expect((await connection.next("request")).payload).toEqual({ ...order, bounds: orderBounds });
    void client.request("order.modify", { orderId: "o", price: 2 });
    expect((await connection.next("request")).payload).toEqual({ orderId: "o", price: 2, bounds: orderBounds });
    void client.request("order.cancel", { orderId: "o" });
    expect((await connection.next("request")).payload).toEqual({ orderId: "o" });
  });
});

describe("a lost connection", () => {
  test("is restored, resumes after the last event, and keeps the old snapshot until the new one is whole", async () => {
    const { engine, client, connection, snapshot, events } = await connected();
    connection.send(event(1));
    await until(() => events.latestSequence === EPOCH + 1);
    connection.cut();
    const next = await engine.connection();
    const hello = await next.next("hello");
    expect(hello.resume).toEqual({ epoch: EPOCH, sequence: EPOCH + 1 });
    expect(client).toMatchObject({ status: "reconnecting", session: { userId: "u-1" } });
    next.send(welcome(hello, { sequence: EPOCH + 9 }), entity("east"));
    next.send({ kind: "gap", from: EPOCH + 2, to: EPOCH + 6 }, event(7), event(1));
    await until(() => events.latestSequence === EPOCH + 7);
    expect(snapshot.find("ENTITY", { limit: 9 }).modules.map(({ id }) => id)).toEqual(["north"]);
    next.send(snapshotEnd, event(8));
    await until(() => events.latestSequence === EPOCH + 8);
    expect(snapshot.find("ENTITY", { limit: 9 }).modules.map(({ id }) => id)).toEqual(["east"]);
    expect(client.facts()).toMatchObject({ status: "connected", reconnects: 1 });
    const page = events.read({ since: EPOCH, limit: 9 });
    expect(page.events.map(({ sequence }) => sequence - EPOCH)).toEqual([1, 7, 8]);
    expect(page.missed).toBe(5);
  });

  test("applies missed and repeated events to no module: the snapshot contains them, or newer ones", async () => {
    const { engine, connection, snapshot, events } = await connected();
    connection.send(event(1, "new.order", orderData("o-1")));
    await until(() => events.latestSequence === EPOCH + 1);
    connection.cut();
    const next = await engine.connection();
    const hello = await next.next("hello");
    const filled = { status: "filled", closeReason: "filled", remainingQuantity: 0 } as const;
    next.send(welcome(hello, { sequence: EPOCH + 3 }), orderState("o-1", filled));
    next.send({ kind: "snapshotEnd", sequence: EPOCH + 5 });
    next.send(event(2, "change.order", orderData("o-1")), event(3, "new.order", orderData("o-2")));
    next.send(event(5, "change.order", orderData("o-1")));
    next.send(event(6, "new.order", orderData("o-3", { price: 1 })));
    next.send(event(6, "new.order", orderData("o-3", { price: 2 })), event(7));
    await until(() => events.latestSequence === EPOCH + 7);
    const orders = snapshot.find("ORDER", { limit: 9 }).modules.map(({ id, status, price }) => [id, status, price]);
    expect(orders.sort()).toEqual([["o-1", "filled", 5000], ["o-3", "working", 1], ["order-7", "working", 5000]]);
    expect(events.read({ since: EPOCH, limit: 9 })).toMatchObject({ missed: 0, events: [{}, {}, {}, {}, {}, {}] });
  });

  test("sends pending requests again under the same ids, and their responses count", async () => {
    const { engine, client, connection } = await connected();
    const outcome = client.request("order.submit", { contractId: "c", side: 1, price: -5, quantity: 2 });
    const first = await connection.next("request");
    connection.cut();
    const next = await engine.admitted();
    const second = await next.respond({ status: "rejected", code: "market_closed", message: "Closed." });
    expect(second).toEqual(first);
    expect(await outcome).toMatchObject({ kind: "rejected", operationId: first.operationId, code: "market_closed" });
  });

  test("does not move the deadline of pending requests", async () => {
    const { engine, client, connection } = await connected({ confirmTimeoutMs: 1_000 });
    const outcome = client.request("market.halt", {});
    await connection.next("request");
    connection.cut();
    const next = await engine.admitted();
    await next.next("request");
    expect(await outcome).toMatchObject({ kind: "timeout" });
  });

  test("to another history settles pending requests instead of sending them again, and drops the old events", async () => {
    const { engine, client, connection, events } = await connected();
    connection.send(event(1));
    const outcome = client.request("market.halt", {});
    await connection.next("request");
    connection.cut();
    const next = await engine.admitted([], { epoch: EPOCH * 2, sequence: EPOCH * 2 });
    expect(await outcome).toMatchObject({ kind: "timeout" });
    await until(() => client.status === "connected");
    expect(client.session?.epoch).toBe(EPOCH * 2);
    expect(events.read({ since: EPOCH, limit: 9 })).toMatchObject({ events: [], missed: null, epoch: EPOCH * 2 });
    next.send({ kind: "ping" });
    expect(next.unread("request")).toBe(0);
  });

  test("to another engine of the same epoch starts a new history, and accepts events that this engine sends again", async () => {
    const { engine, client, connection, events } = await connected();
    connection.send(event(1));
    await until(() => events.latestSequence === EPOCH + 1);
    connection.cut();
    const next = await engine.admitted([], { engineId: "engine-2", sequence: EPOCH + 3 });
    next.send(event(2), event(3), event(4));
    await until(() => events.latestSequence === EPOCH + 4);
    expect(client.facts()).toMatchObject({ status: "connected", engineId: "engine-2", reconnects: 1 });
    expect(events.read({ since: EPOCH, limit: 9 })).toMatchObject({ missed: 3, events: [{ sequence: EPOCH + 4 }] });
  });

  test.each([
    ["fewer capabilities", { capabilities: ["Market.View"] }],
    ["another entity", { entityId: "south" }],
    ["no entity", { entityId: null }],
  ])("with %s drops the events of before, and sends pending requests again", async (_what, change) => {
    const { engine, client, connection, events } = await connected();
    connection.send(event(1), event(2));
    await until(() => events.latestSequence === EPOCH + 2);
    const outcome = client.request("market.halt", {});
    await connection.next("request");
    connection.cut();
    const next = await engine.connection();
    const hello = await next.admit([], { ...change, sequence: EPOCH + 4 });
    expect(hello.resume).toEqual({ epoch: EPOCH, sequence: EPOCH + 2 });
    next.send(event(4));
    await next.respond({ result: HALTED });
    expect(await outcome).toMatchObject({ kind: "ok" });
    expect(client.session).toMatchObject(change);
    expect(events.read({ since: EPOCH, limit: 9 })).toMatchObject({ missed: 2, events: [{ sequence: EPOCH + 4 }] });
    expect(events.read({ limit: 9 }).events).toHaveLength(1);
  });

  test("with the same capabilities in another order keeps the events", async () => {
    const { engine, client, connection, events } = await connected();
    connection.send(event(1));
    await until(() => events.latestSequence === EPOCH + 1);
    connection.cut();
    await engine.admitted([], { capabilities: ["Order.Submit", "Market.View"], sequence: EPOCH + 1 });
    await until(() => client.status === "connected");
    expect(events.read({ since: EPOCH, limit: 9 })).toMatchObject({ missed: 0, events: [{ sequence: EPOCH + 1 }] });
  });

  test("ends after three final refusals, with their reason, and no request waits any longer", async () => {
    const { engine, client, connection } = await connected();
    const outcome = client.request("market.halt", {});
    await connection.next("request");
    connection.cut();
    for (let refusals = 0; refusals < 3; refusals += 1) {
      (await engine.connection()).send({ kind: "refused", code: "unknown_user", message: "Who?" });
    }
    expect(await outcome).toMatchObject({ kind: "timeout" });
    const { status, lastError } = client.facts();
    expect([status, lastError]).toEqual(["disconnected", expect.stringContaining("u-1")]);
  });

  test("that the engine ended as too slow is restored", async () => {
    const { engine, connection, client } = await connected();
    connection.send({ kind: "refused", code: "too_slow", message: "Read faster." });
    await engine.admitted();
    await until(() => client.status === "connected");
    expect(client.facts().lastDisconnect?.reason).toContain("Read faster.");
  });

  test("is noticed by silence, but not while the engine answers pings", async () => {
    const { engine, client, connection } = await connected({ timings: { pingMs: 10, silenceMs: 900 } });
    for (let pings = 0; pings < 12; pings += 1) {
      await connection.next("ping");
      connection.send({ kind: "pong", time: ENGINE_TIME });
    }
    expect(client.facts()).toMatchObject({ status: "connected", reconnects: 0, lastError: null, lastDisconnect: null });
    const next = await engine.connection();
    expect(client.facts().lastError).toContain("silent for 900 ms");
    await next.admit();
    await until(() => client.facts(), ({ reconnects, lastError }) => reconnects === 1 && lastError === null);
  });

  test("is noticed by unanswered pings, even if the engine sends other messages", async () => {
    const { engine, connection, client } = await connected({ timings: { pingMs: 5, answerMs: 40 } });
    const talking = setInterval(() => connection.send(entity("north")), 5);
    await engine.admitted();
    clearInterval(talking);
    await until(() => client.facts().reconnects === 1);
    expect(client.facts().lastDisconnect?.reason).toContain("answered no ping for 40 ms");
  });

  test("is retried at least every second while a request is pending, and after growing waits otherwise", async () => {
    const timings = { firstRetryMs: 600_000, longestRetryMs: 600_000, pendingRetryMs: 5 };
    const { engine, client, connection } = await connected({ timings });
    const outcome = client.request("market.halt", {});
    await connection.next("request");
    connection.cut();
    const next = await engine.admitted();
    await next.respond({ result: HALTED });
    expect((await outcome).kind).toBe("ok");
    next.cut();
    await until(() => client.status === "reconnecting");
    const before = engine.connectionCount;
    await Bun.sleep(20);
    expect(engine.connectionCount).toBe(before);
  });

  test("keeps the time at which the snapshot was last known to hold", async () => {
    const { client, connection, snapshot } = await connected({ now: () => 1_000_000, timings: { pingMs: 5 } });
    expect(snapshot.asOf).toBe(ENGINE_TIME);
    await connection.next("ping");
    connection.send({ kind: "pong", time: "2030-06-01T12:00:09.000Z" });
    await until(() => snapshot.asOf === "2030-06-01T12:00:09.000Z");
    connection.cut();
    await until(() => client.status === "reconnecting");
    expect(snapshot.asOf).toBe("2030-06-01T12:00:09.000Z");
  });

  test("is restored once the engine is back, however long that takes", async () => {
    const { engine, connection, client } = await connected({ timings: { firstRetryMs: 1, longestRetryMs: 2 } });
    const { port } = engine;
    connection.cut();
    await engine.stop();
    await Bun.sleep(20);
    expect(client.status).toBe("reconnecting");
    const back = scriptedEngine(port);
    await back.admitted();
    await until(() => client.status === "connected");
  });

  test("is retried at once by another connect, whose failure does not end the retries", async () => {
    const slow = { firstRetryMs: 600_000, longestRetryMs: 600_000 };
    const { engine, client, connection } = await connected({ timings: slow });
    connection.cut();
    const { port } = engine;
    await engine.stop();
    await until(() => client.status === "reconnecting");
    expect(await errorOf(client.connect("u-1"))).toMatchObject({ code: "backend_unavailable" });
    expect(client.status).toBe("reconnecting");
    expect(await errorOf(client.connect("u-2"))).toMatchObject({ code: "already_connected" });
    const back = scriptedEngine(port);
    const session = client.connect("u-1");
    await back.admitted();
    expect((await session).userId).toBe("u-1");
  });

  test("is not restored after a disconnect", async () => {
    const { engine, client, connection } = await connected({ timings: { firstRetryMs: 1, longestRetryMs: 1 } });
    connection.cut();
    const { port } = engine;
    await engine.stop();
    await until(() => client.status === "reconnecting");
    await client.disconnect();
    const back = scriptedEngine(port);
    const others = 20;
    for (let count = 0; count < others; count += 1) await openAndClose(back.url);
    expect(client.status).toBe("disconnected");
    expect(back.connectionCount).toBe(others);
  });
});

async function openAndClose(url: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const socket = new WebSocket(url);
  socket.onopen = () => socket.close();
  socket.onclose = resolve;
  await promise;
}

describe("concurrent calls", () => {
  test("a connect succeeds while a disconnect waits for the socket's end, also as another user", async () => {
    const { engine, client, connection } = await connected();
    const gone = client.disconnect();
    const session = client.connect("u-2");
    await engine.admitted([entity("south")]);
    expect((await session).userId).toBe("u-2");
    await Promise.all([gone, connection.closed.promise]);
    expect(client.facts()).toMatchObject({ status: "connected", userId: "u-2", reconnects: 0 });
    expect((await Promise.all([client.disconnect(), client.disconnect()])).length).toBe(2);
    expect([client.status, client.disconnects]).toEqual(["disconnected", 3]);
  });

  test("frames on a connection that was ended change nothing", async () => {
    const { client, connection, snapshot, events } = await connected();
    const gone = client.disconnect();
    connection.send(entity("late"), event(1), { kind: "refused", code: "unauthorized", message: "Late." });
    await gone;
    expect([snapshot.get("ENTITY", "late"), events.latestSequence]).toEqual([undefined, EPOCH]);
    expect(client.facts().lastError).toBeNull();
  });

  test("a disconnect during the snapshot ends the connect, and the rest of the snapshot is not shown", async () => {
    const { engine, client, snapshot } = idle();
    const attempt = errorOf(client.connect("u-1"));
    const connection = await engine.connection();
    connection.send(welcome(await connection.next("hello")), entity("north"));
    const gone = client.disconnect();
    connection.send(snapshotEnd);
    expect(await attempt).toMatchObject({ code: "not_connected" });
    await gone;
    expect([client.status, client.session, snapshot.count("ENTITY")]).toEqual(["disconnected", null, 0]);
  });

  test("an abort after the snapshot was whole does not end the connection", async () => {
    const { engine, client } = idle();
    const abort = new AbortController();
    const session = client.connect("u-1", abort.signal);
    await engine.admitted();
    await session;
    abort.abort();
    expect(client.status).toBe("connected");
    expect((await errorOf(client.connect("u-1", abort.signal))).name).toBe("AbortError");
    expect(client.status).toBe("connected");
  });

  test("a request during a disconnect settles once, and is not sent on the next connection", async () => {
    const { engine, client, connection } = await connected();
    const outcome = client.request("market.halt", {}, { operationId: "op" });
    const gone = client.disconnect();
    expect(await outcome).toMatchObject({ kind: "timeout", operationId: "op", validUntil: expect.any(String) });
    expect((await client.request("market.halt", {})).kind).toBe("not_connected");
    expect(await connection.closed.promise).toBe(1000);
    await gone;
    expect(client.facts()).toMatchObject({ status: "disconnected", userId: null, engineId: null });
    const again = client.connect("u-1");
    const next = await engine.admitted();
    await again;
    const following = client.request("market.resume", {});
    await next.respond({ result: HALTED });
    expect((await following).kind).toBe("ok");
    expect(next.unread("request")).toBe(0);
  });

  test("a disconnect while a lost connection is being restored ends the attempts, even if a welcome follows", async () => {
    const { engine, client, connection } = await connected();
    connection.cut();
    const next = await engine.connection();
    const hello = await next.next("hello");
    expect(client.status).toBe("reconnecting");
    const gone = client.disconnect();
    next.send(welcome(hello), snapshotEnd);
    await gone;
    await next.closed.promise;
    expect([client.status, client.session, engine.connectionCount]).toEqual(["disconnected", null, 2]);
  });
});

describe("messages outside the protocol", () => {
  /** Unreadable frames, and the fault under which each is counted. */
  const UNREADABLE: readonly (readonly [fault: string, frame: string | Uint8Array<ArrayBuffer>])[] = [
    ["not_json", "{"],
    ["not_text", new Uint8Array([1, 2, 3])],
    ["not_a_message", "17"],
    ["not_a_message", "{}"],
    ["too_deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["invalid_message", JSON.stringify({ kind: "event", sequence: -1 })],
    ["invalid_message", JSON.stringify({ statePath: 5 })],
    ["invalid_module", JSON.stringify({ statePath: "/ENTITY/bad", state: { id: "bad" } })],
    ["invalid_module", JSON.stringify({ ...entity("b"), statePath: "/ENTITY/a" })],
  ];

  test("messages of another version are skipped, counted, and logged once for each kind", async () => {
    const records: LogRecord[] = [];
    configureSync({
      reset: true,
      sinks: { records: (record: LogRecord) => void records.push(record) },
      loggers: [
        { category: "mkt", lowestLevel: "warning", sinks: ["records"] },
        { category: ["logtape", "meta"], lowestLevel: "error", sinks: ["records"] },
      ],
    });
    const { client, connection, snapshot } = await connected();
    for (let times = 0; times < 3; times += 1) {
      connection.send({ kind: "weather", sky: "blue" }, { kind: "constructor" });
      connection.send({ statePath: "/NEWS/1", state: { id: "1" } });
    }
    connection.send(entity("east"));
    await until(() => snapshot.count("ENTITY") === 2);
    expect(client.protocolFaults).toEqual({ unknown_kind: 6, unknown_module: 3, ignored_response: 0 });
    expect(records.map(({ properties }) => properties["fault"])).toEqual(["unknown_kind", "unknown_module"]);
    expect(client.facts()).toMatchObject({ status: "connected", reconnects: 0, unreadableMessages: 0 });
  });

  test.each(UNREADABLE)(
    "an unreadable message (%s) makes the client reconnect, with a whole snapshot",
    async (fault, frame) => {
      const { engine, client, connection, snapshot } = await connected();
      connection.socket.send(frame);
      connection.send(entity("never shown"));
      const next = await engine.connection();
      expect(client.status).toBe("reconnecting");
      await next.admit([entity("south")]);
      await until(() => client.status === "connected");
      expect(snapshot.find("ENTITY", { limit: 9 }).modules.map(({ id }) => id)).toEqual(["south"]);
      expect(client.protocolFaults).toEqual({ [fault]: 1, ignored_response: 0 });
      expect(client.facts()).toMatchObject({ reconnects: 1, unreadableMessages: 1, incomplete: false });
      expect(client.facts().lastDisconnect?.reason).toContain("can't be read");
    },
  );

  test("after repeated unreadable messages the client goes on without them: the module is not shown, the event is missed", async () => {
    const { engine, client, snapshot, events } = idle({ timings: { readAgainMs: 1_000 } });
    const session = client.connect("u-1");
    const misfit = { statePath: "/ENTITY/north", state: { id: "north", name: 7 } } as never;
    for (let attempts = 0; attempts < 2; attempts += 1) await engine.admitted([misfit]);
    const connection = await engine.admitted([entity("north"), misfit, entity("south")]);
    expect((await session).userId).toBe("u-1");
    expect(snapshot.find("ENTITY", { limit: 9 }).modules.map(({ id }) => id)).toEqual(["south"]);
    expect(client).toMatchObject({ status: "connected", incomplete: true });
    connection.send(event(1), { ...event(2), time: "noon" }, { ...entity("south"), state: { id: "south" } });
    connection.send(event(3), { kind: "pong", time: ENGINE_TIME });
    await until(() => events.latestSequence === EPOCH + 3);
    expect(snapshot.count("ENTITY")).toBe(0);
    expect(events.read({ since: EPOCH, limit: 9 })).toMatchObject({ missed: 1, events: [{}, {}] });

    const strict = await engine.connection();
    expect(client.facts().lastError).toContain("read again");
    await strict.admit([entity("north")], { sequence: EPOCH + 3 });
    await until(() => client.status === "connected");
    expect(client.incomplete).toBe(false);
    expect(snapshot.count("ENTITY")).toBe(1);
  });

  test("a change that does not fit its book makes the client reconnect, with a whole snapshot", async () => {
    const { engine, client, connection, snapshot, events } = await connected();
    connection.send(event(1, "change.book", bookChange({ engineId: "e", bestBid: 7 })));
    const next = await engine.connection();
    expect(client.facts().lastError).toContain("can't be read (misfit)");
    expect((await next.next("hello")).resume).toEqual({ epoch: EPOCH, sequence: EPOCH + 1 });
    const [level, other] = [{ price: 7, volume: 1, orderCount: 1 }, { price: 6, volume: 2, orderCount: 1 }];
    const book = {
      statePath: "/ENGINE/e",
      state: wholeModule("ENGINE", { id: "e", bids: [level], bestBid: 7 }) as never,
    };
    next.send(welcome({ userId: "u-1" }, { sequence: EPOCH + 1 }), book, { kind: "snapshotEnd", sequence: EPOCH + 1 });
    next.send(event(2, "change.book", bookChange({ engineId: "e", bestBid: 7, bids: [other] })));
    await until(() => events.latestSequence === EPOCH + 2);
    expect(snapshot.get("ENGINE", "e")).toMatchObject({ bids: [level, other], bestBid: 7, lastUpdate: ENGINE_TIME });
  });

  test("if reconnecting does not help, modules whose events can't be read, or don't fit, are not shown", async () => {
    const { engine, client, snapshot, events } = idle({ timings: { readAgainMs: 60_000 } });
    const session = client.connect("u-1");
    const unreadable = { statePath: "/ENTITY/north", state: { id: "north", name: 7 } } as never;
    for (let attempts = 0; attempts < 2; attempts += 1) await engine.admitted([unreadable]);
    const engines = ["e", "f"].map((id) => ({ statePath: `/ENGINE/${id}`, state: wholeModule("ENGINE", { id }) }));
    const states = [...engines as never[], orderState("o-1", {}), orderState("o-2", {}), entity("north")];
    const connection = await engine.admitted(states);
    await session;
    connection.send(event(1, "change.order", { ...orderData("o-1"), price: "high" }));
    connection.send(event(2, "change.book", bookChange({ engineId: "e", bestBid: 7 })));
    connection.send(event(3, "change.book", bookChange({ engineId: "e" })));
    connection.send(
      event(4, "change.book", { engineId: "f" }),
      event(5, "change.order", orderData("o-2", { price: 1 })),
    );
    await until(() => events.latestSequence === EPOCH + 5);
    expect(client).toMatchObject({ status: "connected", incomplete: true });
    expect(snapshot.find("ORDER", { limit: 9 }).modules.map(({ id, price }) => [id, price])).toEqual([["o-2", 1]]);
    expect([snapshot.count("ENGINE"), snapshot.count("ENTITY")]).toEqual([0, 1]);
    expect(events.read({ since: EPOCH, limit: 9 })).toMatchObject({ missed: 2, events: [{}, {}, {}] });
  });

  test("a repeated frame changes nothing, even if newer states came in between", async () => {
    const { client, connection, snapshot, events } = await connected();
    const older = [entity("north", "older"), event(1)];
    // A frame without events is no repetition.
    for (const frame of [older, [event(2)], [entity("north", "newer")], older]) connection.send(...frame);
    connection.send(welcome({ userId: "u-1" }));
    connection.send(entity("north", "oldest"), snapshotEnd);
    connection.send(event(3));
    await until(() => events.latestSequence === EPOCH + 3);
    expect(snapshot.get("ENTITY", "north")?.name).toBe("newer");
    expect(events.stats().totalEvents).toBe(3);
    expect(client.facts().reconnects).toBe(0);
  });

  test.each([
    ["a second, different welcome", { ...welcome({ userId: "u-1" }), sequence: EPOCH + 5 }],
    ["an event with an impossible number", { ...event(1), sequence: Number.MAX_SAFE_INTEGER }],
    ["an event of the past that was never seen", { ...event(1), sequence: 3 }],
    ["a gap after the newest event", { kind: "gap", from: EPOCH + 1, to: EPOCH + 9 }],
    ["a gap that ends before it begins", { kind: "gap", from: EPOCH, to: EPOCH - 1 }],
  ])("%s makes the client reconnect", async (_what, message) => {
    const { engine, connection, client, events } = await connected();
    connection.send(message);
    const hello = await (await engine.connection()).admit();
    expect(hello.resume).toEqual({ epoch: EPOCH, sequence: EPOCH });
    await until(() => client.status === "connected");
    expect(events.latestSequence).toBe(EPOCH);
  });

  test("an engine that sends other messages before its welcome is disconnected", async () => {
    const { engine, client, events } = idle();
    const attempt = errorOf(client.connect("u-1"));
    (await engine.connection()).send(event(1), snapshotEnd);
    expect((await attempt).message).toContain("did not begin with a welcome");
    expect(events.epoch).toBeNull();
  });
});

describe("events of another process", () => {
  const history: History = {
    engineId: "engine-1",
    epoch: EPOCH,
    userId: "u-1",
    entityId: "north",
    capabilities: ["Market.View", "Order.Submit"],
  };

  function fill(events: EventBuffer, ...sequences: readonly number[]): void {
    events.begin(EPOCH, EPOCH);
    for (const sequence of sequences) events.push(event(sequence) as EventMessage);
  }

  const read = (events: EventBuffer) => events.read({ limit: 9 }).events.map(({ sequence }) => sequence - EPOCH);

  test("come before those of the connection, which resumes after them", async () => {
    const { engine, client, events } = idle();
    expect(client.resumeFrom(history)).toBe(true);
    fill(events, 1, 3, 5);
    expect(client.history).toEqual(history);
    expect(client.isQuiet).toBe(true);
    const session = client.connect("u-1");
    const connection = await engine.connection();
    expect((await connection.admit([], { sequence: EPOCH + 6 })).resume).toEqual({ epoch: EPOCH, sequence: EPOCH + 5 });
    await session;
    connection.send(event(6));
    await until(() => events.latestSequence === EPOCH + 6);
    expect(read(events)).toEqual([1, 3, 5, 6]);
    expect(events.read({ since: EPOCH, limit: 9 }).missed).toBe(0);
  });

  test("are dropped if the engine gives the user other capabilities, or has another history", async () => {
    for (const change of [{ capabilities: [] }, { engineId: "engine-2" }, { epoch: EPOCH + 1 }]) {
      const { engine, client, events } = idle();
      client.resumeFrom(history);
      fill(events, 1, 3);
      const session = client.connect("u-1");
      await engine.admitted([], { ...change, sequence: EPOCH + 3 });
      await session;
      expect(read(events)).toEqual([]);
      expect(client.history).toEqual({ ...history, ...change });
    }
  });

  test("are refused by a client with a connection, which is quiet only without one, and dropped for another user", async () => {
    const { client, connection, events } = await connected({ timings: { firstRetryMs: 60_000 } });
    expect(client.resumeFrom(history)).toBe(false);
    expect(client.isQuiet).toBe(false);
    expect(client.history).toEqual(history);
    connection.cut();
    await until(() => client.status === "reconnecting");
    expect(client.isQuiet).toBe(true);
    expect(client.resumeFrom(history)).toBe(false);
    await client.disconnect();
    expect(client.isQuiet).toBe(true);
    expect(client.resumeFrom({ ...history, userId: "u-2" })).toBe(true);
    fill(events, 2);
    expect(client.history).toEqual({ ...history, userId: "u-2" });
    void client.connect("u-3").catch(() => {});
    expect(read(events)).toEqual([]);
    expect(client.history).toBeNull();
  });
});
