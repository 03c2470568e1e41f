// One persona at work against a scripted engine, on timers that a test fires.

import { describe, expect, test } from "bun:test";
import type { EngineMessage } from "../../../protocol/index.ts";
import type { Timers } from "../../../common/timers.ts";
import { BUY } from "../../../engine/market/order-book.ts";
import type { Persona, PersonaAction, PersonaView } from "../../../sim/personas/persona.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import { ORDER_VALIDITY_MS } from "../../../sim/live/user-client.ts";
import { LivePersona } from "../../../sim/live/live-persona.ts";
import { FollowedClock } from "../../../sim/live/followed-clock.ts";
import { entity, orderState, type ScriptedConnection, ScriptedEngine } from "../../support/scripted-engine.ts";
import { until } from "../../support/until.ts";
import { accessTo } from "./support.ts";

const ID_PREFIX = "sim-abc.1-zip-1-";
const OUTSTANDING = 8;
const LATENESS_MS = 500;
const CONTRACT = { id: "C" } as TradedContract;
const WAKE_UP_MS = 70_000;
const PATIENCE_MS = 5_000;
/** Market time stands still, so a wait is exactly as long as it was asked for. */
const NOW = Date.UTC(2026, 0, 5, 12);

interface Timer {
  readonly waitMs: number;
  readonly task: () => void;
}

let timers: Timer[] = [];

const TIMERS: Timers = {
  after(waitMs, task) {
    const timer = { waitMs, task };
    timers.push(timer);
    return () => void (timers = timers.filter((each) => each !== timer));
  },
};

/** Fires the only timer with this wait. */
function fire(waitMs: number): void {
  const [timer, ...others] = timers.filter((each) => each.waitMs === waitMs);
  if (timer === undefined || others.length > 0) throw new Error(`timers wait ${timers.map((each) => each.waitMs)} ms`);
  timers = timers.filter((each) => each !== timer);
  timer.task();
}

const waits = () => timers.map(({ waitMs }) => waitMs);

function submit(reference: number): PersonaAction {
  return { kind: "submit", reference, contract: CONTRACT, side: BUY, price: 5000, quantity: 1000 };
}

/** The engine's state of the order with a reference. */
function order(reference: number, fields: Parameters<typeof orderState>[1] = {}): EngineMessage {
  return orderState(`ORD-${reference}`, { clientOrderId: `${ID_PREFIX}${reference}`, ...fields });
}

const FILLED = { filledQuantity: 1, averagePrice: 4990, status: "filled", closeReason: "filled" } as const;

/** A persona that does what a test wants at its next wake-up, and records the calls that it receives. */
function atWork() {
  timers = [];
  const engine = new ScriptedEngine();
  const heard: string[] = [];
  const wanted: PersonaAction[] = [];
  const market = { isViewCurrent: true, isMarketOpen: true };
  const note = (...words: (string | number)[]) => void heard.push(words.join(" "));
  const persona = {
    userId: "u-1",
    workingOrders: 3,
    assignmentOf: () => null,
    nextDelayMs: () => WAKE_UP_MS,
    act: () => wanted.splice(0),
    onAccepted: (reference: number) => note("accepted", reference),
    onRefused: (reference: number, kind: string, code: string) => note("refused", reference, kind, code),
    onFill: (reference: number, price: number, quantity: number) => note("filled", reference, quantity, "at", price),
    onClosed: (reference: number) => note("closed", reference),
    onDisconnected: () => note("disconnected"),
  } as Partial<Persona> as Persona;
  const live = new LivePersona({
    persona,
    view: {} as PersonaView,
    isViewCurrent: () => market.isViewCurrent,
    isMarketOpen: () => market.isMarketOpen,
    clock: new FollowedClock({ time: () => NOW, setting: null }, TIMERS),
    idPrefix: ID_PREFIX,
    engine: accessTo(engine.url),
    onConnected: () => note("connected"),
    onFill: () => note("a fill with its assignment"),
    onRefused: (reason) => note("refused by the engine:", reason),
    timers: TIMERS,
  });
  const wakeUp = (...actions: PersonaAction[]) => {
    wanted.push(...actions);
    fire(WAKE_UP_MS);
    // Actions that it did not take at this wake-up are dropped.
    return wanted.splice(0).length === 0;
  };
  const leave = async () => {
    const left = live.leave(0);
    fire(0);
    await left;
    await engine.stop();
  };
  return { engine, live, heard, market, wakeUp, [Symbol.asyncDispose]: leave };
}

async function connected() {
  const parts = atWork();
  parts.live.connect();
  const socket = await parts.engine.connection();
  await socket.admit();
  await until(() => parts.live.isConnected, "the connection");
  return { ...parts, socket };
}

async function trading() {
  const parts = await connected();
  parts.live.beginTrading();
  return parts;
}

/** Responds to the next request; returns its id and content. */
async function answer(socket: ScriptedConnection, response: Record<string, unknown> = {}, ...before: EngineMessage[]) {
  const { operationId, action, payload } = await socket.respond(response, ...before);
  return { operationId, action, payload };
}

/** Waits until all frames so far were read. The entity state that it sends changes nothing for a persona. */
async function read(socket: ScriptedConnection, heard: readonly string[], count: number): Promise<void> {
  socket.send(entity("north"));
  await until(() => heard.length >= count, `${count} things to be heard`);
}

describe("a persona at work", () => {
  test("says hello as its user, and asks the engine to cancel its orders with the connection", async () => {
    await using parts = atWork();
    expect([parts.live.state, parts.live.workingOrders]).toEqual(["connecting", 0]);
    parts.live.connect();
    const hello = await (await parts.engine.connection()).admit();
    expect(hello).toMatchObject({ userId: "u-1", cancelOnDisconnect: true });
    await until(() => parts.live.isConnected, "the connection");
    expect([parts.live.state, parts.live.workingOrders, parts.heard]).toEqual(["trading", 3, ["connected"]]);
    parts.market.isMarketOpen = false;
    expect(parts.live.state).toBe("paused");
  });

  test("sends its actions when it is woken, and receives their outcomes", async () => {
    await using parts = await trading();
    expect(waits()).toEqual([WAKE_UP_MS]);
    expect(parts.wakeUp(submit(1), submit(2))).toBe(true);
    const [one, two] = [
      await answer(parts.socket, {}, order(1)),
      await answer(parts.socket, { status: "rejected", code: "no_credit" }),
    ];
    expect(one).toEqual({
      operationId: `${ID_PREFIX}1`,
      action: "order.submit",
      payload: { contractId: "C", side: BUY, price: 5000, quantity: 1, clientOrderId: `${ID_PREFIX}1` },
    });
    expect(two.operationId).toBe(`${ID_PREFIX}2`);
    await read(parts.socket, parts.heard, 3);
    expect(parts.heard).toEqual(["connected", "accepted 1", "refused 2 submit no_credit"]);

    const change = { kind: "modify", reference: 1, price: 6000, quantity: 2000 } as const;
    expect(parts.wakeUp(change, { kind: "cancel", reference: 1 })).toBe(true);
    const [modify, cancel] = [await answer(parts.socket), await answer(parts.socket, { status: "rejected" })];
    expect([modify.action, modify.payload]).toEqual(["order.modify", { orderId: "ORD-1", price: 6000, quantity: 2 }]);
    expect([cancel.action, cancel.payload]).toEqual(["order.cancel", { orderId: "ORD-1" }]);
    expect(new Set([modify.operationId, cancel.operationId, one.operationId]).size).toBe(3);
    await read(parts.socket, parts.heard, 5);
    expect(parts.heard.slice(3)).toEqual(["accepted 1", "refused 1 cancel rejected"]);
  });

  test("can't change an order that the engine has not reported", async () => {
    await using parts = await trading();
    parts.wakeUp({ kind: "cancel", reference: 9 }, { kind: "modify", reference: 9, price: 1, quantity: 1000 });
    expect(parts.heard).toEqual(["connected", "refused 9 cancel not_sent", "refused 9 modify not_sent"]);
  });

  test("learns of a fill from the frame that reports it", async () => {
    await using parts = await trading();
    parts.wakeUp(submit(1));
    await answer(parts.socket, {}, order(1, FILLED));
    await until(() => parts.heard.length > 2, "the fill");
    expect(parts.heard).toEqual(["connected", "accepted 1", "filled 1 1000 at 4990"]);
  });

  test("acts while seven of its requests are pending, not while eight are", async () => {
    await using parts = await trading();
    parts.wakeUp(...Array.from({ length: OUTSTANDING - 1 }, (_, at) => submit(at + 1)));
    expect(parts.wakeUp(submit(OUTSTANDING))).toBe(true);
    expect(parts.wakeUp(submit(OUTSTANDING + 1))).toBe(false);
    await answer(parts.socket);
    await until(() => parts.heard.includes("accepted 1"), "an answer");
    expect(parts.wakeUp(submit(OUTSTANDING + 1))).toBe(true);
  });

  test("does not act on an outdated view, and continues when it is current again", async () => {
    await using parts = await trading();
    parts.market.isViewCurrent = false;
    expect(parts.wakeUp(submit(1))).toBe(false);
    parts.market.isViewCurrent = true;
    expect(parts.wakeUp(submit(1))).toBe(true);
  });

  test("is not woken before trading begins, nor after it ends", async () => {
    await using parts = await connected();
    expect(waits()).toEqual([]);
    parts.live.beginTrading();
    const [{ task } = expect.unreachable()] = timers;
    parts.live.endTrading();
    expect(waits()).toEqual([]);
    // A timer that had fired already when trading ended.
    task();
    expect(waits()).toEqual([]);
  });

  test.each([false, true])("reports that the engine refuses its user for good (was connected: %p)", async (was) => {
    await using parts = was ? await connected() : { ...atWork(), socket: null };
    if (parts.socket === null) parts.live.connect();
    else parts.socket.cut();
    (await parts.engine.connection()).send({ kind: "refused", code: "unknown_user", message: "no user u-1" });
    await until(() => parts.heard.at(-1)?.includes("refused"), "the refusal");
    expect(parts.heard.slice(was ? 1 : 0)).toEqual(["refused by the engine: unknown_user: no user u-1"]);
  });
});

describe("a persona whose connection was lost", () => {
  /** Two orders: the engine has reported the first, and not the second. */
  async function lost() {
    const parts = await trading();
    parts.wakeUp(submit(1), submit(2));
    await answer(parts.socket, {}, order(1));
    await until(() => parts.heard.includes("accepted 1"), "the answer");
    parts.socket.cut();
    await until(() => !parts.live.isConnected, "the loss");
    return parts;
  }

  test("has no working orders, does not act, and receives no outcome of pending requests", async () => {
    await using parts = await lost();
    expect([parts.live.state, parts.live.workingOrders]).toEqual(["disconnected", 0]);
    expect(parts.wakeUp(submit(3))).toBe(false);
    expect(parts.heard).toEqual(["connected", "accepted 1"]);
  });

  test("cancels open orders after the reconnect, and waits until orders that were sent can't arrive any more", async () => {
    await using parts = await lost();
    const next = await parts.engine.connection();
    await next.admit([order(1)]);
    const { action, payload } = await answer(next);
    expect([action, payload]).toEqual(["order.cancel", { orderId: "ORD-1" }]);
    expect(waits()).toEqual([WAKE_UP_MS, ORDER_VALIDITY_MS + LATENESS_MS]);
    expect(parts.wakeUp(submit(3))).toBe(false);
    expect(parts.heard).not.toContain("disconnected");
    fire(ORDER_VALIDITY_MS + LATENESS_MS);
    expect(parts.heard.at(-1)).toBe("disconnected");
    expect(parts.wakeUp(submit(3))).toBe(true);
    // The reconnect does not report a first connection again.
    expect(parts.heard.filter((each) => each === "connected")).toHaveLength(1);
  });

  test("trades at once if the snapshot has every order, and first learns of missed fills", async () => {
    await using parts = await lost();
    await (await parts.engine.connection()).admit([
      order(1, FILLED),
      order(2, { status: "cancelled", closeReason: "disconnected" }),
    ]);
    await until(() => parts.heard.includes("disconnected"), "the snapshot");
    expect(parts.heard.slice(2)).toEqual(["filled 1 1000 at 4990", "closed 2", "disconnected"]);
    expect(waits()).toEqual([WAKE_UP_MS]);
    expect(parts.wakeUp(submit(3))).toBe(true);
  });

  test("restarts that wait if the connection is lost again", async () => {
    await using parts = await lost();
    const next = await parts.engine.connection();
    await next.admit();
    await until(() => parts.live.isConnected, "the second connection");
    expect(waits()).toEqual([WAKE_UP_MS, ORDER_VALIDITY_MS + LATENESS_MS]);
    next.cut();
    await until(() => !parts.live.isConnected, "the second loss");
    expect(waits()).toEqual([WAKE_UP_MS]);
    await (await parts.engine.connection()).admit();
    await until(() => parts.live.isConnected, "the third connection");
    expect(waits()).toEqual([WAKE_UP_MS, ORDER_VALIDITY_MS + LATENESS_MS]);
  });
});

describe("a persona that leaves", () => {
  async function withOrders(count: number) {
    const parts = await trading();
    const references = Array.from({ length: count }, (_, at) => at + 1);
    parts.wakeUp(...references.map(submit));
    for (const reference of references) await answer(parts.socket, {}, order(reference));
    await until(() => parts.heard.includes(`accepted ${count}`), "the answers");
    return parts;
  }

  test("cancels its orders one by one, counts those that were cancelled, and disconnects", async () => {
    await using parts = await withOrders(3);
    const left = parts.live.leave(PATIENCE_MS);
    expect(waits()).toEqual([PATIENCE_MS]);
    for (const [at, status] of ["ok", "rejected", "ok"].entries()) {
      expect((await answer(parts.socket, { status })).payload).toEqual({ orderId: `ORD-${at + 1}` });
    }
    expect(await left).toBe(2);
    expect(await parts.socket.closed.promise).toBe(1000);
    expect([waits(), parts.heard.at(-1), parts.live.isConnected]).toEqual([[], "disconnected", false]);
  });

  test("waits for its cancels, but no longer than its limit", async () => {
    await using parts = await withOrders(2);
    const left = parts.live.leave(PATIENCE_MS);
    let hasLeft = false;
    void left.then(() => hasLeft = true);
    const cancelled = { status: "cancelled" as const, closeReason: "cancelled" as const, remainingQuantity: 0 };
    await answer(parts.socket, {}, order(1, cancelled));
    await until(() => parts.heard.includes("closed 1"), "the first cancel");
    expect(hasLeft).toBe(false);
    fire(PATIENCE_MS);
    expect(await left).toBe(1);
  });

  test("without a connection cancels nothing, and does not reconnect", async () => {
    await using parts = await withOrders(1);
    parts.socket.cut();
    await until(() => !parts.live.isConnected, "the loss");
    expect(await parts.live.leave(PATIENCE_MS)).toBe(0);
    expect([waits(), parts.engine.connectionCount]).toEqual([[], 1]);
  });

  test("ends the wait for orders that were sent", async () => {
    await using parts = await trading();
    parts.wakeUp(submit(1));
    await parts.socket.next("request");
    parts.socket.cut();
    await (await parts.engine.connection()).admit();
    await until(() => waits().includes(ORDER_VALIDITY_MS + LATENESS_MS), "the wait");
    expect(await parts.live.leave(PATIENCE_MS)).toBe(0);
    expect(waits()).toEqual([]);
  });
});
