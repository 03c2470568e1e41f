// How long a run waits for its speed of market time, and for an engine that is asked to cancel what is left of its orders.

import { expect, jest, test } from "bun:test";
import * as snapshots from "../../../sim/live/market-snapshot.ts";
import { cancelRemainingOrders } from "../../../sim/live/remaining-orders.ts";
import { RunSpeed } from "../../../sim/live/run-speed.ts";
import * as users from "../../../sim/live/user-client.ts";
import { replaced } from "../../support/replaced.ts";
import { isSettled, onStillClock } from "../../support/still-clock.ts";

type Listener = Parameters<typeof users.userClient>[1]["listener"];

/** Clients of an engine that says what the test says; those that are open, and the ids of what they have asked. */
function engine() {
  const clients: { userId: string; listener: Listener; isClosed: boolean; asked: string[] }[] = [];
  const answers: ((outcome: object) => void)[] = [];
  const accesses = replaced(users, "userClient", (_access, { userId, listener }) => {
    const client = { userId, listener, isClosed: false, asked: [] as string[] };
    clients.push(client);
    const own: typeof answers = [];
    return {
      open: () => {},
      request: (action: string, input: unknown, { operationId }: { operationId: string }) => {
        client.asked.push(`${action} ${JSON.stringify(input)} ${operationId}`);
        const { promise, resolve } = Promise.withResolvers<object>();
        answers.push(resolve);
        own.push(resolve);
        return promise;
      },
      close: () => {
        client.isClosed = true;
        for (const resolve of own) resolve({ kind: "timeout" });
        return Promise.resolve();
      },
    };
  });
  return { clients, answers, accesses };
}

const synchronize = ({ listener }: { listener: Listener }) => listener.synchronized(null as never);

function speedOf(plan: object = {}) {
  const warnings: unknown[] = [];
  const log = { warn: (_text: string, { reason }: { reason: unknown }) => warnings.push(reason) };
  const clock = { speed: 3 };
  const whole = { speed: 60, clock, clockUserId: "op", idPrefix: "run-", ...plan };
  return { speed: new RunSpeed(whole as never, { log } as never), warnings, clock };
}

test.each([false, true])(
  "a start waits 3 s in all for its speed, then closes that connection (connected: %p)",
  async (is) => {
    const { clients } = engine();
    await onStillClock(async () => {
      const { speed } = speedOf();
      const begun = speed.begin();
      jest.advanceTimersByTime(1_000);
      if (is) synchronize(clients[0]!);
      expect(await isSettled(begun)).toBe(false);
      jest.advanceTimersByTime(1_999);
      expect([await isSettled(begun), clients[0]!.isClosed]).toEqual([false, false]);
      jest.advanceTimersByTime(1);
      await expect(begun).rejects.toThrow(
        "the speed of market time can't be set to 60: the engine did not answer in time",
      );
      expect([clients.length, clients[0]!.isClosed, clients[0]!.asked.length]).toEqual([1, true, is ? 1 : 0]);
    });
  },
);

test("a speed is not set if the engine refuses its user, or nobody may set it, and a lost connection is tried again", async () => {
  const { clients, answers } = engine();
  await onStillClock(async () => {
    const begun = speedOf().speed.begin();
    clients[0]!.listener.ended({ kind: "lost", reason: "cut off" }, true);
    expect(await isSettled(begun)).toBe(false);
    clients[0]!.listener.ended({ kind: "lost", reason: "cut off" }, false);
    await expect(begun).rejects.toThrow(
      /^the speed of market time can't be set to 60: the engine refused user op: .*cut off/,
    );
    await expect(speedOf({ clockUserId: null }).speed.begin()).rejects.toThrow("nobody may set the clock");
    expect(clients.map(({ userId, isClosed }) => [userId, isClosed])).toEqual([["op", true]]);
    expect(answers).toEqual([]);
  });
});

test("an end waits for the speed that is being set, and sets it back also if that was not confirmed", async () => {
  for (const isConfirmed of [true, false]) {
    const { clients, answers } = engine();
    await onStillClock(async () => {
      const { speed, clock } = speedOf();
      const begun = speed.begin();
      begun.catch(() => {});
      const ended = speed.end();
      synchronize(clients[0]!);
      expect([await isSettled(ended), clients.length]).toEqual([false, 1]);
      clock.speed = isConfirmed ? 60 : 99;
      answers[0]!(isConfirmed ? { kind: "ok" } : { kind: "timeout" });
      await isSettled(ended);
      synchronize(clients[1]!);
      await isSettled(ended);
      expect(clients.map(({ asked }) => asked)).toEqual([
        ['clock.set {"speed":60} run-clock-begin'],
        ['clock.set {"speed":3} run-clock-end'],
      ]);
      answers[1]!({ kind: "ok" });
      await ended;
      await speed.end();
      expect(clients.map(({ isClosed }) => isClosed)).toEqual([true, true]);
    });
  }
});

const order = (id: string, userId: string) => (
  { type: "ORDER", id, data: { id, userId, closeReason: null, clientOrderId: `sim-a.${id}` } }
);

/** A search for orders with 1 s of patience; `found`: what each search finds. */
function search(found: object[][]) {
  const now = { time: 50_000 };
  const clock = jest.spyOn(performance, "now").mockImplementation(() => now.time);
  const reads = replaced(snapshots, "readSnapshot", () => Promise.resolve(found.shift() ?? []));
  const options = { reader: {}, watcher: "op", idPrefix: "sim-a." };
  const count = cancelRemainingOrders(options as never, 1_000);
  const pass = (ms: number) => {
    now.time += ms;
    jest.advanceTimersByTime(ms);
  };
  return { count, reads, pass, restore: () => clock.mockRestore() };
}

test("a cancel that the engine does not answer ends with the limit of the whole search, which the next one sees", async () => {
  const { clients, answers } = engine();
  await onStillClock(async () => {
    const { count, reads, pass, restore } = search([[order("1", "anna"), order("2", "ben"), order("3", "anna")], []]);
    await isSettled(count);
    expect([reads.map(([, watcher, patience]) => [watcher, patience]), clients.length]).toEqual([[["op", 1_000]], 1]);
    pass(600);
    synchronize(clients[0]!);
    await isSettled(count);
    expect(clients[0]!.asked).toEqual([
      'order.cancel {"orderId":"1"} sim-a.left-1',
      'order.cancel {"orderId":"3"} sim-a.left-3',
    ]);
    answers[0]!({ kind: "ok" });
    pass(399);
    expect([await isSettled(count), clients.length, clients[0]!.isClosed]).toEqual([false, 1, false]);
    pass(1);
    await isSettled(count);
    // The time is over for the next user too.
    expect([clients[0]!.isClosed, clients[1]!.userId]).toEqual([true, "ben"]);
    pass(0);
    expect(await isSettled(count)).toBe(true);
    expect([await count, reads.map(([, , patience]) => patience)]).toEqual([1, [1_000, 0]]);
    expect(clients[1]!.isClosed).toBe(true);
    restore();
  });
});

test("a user whose connection ends while its orders are cancelled holds nobody up", async () => {
  const { clients, answers } = engine();
  await onStillClock(async () => {
    const { count, pass, restore } = search([[order("1", "anna")], [order("1", "anna")], []]);
    await isSettled(count);
    clients[0]!.listener.ended({ kind: "lost", reason: "cut off" }, true);
    await isSettled(count);
    expect([clients.length, clients[0]!.isClosed]).toEqual([2, true]);
    synchronize(clients[1]!);
    await isSettled(count);
    answers[1]!({ kind: "ok" });
    expect([await isSettled(count), await count]).toEqual([true, 1]);
    pass(0);
    restore();
  });
});
