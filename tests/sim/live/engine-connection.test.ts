// The simulator's connection against an engine that does what a test tells it.

import { afterEach, describe, expect, mock, spyOn, test } from "bun:test";
import { FrameReader } from "../../../protocol/client/frame-reader.ts";
import { Backoff } from "../../../protocol/client/backoff.ts";
import { logger } from "../../../common/logger.ts";
import {
  type ConnectionListener,
  EngineConnection,
  ORDER_VALIDITY_MS,
  type RequestOutcome,
} from "../../../sim/live/engine-connection.ts";
import { ENGINE_TIME, entity, ScriptedEngine, snapshotEnd, welcome } from "../../core/support/scripted-engine.ts";
import { until } from "../../support/until.ts";

const ORDER = { contractId: "C", side: 0 as const, price: 1, quantity: 1, clientOrderId: "sim-1" };
const LONGEST_ANSWER_MS = 30_000;

afterEach(() => mock.restore());

/** What the listener hears, in order, and the outcomes of requests. */
function opened(engine: ScriptedEngine, listener: Partial<ConnectionListener> = {}) {
  const heard: string[] = [];
  const log = logger("test");
  const connection = new EngineConnection({
    url: engine.url,
    userId: "u-1",
    token: "secret",
    cancelOnDisconnect: true,
    reader: new FrameReader(log),
    now: () => Date.parse(ENGINE_TIME),
    log,
    listener: {
      welcomed: () => void heard.push("welcomed"),
      state: ({ statePath }) => void heard.push(statePath),
      began: () => void heard.push("began"),
      frame: (messages) => void heard.push(`frame of ${messages.length}`),
      ended: (reason, isFinal) => void heard.push(`ended${isFinal ? " for good" : ""}: ${reason}`),
      ...listener,
    },
  });
  connection.open();
  const send = (operationId: string) => {
    const outcomes: RequestOutcome[] = [];
    const isSent = connection.send("order.submit", ORDER, operationId, (outcome) => void outcomes.push(outcome));
    return { isSent, outcomes };
  };
  return { connection, heard, send, [Symbol.asyncDispose]: () => connection.close() };
}

async function begun(engine: ScriptedEngine, listener: Partial<ConnectionListener> = {}) {
  const parts = opened(engine, listener);
  const socket = await engine.connection();
  const hello = await socket.admit([entity("north")]);
  await until(() => parts.connection.isUp, "the snapshot");
  return { ...parts, socket, hello };
}

describe("a connection of the simulator", () => {
  test("greets as its user, and is up once its snapshot is whole", async () => {
    await using engine = new ScriptedEngine();
    await using parts = opened(engine);
    const { connection, heard, send } = parts;
    const socket = await engine.connection();
    const hello = await socket.next("hello");
    expect(hello).toEqual({ kind: "hello", protocol: 1, userId: "u-1", token: "secret", cancelOnDisconnect: true });
    expect([connection.isUp, send("sim-1").isSent]).toEqual([false, false]);
    socket.send(welcome(hello), entity("north"));
    await until(() => heard.length === 2, "the first state");
    expect([connection.isUp, send("sim-1").isSent]).toEqual([false, false]);
    socket.send(entity("south"), snapshotEnd);
    await until(() => connection.isUp, "the end of the snapshot");
    expect(heard).toEqual(["welcomed", "/ENTITY/north", "/ENTITY/south", "began"]);
    expect(socket.unread("request")).toBe(0);
  });

  test("begins once, and not before it is welcome", async () => {
    await using engine = new ScriptedEngine();
    await using parts = opened(engine);
    const socket = await engine.connection();
    const hello = await socket.next("hello");
    socket.send(snapshotEnd, welcome(hello), snapshotEnd, snapshotEnd, entity("north"));
    await until(() => parts.heard.length > 2, "the state");
    expect(parts.heard).toEqual(["welcomed", "began", "/ENTITY/north"]);
  });

  test("tells of a frame after its states, and of none that the snapshot ends in", async () => {
    await using engine = new ScriptedEngine();
    await using parts = await begun(engine);
    parts.socket.send(entity("south"), entity("west"));
    await until(() => parts.heard.length === 6, "the frame");
    expect(parts.heard).toEqual(["welcomed", "/ENTITY/north", "began", "/ENTITY/south", "/ENTITY/west", "frame of 2"]);
  });

  test("leaves out the rest of a frame in which it was closed", async () => {
    await using engine = new ScriptedEngine();
    const paths: string[] = [];
    let close = () => {};
    const { connection, socket, heard } = await begun(engine, {
      state: ({ statePath }) => {
        paths.push(statePath);
        if (statePath === "/ENTITY/south") close();
      },
    });
    close = () => void connection.close();
    socket.send(entity("south"), entity("west"));
    await socket.closed.promise;
    expect([paths, heard]).toEqual([["/ENTITY/north", "/ENTITY/south"], ["welcomed", "began"]]);
  });
});

describe("a request", () => {
  test("is settled once, by the answer that names it", async () => {
    await using engine = new ScriptedEngine();
    await using parts = await begun(engine);
    const [one, other] = [parts.send("sim-1"), parts.send("sim-2")];
    expect([one.isSent, other.isSent, parts.connection.outstanding]).toEqual([true, true, 2]);
    const answer = { kind: "response", requestId: "sim-2", operationId: "sim-2", status: "ok", result: { price: 5 } };
    parts.socket.send(answer, answer, { ...answer, operationId: "sim-3" });
    await until(() => other.outcomes.length > 0, "the answer");
    expect(other.outcomes).toEqual([{ kind: "ok", result: { price: 5 } }]);
    expect([one.outcomes, parts.connection.outstanding]).toEqual([[], 1]);
  });

  test.each([
    [{ status: "ok" }, { kind: "ok", result: {} }],
    [{ status: "rejected", code: "no_credit", message: "too little" }, {
      kind: "refused",
      code: "no_credit",
      message: "too little",
    }],
    [{ status: "rejected" }, { kind: "refused", code: "rejected", message: "no reason was given" }],
  ])("answered with %j comes to %j", async (response, outcome) => {
    await using engine = new ScriptedEngine();
    await using parts = await begun(engine);
    const { outcomes } = parts.send("sim-1");
    parts.socket.send({ kind: "response", requestId: "sim-1", operationId: "sim-1", ...response });
    await until(() => outcomes.length > 0, "the answer");
    expect(outcomes).toEqual([outcome as RequestOutcome]);
  });

  test("is valid for three seconds of engine time as an order, for thirty as anything else", async () => {
    await using engine = new ScriptedEngine();
    await using parts = await begun(engine);
    parts.send("sim-1");
    parts.connection.send("order.cancel", { orderId: "ORD-1" }, "sim-c1", () => {});
    const [order, cancel] = [await parts.socket.next("request"), await parts.socket.next("request")];
    const validFor = ({ validUntil }: { validUntil?: string }) =>
      Date.parse(validUntil ?? "") - Date.parse(ENGINE_TIME);
    expect([validFor(order), validFor(cancel)]).toEqual([ORDER_VALIDITY_MS, LONGEST_ANSWER_MS]);
    expect(order).toMatchObject({ requestId: "sim-1", operationId: "sim-1", action: "order.submit", payload: ORDER });
  });

  test("is lost with its connection, once, before the listener hears of it", async () => {
    await using engine = new ScriptedEngine();
    const outcomesWhenEnded: number[] = [];
    const parts = await begun(engine, { ended: () => void outcomesWhenEnded.push(one.outcomes.length) });
    await using _parts = parts;
    const [one, other] = [parts.send("sim-1"), parts.send("sim-2")];
    parts.socket.cut();
    await until(() => outcomesWhenEnded.length > 0, "the end");
    expect([one.outcomes, other.outcomes]).toEqual([[{ kind: "lost" }], [{ kind: "lost" }]]);
    expect(outcomesWhenEnded).toEqual([1]);
    expect([parts.connection.isUp, parts.connection.outstanding, parts.send("sim-3").isSent]).toEqual([
      false,
      0,
      false,
    ]);
    // The next connection knows nothing of it: a late answer there settles nothing.
    const next = await engine.connection();
    await next.admit();
    await until(() => parts.connection.isUp, "the next connection");
    next.send({ kind: "response", requestId: "sim-1", operationId: "sim-1", status: "ok" }, entity("south"));
    await until(() => parts.heard.at(-1) === "frame of 2", "the late answer");
    expect(one.outcomes).toEqual([{ kind: "lost" }]);
  });

  test("that is sent while answers to the others are lost belongs to no connection", async () => {
    await using engine = new ScriptedEngine();
    await using parts = await begun(engine);
    const late: boolean[] = [];
    parts.connection.send("order.submit", ORDER, "sim-1", () => void late.push(parts.send("sim-2").isSent));
    parts.socket.cut();
    await until(() => late.length > 0, "the loss");
    expect([late, parts.connection.outstanding]).toEqual([[false], 0]);
  });

  test("ends its connection if the oldest waits for 30,000 ms, and not before", async () => {
    await using engine = new ScriptedEngine();
    await using parts = await begun(engine);
    // Whole milliseconds: a sum of fractions may fall short of the limit.
    let now = Math.ceil(performance.now());
    const clock = spyOn(performance, "now").mockImplementation(() => now);
    try {
      now += LONGEST_ANSWER_MS;
      parts.connection.endIfUnanswered();
      expect(parts.connection.isUp).toBe(true);
      const first = parts.send("sim-1");
      now += LONGEST_ANSWER_MS - 1;
      parts.send("sim-2");
      parts.connection.endIfUnanswered();
      expect([parts.connection.isUp, first.outcomes]).toEqual([true, []]);
      now += 1;
      parts.connection.endIfUnanswered();
      expect([parts.connection.isUp, first.outcomes]).toEqual([false, [{ kind: "lost" }]]);
    } finally {
      clock.mockRestore();
    }
    expect(parts.heard.at(-1)).toContain("not answered for 30000 ms");
  });
});

describe("a lost connection", () => {
  test("comes back, and must be welcome again before it begins", async () => {
    await using engine = new ScriptedEngine();
    await using parts = await begun(engine);
    parts.socket.cut();
    const next = await engine.connection();
    const hello = await next.next("hello");
    expect(parts.heard.at(-1)).toStartWith("ended: ");
    next.send(snapshotEnd, entity("early"));
    await until(() => parts.heard.at(-1) === "/ENTITY/early", "the early state");
    expect(parts.connection.isUp).toBe(false);
    next.send(welcome(hello), snapshotEnd);
    await until(() => parts.connection.isUp, "the next connection");
    expect(parts.heard.slice(-2)).toEqual(["welcomed", "began"]);
  });

  test("waits longer each time, and anew after the engine answered a ping", async () => {
    await using engine = new ScriptedEngine();
    const reset = spyOn(Backoff.prototype, "reset");
    await using parts = await begun(engine);
    parts.socket.send(entity("south"));
    await until(() => parts.heard.at(-1) === "frame of 1", "the frame");
    expect(reset).toHaveBeenCalledTimes(0);
    parts.socket.send({ kind: "pong", time: ENGINE_TIME });
    await until(() => reset.mock.calls.length > 0, "the pong");
    expect(reset).toHaveBeenCalledTimes(1);
  });

  test.each(["unauthorized", "user_not_covered", "unknown_user", "unsupported_protocol"])(
    "that the engine refused with %s does not come back",
    async (code) => {
      await using engine = new ScriptedEngine();
      await using parts = opened(engine);
      const retry = spyOn(Backoff.prototype, "nextMs");
      (await engine.connection()).send({ kind: "refused", code, message: "no" });
      await until(() => parts.heard.length > 0, "the refusal");
      expect(parts.heard).toEqual([`ended for good: ${code}: no`]);
      expect(retry).not.toHaveBeenCalled();
    },
  );

  test("that the engine refused for now comes back", async () => {
    await using engine = new ScriptedEngine();
    await using parts = opened(engine);
    (await engine.connection()).send({ kind: "refused", code: "shutting_down", message: "later" });
    await (await engine.connection()).admit();
    await until(() => parts.connection.isUp, "the next connection");
    expect(parts.heard).toEqual(["ended: shutting_down: later", "welcomed", "began"]);
  });

  test("was lost for what can't be read, if its snapshot was whole: in the snapshot it would come again", async () => {
    await using engine = new ScriptedEngine();
    await using parts = opened(engine);
    const socket = await engine.connection();
    socket.send(welcome(await socket.next("hello")));
    socket.sendText("{ no JSON");
    socket.send(snapshotEnd);
    await until(() => parts.connection.isUp, "the snapshot");
    expect(parts.heard).toEqual(["welcomed", "began"]);
    socket.sendText("{ no JSON");
    await (await engine.connection()).admit();
    await until(() => parts.heard.length > 2, "the end");
    expect(parts.heard[2]).toBe("ended: the engine sent what can't be read");
  });
});

describe("closing a connection", () => {
  test("settles what waits as lost, tells the listener nothing, and ends when the socket has", async () => {
    await using engine = new ScriptedEngine();
    const parts = await begun(engine);
    const { outcomes } = parts.send("sim-1");
    const isClosed = parts.socket.closed.promise;
    const closing = parts.connection.close();
    expect([outcomes, parts.connection.isUp]).toEqual([[{ kind: "lost" }], false]);
    await closing;
    expect(await isClosed).toBe(1000);
    expect(parts.heard.at(-1)).toBe("began");
    expect(parts.send("sim-2").isSent).toBe(false);
  });

  test("before the snapshot is whole ends the socket too", async () => {
    await using engine = new ScriptedEngine();
    const parts = opened(engine);
    const socket = await engine.connection();
    socket.send(welcome(await socket.next("hello")));
    await until(() => parts.heard.length > 0, "the welcome");
    await parts.connection.close();
    await socket.closed.promise;
    expect(parts.heard).toEqual(["welcomed"]);
  });

  test("while it waits to come back opens no further connection", async () => {
    await using engine = new ScriptedEngine();
    const parts = await begun(engine);
    const clear = spyOn(globalThis, "clearTimeout");
    const set = spyOn(globalThis, "setTimeout");
    spyOn(Backoff.prototype, "nextMs").mockImplementation(() => 199);
    parts.socket.cut();
    await until(() => parts.heard.at(-1)?.startsWith("ended") === true, "the end");
    const retry: unknown = set.mock.results.find((_, call) => set.mock.calls[call]?.[1] === 199)?.value;
    await parts.connection.close();
    expect(retry).toBeDefined();
    expect(clear.mock.calls.map(([timer]) => timer as unknown)).toContain(retry);
    expect(engine.connectionCount).toBe(1);
  });
});
