// One stream for all windows of a browser: each window has each event once, whenever it came and however slow it is. Time
// passes as the tests say.

import { afterAll, afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import type { FeedEvent, Update } from "../../../../web/contract/update.ts";
import { atEnd } from "../../../support/at-end.ts";
import { openBrowser } from "../../support/browser.ts";
import { HubWindow } from "../../support/hub-window.ts";
import { BOOK, CONNECTION, hour, MARKET } from "../../support/market.ts";
import { update } from "../../updates.ts";

const { later } = openBrowser();
const { StreamHub } = await import("../../../../web/dashboard/live/stream-hub.ts");

interface Source {
  readonly asked: readonly [since: string | null, contracts: string];
  isClosed: boolean;
  onmessage(message: { data: string }): void;
  onerror(): void;
}
let opened: Source[] = [];
globalThis.EventSource = class {
  isClosed = false;
  readonly asked: Source["asked"];
  constructor(address: string) {
    const { searchParams } = new URL(address, "http://host");
    this.asked = [searchParams.get("since"), searchParams.getAll("contract").join()];
    opened.push(this as unknown as Source);
  }
  close() {
    this.isClosed = true;
  }
} as unknown as typeof EventSource;
afterAll(() => void Reflect.deleteProperty(globalThis, "EventSource"));

let hub = new StreamHub();
const windows: Window[] = [];
beforeEach(() => {
  hub = new StreamHub();
  opened = [];
});
afterEach(() => {
  for (const each of windows.splice(0)) each.leave();
});

const open = () => opened.filter(({ isClosed }) => !isClosed).length;
/** The server says something on the newest stream. */
const say = (given: Partial<Update>) => opened.at(-1)!.onmessage({ data: JSON.stringify(update(given)) });
const fail = () => opened.at(-1)!.onerror();
const event = (sequence: number): FeedEvent => ({ sequence, category: "order", type: "new.order", time: "", data: {} });
const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => event(from + at));
const PARTS = { markets: [MARKET], connection: CONNECTION, frozen: null, creditRevision: 3 };
const whole = (from: number, to: number, more: Partial<Update> = {}) => {
  const position = `7.${to}.anna.rows.1`;
  return {
    isWhole: true,
    continues: false,
    position,
    contracts: [hour(1)],
    ...PARTS,
    ...more,
    events: events(from, to),
  };
};
const next = (from: number, to: number, more: Partial<Update> = {}) => {
  return { position: `7.${to}.anna.rows.2`, ...more, events: events(from, to) };
};

class Window extends HubWindow {
  constructor(contracts: readonly string[] = [], since: Partial<Update> | null = null) {
    super(hub, contracts, since);
    windows.push(this);
  }
}

const numbers = (from: number, to: number) => events(from, to).map(({ sequence }) => sequence);

describe("windows", () => {
  test("share one stream, and each has every event from its own first one on, once", () => {
    const first = new Window();
    say(whole(1, 10));
    const others = Array.from({ length: 9 }, () => new Window());
    say(next(11, 13));
    expect([opened.length, first.sequences, ...others.map(({ sequences }) => sequences)])
      .toEqual([1, ...Array<number[]>(10).fill(numbers(1, 13))]);
    expect(others[0]!.counts).toEqual({ received: 13, duplicates: 0, missed: 0, gaps: 0, wholes: 1 });
  });

  test("that come later have the whole state: what has changed since, and nothing that is gone", () => {
    new Window();
    say(whole(1, 300, { contracts: [hour(1), hour(2)], frozen: { reason: "drill", since: null } }));
    say(next(301, 301, { contracts: [hour(1, { bestBid: 1 }), hour(3)], unlisted: ["N-8"], creditRevision: 4 }));
    say(next(302, 302, { frozen: null, connection: { ...CONNECTION, speed: 60 } }));
    const { last, status } = new Window();
    expect(last).toEqual({
      ...update({ isWhole: true, continues: false, sequence: 302, position: "7.302.anna.rows.2" }),
      events: events(103, 302),
      contracts: [hour(1, { bestBid: 1 }), hour(3)],
      ...PARTS,
      creditRevision: 4,
      connection: { ...CONNECTION, speed: 60 },
    });
    expect(status).toMatchObject({ state: "live", attempt: 0, connects: 1 });
  });

  test("that come before the state have it with the first update", () => {
    const both = [new Window(), new Window()];
    expect(both.map(({ status, updates }) => [status?.state, updates.length])).toEqual([
      ["connecting", 0],
      ["connecting", 0],
    ]);
    say(whole(5, 9));
    expect(both.map(({ sequences }) => sequences)).toEqual([numbers(5, 9), numbers(5, 9)]);
  });

  test("are told the status each second, each failure, and that the stream is back", async () => {
    const page = new Window();
    say(whole(1, 1));
    const before = page.statuses;
    await later(1_000);
    expect(page.statuses - before).toBe(1);
    fail();
    expect(page.status).toMatchObject({ state: "reconnecting", attempt: 1 });
    expect(new Window().status).toMatchObject({ state: "reconnecting", attempt: 1 });
    page.hurry();
    expect([opened.length, opened[1]!.asked]).toEqual([2, ["7.1.anna.rows.1", ""]]);
    say(next(2, 2));
    expect([page.status, page.sequences]).toMatchObject([{ state: "live", attempt: 0, connects: 2 }, [1, 2]]);
  });

  test("that have all left have no stream, and the next one begins anew", () => {
    const [one, other] = [new Window(), new Window()];
    say(whole(1, 5));
    one.leave();
    expect(open()).toBe(1);
    other.leave();
    expect(open()).toBe(0);
    other.hurry();
    expect(open()).toBe(0);
    const later = new Window();
    expect([open(), opened.at(-1)!.asked, later.updates]).toEqual([1, [null, ""], []]);
  });
});

describe("the books", () => {
  const book = (contractId: string) => ({ ...BOOK, contractId });
  const booksOf = ({ books }: Update) => books.map(({ contractId }) => contractId).join();

  test("of all windows come by one stream, which is another one only if a contract is new", () => {
    const a = new Window(["A"]);
    say(whole(1, 1, { books: [book("A")] }));
    const b = new Window(["B"]);
    expect(opened.map(({ asked }) => asked[1])).toEqual(["A", "B,A"]);
    expect(booksOf(b.last)).toBe("");
    say(next(2, 2, { books: [book("A"), book("B")] }));
    const also = new Window(["B"]);
    b.follow();
    also.follow("A");
    expect([opened.length, booksOf(also.updates[0]!), booksOf(also.last), also.sequences]).toEqual([2, "B", "A", [
      1,
      2,
    ]]);
    a.follow("C");
    expect(opened[2]!.asked).toEqual(["7.2.anna.rows.2", "A,C"]);
    // Nothing more comes of B, so what is known of it is old.
    also.follow("B");
    expect([booksOf(also.last), opened[3]!.asked[1]]).toEqual(["A", "B,C"]);
  });

  test("of more contracts than a stream can have are those of the newest windows", () => {
    for (let at = 0; at < 9; at++) new Window(Array.from({ length: 8 }, (_, number) => `${at}-${number}`));
    const contracts = opened.at(-1)!.asked[1].split(",");
    expect([contracts.length, contracts[0], contracts.at(-1)]).toEqual([64, "8-0", "1-7"]);
  });

  test("are asked for by the try that is due, if the stream is lost", async () => {
    const page = new Window();
    say(whole(1, 1));
    fail();
    page.follow("A");
    expect(opened.length).toBe(1);
    await later(15_000);
    expect(opened.map(({ asked }) => asked[1])).toEqual(["", "A"]);
  });
});

describe("a window that was there before", () => {
  test("goes on after its last event, from the state of others or from the server, with the whole state", () => {
    new Window();
    say(whole(101, 200));
    const back = new Window([], whole(140, 150));
    expect([back.sequences, back.last.continues, back.last.isWhole]).toEqual([numbers(151, 200), true, true]);
    expect(back.counts).toMatchObject({ missed: 0, gaps: 0, duplicates: 0 });

    hub = new StreamHub();
    const alone = new Window([], whole(140, 150));
    expect(opened.at(-1)!.asked).toEqual(["7.150.anna.0.0", ""]);
    const other = new Window([], whole(120, 130));
    say(whole(151, 160, { continues: true }));
    expect([alone.sequences, alone.last.continues, alone.counts.gaps]).toEqual([numbers(151, 160), true, 0]);
    // The server was asked from 150 on.
    expect([other.sequences, other.counts]).toMatchObject([numbers(151, 160), { missed: 20, gaps: 0 }]);
  });

  test.each([
    ["of another epoch", "6.150.anna.rows.1"],
    ["of another acting user", "7.150.bert.rows.1"],
    ["from before there was a user", "7.150"],
  ])("begins anew with what was %s", (_name, position) => {
    new Window();
    say(whole(101, 400));
    const back = new Window([], whole(140, 150, { position, epoch: Number(position[0]) }));
    expect([back.last.continues, back.sequences]).toEqual([false, numbers(201, 400)]);
  });

  test("keeps what it has while a server that was started again is not connected", () => {
    const back = new Window([], whole(140, 150));
    const connection = { ...CONNECTION, status: "disconnected" as const };
    say({ continues: true, sequence: 150, position: "7.150.anna.0.0", connection });
    expect(back.last).toMatchObject({ isWhole: false, continues: true, connection, missed: 0, contracts: [] });
    say(whole(151, 152, { continues: true }));
    expect([back.last.isWhole, back.sequences, back.counts.missed]).toEqual([true, [151, 152], 0]);
  });
});

describe("a frozen window", () => {
  test("has at most fifty updates on their way, and afterwards the rest at once, each event once", () => {
    const page = new Window();
    say(whole(1, 1));
    page.isFrozen = true;
    for (let at = 2; at <= 200; at++) say(next(at, at));
    expect(page.waiting).toBe(50);
    page.thaw();
    expect([page.sequences, page.last.isWhole]).toEqual([numbers(1, 200), true]);
    say(next(201, 201));
    expect([page.sequences.at(-1), page.last.isWhole, page.counts]).toEqual([201, false, {
      ...{ received: 201, duplicates: 0, missed: 0, gaps: 0, wholes: 2 },
    }]);
  });

  test("misses what nobody keeps any longer, which is counted", () => {
    const page = new Window();
    say(whole(1, 1));
    page.isFrozen = true;
    for (let at = 0; at < 50; at++) say(next(2 + at, 2 + at));
    for (let at = 0; at < 101; at++) say(next(52 + 200 * at, 251 + 200 * at));
    page.thaw();
    expect([page.sequences.length, page.counts.missed, page.ledger.sequence]).toEqual([51 + 20_000, 200, 51 + 20_200]);
  });

  test("that is alone has no stream after a minute, and goes on when it thaws", async () => {
    const clock = { now: 5_000_000 };
    const spied = spyOn(performance, "now").mockImplementation(() => clock.now);
    atEnd(() => spied.mockRestore());
    const page = new Window(["A"]);
    say(whole(1, 1));
    page.isFrozen = true;
    say(next(2, 2));
    const streams: number[] = [];
    for (const ms of [1_000, 58_999, 1]) {
      clock.now += ms;
      say(next(3, 3));
      await later(1_000);
      streams.push(open());
    }
    expect(streams).toEqual([1, 1, 0]);
    page.thaw();
    expect([open(), opened.at(-1)!.asked]).toEqual([1, ["7.3.anna.rows.2", "A"]]);
    say(next(4, 5));
    expect([page.sequences, page.counts.gaps]).toEqual([[1, 2, 3, 4, 5], 0]);
  });
});
