// The engine client as personas use it, against a scripted engine.

import { afterEach, describe, expect, mock, spyOn, test } from "bun:test";
import { FrameReader } from "../../../protocol/client/frame-reader.ts";
import { Backoff } from "../../../protocol/client/backoff.ts";
import { logger } from "../../../common/logger.ts";
import type { EngineListener } from "../../../protocol/client/engine-client-options.ts";
import { EngineClock } from "../../../protocol/client/engine-clock.ts";
import { reasonOf } from "../../../protocol/client/engine-link.ts";
import type { RequestOutcome } from "../../../protocol/client/pending-requests.ts";
import { ORDER_VALIDITY_MS, RESPONSE_LIMIT_MS, userClient } from "../../../sim/live/user-client.ts";
import { ENGINE_TIME, entity, ScriptedEngine, snapshotEnd, welcome } from "../../support/scripted-engine.ts";
import { until } from "../../support/until.ts";

const ORDER = { contractId: "C", side: 0 as const, price: 1, quantity: 1, clientOrderId: "sim-1" };

afterEach(() => mock.restore());

/** The outcome of a request whose connection has ended. */
const lost = (operationId: string) => ({
  kind: "timeout" as const,
  operationId,
  waitedMs: expect.any(Number),
  validUntil: expect.any(String),
});

/** An engine and a client, the calls of its listener in order, and the outcomes of its requests. */
function opened(listener: Partial<EngineListener> = {}) {
  const engine = new ScriptedEngine();
  const heard: string[] = [];
  const log = logger("test");
  const access = {
    url: engine.url,
    token: "secret",
    reader: new FrameReader(log),
    clock: new EngineClock(() => Date.parse(ENGINE_TIME)),
    log,
  };
  const client = userClient(access, {
    userId: "u-1",
    cancelOnDisconnect: true,
    listener: {
      welcomed: () => void heard.push("welcomed"),
      state: ({ statePath }) => void heard.push(statePath),
      synchronized: () => void heard.push("synchronized"),
      frame: (messages) => void heard.push(`frame of ${messages.length}`),
      ended: (end, willRetry) => void heard.push(`ended${willRetry ? "" : " for good"}: ${reasonOf(end)}`),
      ...listener,
    },
  });
  client.open();
  const send = (operationId: string) => {
    const outcomes: RequestOutcome[] = [];
    const isSent = client.send("order.submit", ORDER, { operationId }, (outcome) => void outcomes.push(outcome));
    return { isSent, outcomes };
  };
  const stop = async () => {
    await client.close();
    await engine.stop();
  };
  return { engine, client, heard, send, [Symbol.asyncDispose]: stop };
}

async function begun(listener: Partial<EngineListener> = {}) {
  const parts = opened(listener);
  const socket = await parts.engine.connection();
  await socket.admit([entity("north")]);
  await until(() => parts.client.isUp, "the snapshot");
  return { ...parts, socket };
}

describe("a client of a simulated user", () => {
  test("says hello as its user, is up once its snapshot is whole, and then reports each frame after its states", async () => {
    await using parts = opened();
    const { client, heard, send } = parts;
    const socket = await parts.engine.connection();
    const hello = await socket.next("hello");
    expect(hello).toEqual({ kind: "hello", protocol: 1, userId: "u-1", token: "secret", cancelOnDisconnect: true });
    expect([client.isUp, send("sim-1").isSent]).toEqual([false, false]);
    socket.send(welcome(hello), entity("north"));
    await until(() => heard.length === 2, "the first state");
    expect([client.isUp, send("sim-1").isSent]).toEqual([false, false]);
    socket.send(entity("south"), snapshotEnd);
    await until(() => client.isUp, "the end of the snapshot");
    expect(socket.unread("request")).toBe(0);
    socket.send(entity("west"), entity("east"));
    await until(() => heard.length === 7, "the frame");
    expect(heard).toEqual([
      "welcomed",
      "/ENTITY/north",
      "/ENTITY/south",
      "synchronized",
      "/ENTITY/west",
      "/ENTITY/east",
      "frame of 2",
    ]);
  });

  test("ignores the rest of a frame during which it was closed", async () => {
    const paths: string[] = [];
    let close = () => {};
    const { client, socket, heard } = await begun({
      state: ({ statePath }) => {
        paths.push(statePath);
        if (statePath === "/ENTITY/south") close();
      },
    });
    close = () => void client.close();
    socket.send(entity("south"), entity("west"));
    await socket.closed.promise;
    expect([paths, heard]).toEqual([["/ENTITY/north", "/ENTITY/south"], ["welcomed", "synchronized"]]);
  });
});

describe("a request", () => {
  test("has an outcome also if its response has neither result nor reason", async () => {
    await using parts = await begun();
    const [one, other] = [parts.send("sim-1"), parts.send("sim-2")];
    await parts.socket.respond({ result: undefined });
    await parts.socket.respond({ status: "rejected" });
    await until(() => other.outcomes.length > 0, "the answers");
    expect(one.outcomes).toEqual([{ kind: "ok", operationId: "sim-1", result: {} }]);
    const message = "The engine rejected the request and gave no reason.";
    expect(other.outcomes).toEqual([{ kind: "rejected", operationId: "sim-2", code: "rejected", message }]);
  });

  test("is valid for three seconds of engine time as an order, for thirty as anything else", async () => {
    await using parts = await begun();
    parts.send("sim-1");
    parts.client.send("order.cancel", { orderId: "ORD-1" }, { operationId: "sim-c1" }, () => {});
    const [order, cancel] = [await parts.socket.next("request"), await parts.socket.next("request")];
    const validFor = ({ validUntil }: { validUntil?: string }) =>
      Date.parse(validUntil ?? "") - Date.parse(ENGINE_TIME);
    expect([validFor(order), validFor(cancel)]).toEqual([ORDER_VALIDITY_MS, RESPONSE_LIMIT_MS]);
    expect(order).toMatchObject({ requestId: "sim-1", operationId: "sim-1", action: "order.submit", payload: ORDER });
  });

  test("settles as timeout when its connection ends, once, before the listener hears of it", async () => {
    const outcomesWhenEnded: number[] = [];
    await using parts = await begun({ ended: () => void outcomesWhenEnded.push(one.outcomes.length) });
    const [one, other] = [parts.send("sim-1"), parts.send("sim-2")];
    parts.socket.cut();
    await until(() => outcomesWhenEnded.length > 0, "the end");
    expect([one.outcomes, other.outcomes]).toEqual([[lost("sim-1")], [lost("sim-2")]]);
    expect(outcomesWhenEnded).toEqual([1]);
    expect([parts.client.isUp, parts.client.pendingCount, parts.send("sim-3").isSent]).toEqual([false, 0, false]);
    // A late response on the next connection settles nothing.
    const next = await parts.engine.connection();
    await next.admit();
    await until(() => parts.client.isUp, "the next connection");
    next.send({ kind: "response", requestId: "sim-1", operationId: "sim-1", status: "ok" }, entity("south"));
    await until(() => parts.heard.at(-1) === "frame of 2", "the late answer");
    expect(one.outcomes).toEqual([lost("sim-1")]);
  });

  test("that is made while others settle with their connection is not sent", async () => {
    await using parts = await begun();
    const late: boolean[] = [];
    const settle = () => void late.push(parts.send("sim-2").isSent);
    parts.client.send("order.submit", ORDER, { operationId: "sim-1" }, settle);
    parts.socket.cut();
    await until(() => late.length > 0, "the loss");
    expect([late, parts.client.pendingCount]).toEqual([[false], 0]);
  });

  test("ends its connection if the oldest request has waited 30,000 ms, not before", async () => {
    await using parts = await begun();
    // Whole milliseconds: a sum of fractions may fall short of the limit.
    let now = Math.ceil(performance.now());
    const clock = spyOn(performance, "now").mockImplementation(() => now);
    try {
      now += RESPONSE_LIMIT_MS;
      parts.client.endIfUnanswered(RESPONSE_LIMIT_MS);
      expect(parts.client.isUp).toBe(true);
      const first = parts.send("sim-1");
      now += RESPONSE_LIMIT_MS - 1;
      parts.send("sim-2");
      parts.client.endIfUnanswered(RESPONSE_LIMIT_MS);
      expect([parts.client.isUp, first.outcomes]).toEqual([true, []]);
      now += 1;
      parts.client.endIfUnanswered(RESPONSE_LIMIT_MS);
      expect([parts.client.isUp, first.outcomes]).toEqual([false, [lost("sim-1")]]);
    } finally {
      clock.mockRestore();
    }
    expect(parts.heard.at(-1)).toContain("not answered for 30000 ms");
  });
});

describe("a lost connection", () => {
  test("reconnects, needs another welcome before it is synchronized, and is so once", async () => {
    await using parts = await begun();
    parts.socket.cut();
    const next = await parts.engine.connection();
    const hello = await next.next("hello");
    expect(parts.heard.at(-1)).toStartWith("ended: ");
    next.send(snapshotEnd, entity("early"));
    await until(() => parts.heard.at(-1) === "/ENTITY/early", "the early state");
    expect(parts.client.isUp).toBe(false);
    next.send(welcome(hello), snapshotEnd, snapshotEnd, entity("late"));
    await until(() => parts.heard.at(-1) === "/ENTITY/late", "the late state");
    expect(parts.heard.slice(-4)).toEqual(["/ENTITY/early", "welcomed", "synchronized", "/ENTITY/late"]);
  });

  test("waits longer each time, and starts over after a pong", async () => {
    const reset = spyOn(Backoff.prototype, "reset");
    await using parts = await begun();
    parts.socket.send(entity("south"));
    await until(() => parts.heard.at(-1) === "frame of 1", "the frame");
    expect(reset).toHaveBeenCalledTimes(0);
    parts.socket.send({ kind: "pong", time: ENGINE_TIME });
    await until(() => reset.mock.calls.length > 0, "the pong");
    expect(reset).toHaveBeenCalledTimes(1);
  });

  test("is not restored after the first final refusal", async () => {
    await using parts = opened();
    const retry = spyOn(Backoff.prototype, "nextMs");
    (await parts.engine.connection()).send({ kind: "refused", code: "unauthorized", message: "no" });
    await until(() => parts.heard.length > 0, "the refusal");
    expect(parts.heard).toEqual(["ended for good: unauthorized: no"]);
    expect(retry).not.toHaveBeenCalled();
  });

  test("ends for a message that can't be read after the snapshot; in the snapshot such a message is ignored", async () => {
    await using parts = opened();
    const socket = await parts.engine.connection();
    socket.send(welcome(await socket.next("hello")));
    socket.sendText("{ no JSON");
    socket.send(snapshotEnd);
    await until(() => parts.client.isUp, "the snapshot");
    expect(parts.heard).toEqual(["welcomed", "synchronized"]);
    socket.sendText("{ no JSON");
    await (await parts.engine.connection()).admit();
    await until(() => parts.heard.length > 2, "the end");
    expect(parts.heard[2]).toStartWith("ended: the engine sent a message that can't be read");
  });
});

test("closing a connection settles pending requests as timeout, tells the listener nothing, and resolves when the socket is closed", async () => {
  await using parts = await begun();
  const { outcomes } = parts.send("sim-1");
  const isClosed = parts.socket.closed.promise;
  const closing = parts.client.close();
  expect([outcomes, parts.client.isUp]).toEqual([[lost("sim-1")], false]);
  await closing;
  expect(await isClosed).toBe(1000);
  expect(parts.heard.at(-1)).toBe("synchronized");
  expect(parts.send("sim-2").isSent).toBe(false);
});
