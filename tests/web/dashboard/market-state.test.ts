// What the page knows of the market after updates of the stream: an update says what has changed, and a whole one says all.

import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { effect } from "@preact/signals";
import { atEnd } from "../../support/at-end.ts";
import type { Connection } from "../../../web/contract/market.ts";
import type { FeedEvent, Update } from "../../../web/contract/update.ts";
import { Refusal, settle } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { BOOK, CONNECTION, hour, MARKET, NOON } from "../support/market.ts";
import { update } from "../updates.ts";

const { answers, inState, later, sent } = await openDashboard();
const { applyUpdates, events, keepBooks, market, onEvents } = await import(
  "../../../web/dashboard/live/market-store.ts"
);
const { connectProblem, isAwaited, isAway } = await import("../../../web/dashboard/live/liveness.ts");
const { contractIds, contractLabel, contractSignal, nameOf } = await import(
  "../../../web/dashboard/live/listed-contracts.ts"
);
const { marketNow, tick, timezone, timezoneOf } = await import("../../../web/dashboard/live/market-clock.ts");
const { sparkPrices, startSparks } = await import("../../../web/dashboard/live/sparks.ts");

const trade = (sequence: number, contractId: string, price: number): FeedEvent => (
  { sequence, category: "fill", type: "new.trade", time: NOON, data: { contractId, price } }
);
const book = (contractId: string, lastPrice = 1) => ({ ...BOOK, contractId, lastPrice });

describe("the state of the market", () => {
  const WHOLE = update({
    isWhole: true,
    contracts: [hour(1), hour(2)],
    books: [book("N-7"), book("N-8")],
    markets: [MARKET],
    connection: CONNECTION,
    frozen: { reason: "drill", since: NOON },
    creditRevision: 3,
    events: [trade(1, "N-7", 1)],
  });
  const state = () => ({
    contracts: [...market.contracts.value].map(([id, { lastPrice }]) => `${id} ${lastPrice}`).join(),
    books: [...market.books.value].map(([id, { lastPrice }]) => `${id} ${lastPrice}`).join(),
    market: market.markets.value.map(({ status }) => status).join(),
    connection: String(market.connection.value?.status),
    frozen: market.frozen.value?.reason ?? null,
    credit: market.creditRevision.value,
    events: [...events.oldestFirst()].map(({ sequence }) => sequence).join(),
  });
  const BEFORE = {
    ...{ contracts: "N-7 4650,N-8 4650", books: "N-7 1,N-8 1", market: "open", connection: "connected" },
    ...{ frozen: "drill", credit: 3, events: "1" },
  };

  test.each<[name: string, change: Partial<Update>, expected: Partial<ReturnType<typeof state>>]>([
    ["nothing", {}, {}],
    ["a contract", { contracts: [hour(2, { lastPrice: 5 })] }, { contracts: "N-7 4650,N-8 5" }],
    ["a contract that is new", { contracts: [hour(3)] }, { contracts: "N-7 4650,N-8 4650,N-9 4650" }],
    ["a contract that is gone", { unlisted: ["N-7"] }, { contracts: "N-8 4650" }],
    ["a book", { books: [book("N-8", 9)] }, { books: "N-7 1,N-8 9" }],
    ["a book that is new", { books: [book("N-9", 9)] }, { books: "N-7 1,N-8 1,N-9 9" }],
    ["the markets", { markets: [{ ...MARKET, status: "closed" }] }, { market: "closed" }],
    ["the connection", { connection: { ...CONNECTION, status: "reconnecting" } }, { connection: "reconnecting" }],
    ["the end of the freeze", { frozen: null }, { frozen: null }],
    ["credit", { creditRevision: 4 }, { credit: 4 }],
    ["credit, for the first time", { creditRevision: 0 }, { credit: 0 }],
    ["events", { events: [trade(2, "N-7", 2)] }, { events: "1,2" }],
    ["events of another history", { continues: false, events: [trade(9, "N-7", 2)] }, { events: "9" }],
    ["all", { isWhole: true, contracts: [hour(4)], books: [book("N-10")] }, {
      contracts: "N-10 4650",
      books: "N-10 1",
    }],
    ["all, which is nothing", { isWhole: true }, { contracts: "", books: "" }],
  ])("an update with %s changes that alone", (_name, change, expected) => {
    events.clear();
    market.isKnown.value = false;
    applyUpdates([WHOLE]);
    expect([state(), market.isKnown.value]).toEqual([BEFORE, true]);
    applyUpdates([update(change)]);
    expect(state()).toEqual({ ...BEFORE, ...expected });
  });

  test("updates of a frame are one change, and are told in their order; the fault of a listener stops no other", () => {
    applyUpdates([WHOLE]);
    const drawn: number[] = [];
    const endDrawing = effect(() => void drawn.push(market.contracts.value.size));
    const told: string[] = [];
    const reported: unknown[] = [];
    const global = globalThis as { reportError: unknown };
    const { reportError } = global;
    global.reportError = (error: unknown) => void reported.push(error);
    const ends = [
      onEvents(() => {
        throw new Error("faulty");
      }),
      onEvents((events, { isWhole }) => void told.push(`${events.map(({ sequence }) => sequence)} ${isWhole}`)),
    ];
    const some = [
      update({ contracts: [hour(3)], events: [trade(2, "N-7", 1), trade(3, "N-7", 1)] }),
      update({ contracts: [hour(4)] }),
      update({ isWhole: true, contracts: [hour(5)] }),
    ];
    applyUpdates(some);
    for (const end of [endDrawing, ...ends]) end();
    applyUpdates(some);
    global.reportError = reportError;
    expect([drawn, told, reported.length]).toEqual([[2, 1], ["2,3 false", " true"], 2]);
  });

  test("keeps the books that the page asks for, and no others", () => {
    applyUpdates([WHOLE]);
    const before = market.books.value;
    keepBooks(["N-7", "N-8", "N-9"]);
    expect(market.books.value).toBe(before);
    keepBooks(["N-8"]);
    expect([...market.books.value.keys()]).toEqual(["N-8"]);
  });

  test("each contract is told of its own changes, and the list only of those that come and go", () => {
    applyUpdates([WHOLE]);
    const ids = contractIds.value;
    const [seven, eight] = ["N-7", "N-8"].map((id) => contractSignal(id)!);
    const told: string[] = [];
    const ends = [seven, eight].map((row) =>
      effect(() => void told.push(`${row!.value.contractId} ${row!.value.lastPrice}`))
    );
    applyUpdates([update({ contracts: [hour(2, { lastPrice: 5 })] })]);
    for (const end of ends) end();
    expect([told, contractIds.value === ids]).toEqual([["N-7 4650", "N-8 4650", "N-8 5"], true]);
    const name = nameOf(eight!.value);
    expect(nameOf(eight!.value)).toBe(name);
    expect([contractLabel("N-8"), contractLabel("GONE")]).toEqual([name.full, "GONE"]);
    applyUpdates([update({ contracts: [hour(3)], unlisted: ["N-7"] })]);
    expect([contractIds.value, contractSignal("N-7"), contractLabel("N-7")]).toEqual([
      ["N-8", "N-9"],
      undefined,
      "N-7",
    ]);
  });
});

test("a contract is named in the time zone that its market has now", () => {
  const label = (timezone: string) => {
    applyUpdates([update({ isWhole: true, contracts: [hour(2)], markets: [{ ...MARKET, timezone }] })]);
    return contractLabel("N-8");
  };
  expect(["America/Edmonton", "UTC", "America/Edmonton"].map(label)).toEqual([
    "NORTH, hour 8 of Nov 23",
    "NORTH, hour 15 of Nov 23",
    "NORTH, hour 8 of Nov 23",
  ]);
});

describe("the market's time", () => {
  let now = 50_000;
  beforeEach(() => {
    const clock = spyOn(performance, "now").mockImplementation(() => now);
    atEnd(() => clock.mockRestore());
  });
  const shown = () => marketNow.value === null ? null : (marketNow.value - Date.parse(NOON)) / 1_000;
  const after = (ms: number, state: Parameters<typeof inState>[0] | null = null) => {
    now += ms;
    if (state !== null) {
      const { value } = marketNow;
      inState(state);
      marketNow.value = value;
    }
    tick();
    return shown();
  };

  test("goes on at its speed from the last update, and stands still while it is not live", () => {
    marketNow.value = null;
    const seen = [
      after(0, { connection: { speed: 60 } }),
      after(2_000),
      after(1_000, { connection: { speed: 60, status: "reconnecting" } }),
      after(1_000, { connection: { speed: null } }),
      after(5_000),
      after(0, { connection: { marketTime: null } }),
    ];
    expect(seen).toEqual([0, 120, 120, 0, 0, null]);
    market.connection.value = null;
    market.connection.value = { ...CONNECTION };
    expect(shown()).toBe(0);
  });

  test("is told in the time zone of its market, that of the first one if there is no such market, and in UTC if none is known", () => {
    inState({ markets: [{}, { id: "N", timezone: "Europe/Berlin" }] });
    expect(["M", "N", "X", undefined].map(timezoneOf))
      .toEqual(["America/Edmonton", "Europe/Berlin", "America/Edmonton", "America/Edmonton"]);
    inState({ markets: [] });
    expect([timezone.value, timezoneOf("M")]).toEqual(["UTC", "UTC"]);
  });
});

test.each(
  [
    ["off", "connected", true, false],
    ["off", "disconnected", true, false],
    ["connecting", "connected", false, false],
    ["connecting", "connected", true, true],
    ["live", "connected", true, false],
    ["live", "connecting", true, true],
    ["live", "reconnecting", true, true],
    ["live", "disconnected", true, true],
    ["stale", "connected", true, true],
    ["reconnecting", "connected", true, true],
  ] as const,
)("a page that is %s, whose server is %s and whose market is known (%p), shows what may be old: %p", (...given) => {
  const [state, status, isKnown, expected] = given;
  inState({ contact: { state, since: 0, attempt: 1 }, connection: { status } });
  market.isKnown.value = isKnown;
  expect(isAway.value).toBe(expected);
});

test.each<[name: string, connection: Partial<Connection>, expected: boolean]>([
  ["is connected", {}, false],
  ["has not been connected yet", { status: "disconnected", asOf: null }, true],
  ["is being connected", { status: "connecting", asOf: null }, true],
  ["was disconnected by somebody", { status: "disconnected", asOf: null, wasDisconnected: true }, false],
  ["could not be connected", { status: "disconnected", asOf: null, problem: "refused" }, false],
  ["is being connected again", { status: "connecting" }, false],
  ["has lost its connection", { status: "disconnected" }, false],
])("a server that %s is about to have the first data: %p, %p", (_name, connection, expected) => {
  inState({ connection });
  expect([isAwaited.value, isAway.value && isAwaited.value]).toEqual([expected, false]);
});

test("a page that has just been opened is about to have the first data, until its try to connect the server has failed", () => {
  inState({ contact: { state: "connecting", since: 0 }, connection: null });
  market.isKnown.value = false;
  expect([isAwaited.value, isAway.value]).toEqual([true, false]);
  inState({ connection: { status: "disconnected", asOf: null } });
  connectProblem.value = { code: "c", message: "refused" };
  expect([isAwaited.value, isAway.value]).toEqual([false, true]);
  inState({ contact: { state: "reconnecting", since: 0, attempt: 1 }, connection: null });
  expect(isAwaited.value).toBe(false);
});

describe("the last prices of each contract", () => {
  const prices = (id: string) => sparkPrices(id).value.join();
  const come = (given: Partial<Update>) => settle(() => applyUpdates([update(given)]));

  test("are those from before, then each trade once, and are asked for again after a gap or a failure", async () => {
    const asked: ((answer: object) => Promise<void>)[] = [];
    answers["GET /dashboard/sparks"] = () => {
      const { promise, resolve } = Promise.withResolvers<object>();
      asked.push((answer) => settle(() => resolve(answer)));
      return promise;
    };
    await settle(startSparks);
    await settle(startSparks);
    await come({ events: [trade(10, "A", 3), trade(11, "A", 4), trade(12, "B", 7)] });
    expect([prices("A"), asked.length]).toEqual(["", 1]);
    await asked[0]!({ epoch: 7, sequence: 10, prices: { A: [1, 2, 3] } });
    expect([prices("A"), prices("B")]).toEqual(["1,2,3,4", "7"]);
    await come({ events: [trade(12, "B", 7), trade(13, "A", 5), { ...trade(14, "A", 99), type: "new.order" }] });
    await come({ events: [trade(15, "A", 6)] });
    expect([prices("A"), prices("B")]).toEqual(["1,2,3,4,5,6", "7"]);
    await come({ missed: 4, events: [trade(20, "A", 8)] });
    await come({ continues: false, isWhole: true });
    await asked[1]!({ epoch: 7, sequence: 1, prices: { A: [50] } });
    expect(prices("A")).toBe("1,2,3,4,5,6");
    await asked[2]!({ epoch: 8, sequence: 3, prices: { A: [9] } });
    expect([prices("A"), prices("B"), asked.length]).toEqual(["9", "", 3]);
    const many = Array.from({ length: 200 }, (_, at) => trade(100 + at, "A", at));
    await come({ events: many });
    expect([sparkPrices("A").value.length, sparkPrices("A").value.at(-1)]).toEqual([40, 199]);

    answers["GET /dashboard/sparks"] = () => {
      throw new Refusal(503, { code: "not_connected", message: "No." });
    };
    await come({ continues: false, isWhole: true });
    await come({ missed: null, isWhole: true });
    const before = sent.length;
    await later(3_000);
    expect(sent.length - before).toBe(1);
    inState({ connection: { asOf: null } });
    await later(3_000);
    expect(sent.length - before).toBe(1);
  });
});
