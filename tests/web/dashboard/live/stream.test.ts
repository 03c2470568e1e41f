// How the stream of the market is opened: its address, its tries, and the browser's cache of pages. Time passes as the tests
// say.

import { afterAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { atEnd } from "../../../support/at-end.ts";
import { openDashboard } from "../../support/dashboard.ts";
import { settle } from "../../support/browser.ts";
import { BOOK, hour } from "../../support/market.ts";
import { update } from "../../updates.ts";

const { applyUpdates, later, listeners, market } = await openDashboard();
const { contact, follow, startStream, stopStream, watchSurroundings } = await import(
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
  startStream(() => void changes++);
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
    expect([asks()[2], opened.length, live()]).toEqual(["", 4, 1]);
  });

  test("is another one only if other contracts are followed, whose books alone are kept", () => {
    start();
    follow(["A", "B"]);
    applyUpdates([update({ books: ["A", "B"].map((contractId) => ({ ...BOOK, contractId })) })]);
    follow(["B", "A"]);
    expect([opened.length, market.books.value.size]).toEqual([2, 2]);
    follow(["B"]);
    expect([opened.length, [...market.books.value.keys()]]).toEqual([3, ["B"]]);
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
