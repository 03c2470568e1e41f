// How the stream of the market is opened: its address, its tries, the browser's cache of pages, and a browser without workers
// to share. Time passes as the tests say.

import { afterAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { atEnd } from "../../../support/at-end.ts";
import { openDashboard } from "../../support/dashboard.ts";
import { settle } from "../../support/browser.ts";
import { WorkerHere } from "../../support/shared-worker.ts";
import { BOOK, hour } from "../../support/market.ts";
import { update } from "../../updates.ts";

const { applyUpdates, later, listeners, market } = await openDashboard();
const { contact, dataAge, follow, isPolling, startStream, stopStream, watchSurroundings } = await import(
  "../../../../web/dashboard/live/stream.ts"
);

class Source {
  isClosed = false;
  declare onmessage: (message: { data: string }) => void;
  declare onerror: () => void;
  constructor(readonly address: string) {
    opened.push(this);
  }
  close() {
    this.isClosed = true;
  }
}
let opened: Source[] = [];
let changes = 0;
globalThis.EventSource = Source as unknown as typeof EventSource;
afterAll(() => void Reflect.deleteProperty(globalThis, "EventSource"));
watchSurroundings();

beforeEach(() => {
  stopStream();
  follow([]);
  opened = [];
  changes = 0;
});

const start = () => {
  contact.value = { state: "off" };
  startStream("key", () => void changes++);
};
const say = (given: Parameters<typeof update>[0] = {}, source = opened.at(-1)!) =>
  source.onmessage({ data: JSON.stringify(update(given)) });
const asks = () => {
  const { pathname, searchParams } = new URL(opened.at(-1)!.address, "http://host");
  return [pathname, searchParams.get("since"), searchParams.getAll("contract").join()];
};
const live = () => opened.filter(({ isClosed }) => !isClosed).length;

describe("the address of the stream", () => {
  test("has the position of the last update, and each contract once, in any order, eight at most", () => {
    start();
    expect(asks()).toEqual(["/dashboard/stream", null, ""]);
    say({ epoch: 9, sequence: 4, position: "9.4" });
    follow(["B", "A", "B"]);
    expect(asks()).toEqual(["/dashboard/stream", "9.4", "A,B"]);
    say({ epoch: 9, sequence: 7, position: "9.7" });
    follow(["C", "D", "E", "F", "G", "H", "I", "J", "A", "B"]);
    expect(asks()).toEqual(["/dashboard/stream", "9.7", "C,D,E,F,G,H,I,J"]);
    follow([]);
    expect([opened.length, live()]).toEqual([3, 1]);
  });

  test("is another one only if a contract is new, and only the books of those that are followed are kept", () => {
    start();
    follow(["A", "B"]);
    applyUpdates([update({ books: ["A", "B"].map((contractId) => ({ ...BOOK, contractId })) })]);
    follow(["B", "A"]);
    expect([opened.length, market.books.value.size]).toEqual([2, 2]);
    follow(["B"]);
    expect([opened.length, [...market.books.value.keys()]]).toEqual([2, ["B"]]);
    follow(["B", "C"]);
    expect([opened.length, asks()[2]]).toEqual([3, "B,C"]);
  });

  test("is asked for when the stream begins, and not before", () => {
    follow(["A"]);
    expect(opened).toEqual([]);
    start();
    expect([asks()[2], opened.length]).toEqual(["A", 1]);
  });
});

test("what a stream that was given up still says is dropped, and its failure is none", () => {
  start();
  follow(["A"]);
  const [old] = opened;
  say({ contracts: [hour(5)] }, old);
  old!.onerror();
  expect([contact.value.state, changes, live(), market.contracts.value.has("N-11")]).toEqual([
    "connecting",
    0,
    1,
    false,
  ]);
});

test("each try waits twice as long as the one before, up to 15 s, and half a second again after a message", async () => {
  const random = spyOn(Math, "random").mockReturnValue(0);
  atEnd(() => random.mockRestore());
  start();
  const waits: number[] = [];
  const fail = async () => {
    opened.at(-1)!.onerror();
    const before = opened.length;
    for (const ms of [250, 500, 1_000, 2_000, 4_000, 8_000, 14_999, 15_000]) {
      await later(ms);
      if (opened.length > before) return void waits.push(ms);
    }
  };
  for (let attempt = 1; attempt <= 7; attempt++) await fail();
  await settle(() => say());
  await fail();
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 500]);
  expect(changes).toBe(9);
});

test("a try that waits ends with the stream", async () => {
  start();
  opened[0]!.onerror();
  stopStream();
  await later(15_000);
  expect([opened.length, contact.value.state]).toEqual([1, "off"]);
});

test("a page in the browser's cache has no stream, and opens one if it comes back from there", () => {
  const shown = (persisted: boolean) => listeners.dispatch({ type: "pageshow", persisted } as never);
  const hidden = () => listeners.dispatch({ type: "pagehide" });
  start();
  shown(false);
  expect([opened.length, live()]).toEqual([1, 1]);
  hidden();
  expect(live()).toBe(0);
  shown(true);
  expect([opened.length, live()]).toEqual([2, 1]);
  stopStream();
  hidden();
  shown(true);
  expect([opened.length, live()]).toEqual([2, 0]);
});

const { SharedWorker: real } = globalThis;
/** The browser has this in place of workers to share, until the test ends. */
function without(found: unknown): void {
  Object.assign(globalThis, { SharedWorker: found });
  atEnd(() => void Object.assign(globalThis, { SharedWorker: real }));
}

describe("a browser without workers to share", () => {
  class Forbidden {
    constructor() {
      throw new DOMException("no storage", "SecurityError");
    }
  }

  test.each([["has none", undefined], ["does not allow them", Forbidden]])(
    "that %s reads up to the present, closes the stream, and goes on after 5 s",
    async (_name, found) => {
      without(found);
      start();
      expect([isPolling.value, live()]).toEqual([true, 1]);
      const many = Array.from({ length: 500 }, (_, at) => (
        { sequence: at + 1, category: "order" as const, type: "new.order", time: "", data: {} }
      ));
      // There is more after an update that is full.
      await settle(() => say({ events: many, sequence: 500 }));
      expect(live()).toBe(1);
      await settle(() => say({ sequence: 501, position: "7.501" }));
      expect([live(), opened.length, contact.value.state]).toEqual([0, 1, "live"]);
      await later(4_999);
      expect(opened.length).toBe(1);
      await later(5_000);
      expect([opened.length, asks()[1]]).toEqual([2, "7.501"]);
      opened.at(-1)!.onerror();
      expect([contact.value.state, changes]).toEqual(["reconnecting", 1]);
    },
  );

  test("follows the books that it shows at once", () => {
    without(undefined);
    start();
    say();
    follow(["A"]);
    expect([asks()[2], live()]).toEqual(["A", 1]);
  });
});

test("a worker that can't be started is tried again, at once if the network is back; the third time the page does without", async () => {
  const random = spyOn(Math, "random").mockReturnValue(0);
  atEnd(() => random.mockRestore());
  const made: Broken[] = [];
  class Broken {
    onerror: (() => void) | null = null;
    port = { onmessage: null, postMessage: () => {}, close: () => {} };
    constructor() {
      made.push(this);
    }
  }
  without(Broken);
  start();
  made[0]!.onerror!();
  expect([contact.value.state, changes, made[0]!.onerror]).toEqual(["reconnecting", 1, null]);
  listeners.dispatch({ type: "online" });
  expect(made.length).toBe(2);
  made[1]!.onerror!();
  await later(999);
  expect(made.length).toBe(2);
  await later(1_000);
  made[2]!.onerror!();
  await later(2_000);
  expect([made.length, isPolling.value, live(), changes]).toEqual([3, true, 1, 3]);
  await settle(() => say());
  expect(contact.value.state).toBe("live");
});

test("a page says how old its data is, each second, and a worker that is silent for 12 s is asked for anew", async () => {
  const clock = { now: 5_000_000 };
  for (const  of of[performance, Date]) {
    const spied = spyOn(of, "now").mockImplementation(() => clock.now);
    atEnd(() => spied.mockRestore());
  }
  const seen: unknown[] = [];
  const after = async (ms: number) => {
    clock.now += ms;
    await later(1_000);
    seen.push([contact.value.state, dataAge.value, WorkerHere.asked.length - before]);
  };
  start();
  await settle(() => say());
  const before = WorkerHere.asked.length;
  await after(4_000);
  await after(1_000);
  // From now on the worker hangs.
  WorkerHere.last!.port.onmessage = null;
  await after(1_000);
  await after(11_001);
  expect(seen).toEqual([["live", 0, 0], ["stale", 5_000, 0], ["stale", 6_000, 0], ["stale", 17_001, 1]]);
});
