// The fields of the monitor tools: each category has another number of buffered events, and there are pages of every kind:
// complete and cut by limit, with and without since, with missed events, none missed, and unknown.

import { describe, expect, test } from "bun:test";
import { bookChange } from "../support/modules.ts";
import { column, list, type Value } from "./support/desk.ts";
import { EPOCH, StillMarket } from "./support/still-market.ts";

const times = (count: number, type: string, data: Record<string, unknown> = {}) =>
  Array.from({ length: count }, () => [type, data] as const);

/** 1 order, 2 fill, 3 pricing, 4 market, 5 credit, 6 system, 7 other events, in this order. */
const EVENTS = [
  ...times(1, "new.order", { id: "o", contractId: "c", productCode: "BASE", side: 1, price: 5, closeReason: null }),
  ...times(1, "new.fill"),
  ...times(1, "new.trade"),
  ...times(2, "change.book", bookChange({ productCode: "BASE" })),
  ...times(1, "change.spot"),
  ...times(4, "change.market"),
  ...times(5, "change.credit"),
  ...times(6, "change.user"),
  ...times(7, "tweak.moon"),
];
const COUNTS = { order: 1, fill: 2, pricing: 3, market: 4, credit: 5, system: 6, other: 7 } as const;
const LAST = EPOCH + 28;

const still = new StillMarket({ events: EVENTS, modules: { "/PRODUCT/p": { code: "BASE" } } });
const numbers = (value: Value) => column(value, "events", "sequence") as number[];

describe("mkt_get_recent_events", () => {
  test.each(Object.entries(COUNTS))(
    "of category %s gives its %p events, and the counts of all",
    async (category, count) => {
      const recent = await still.ok("mkt_get_recent_events", { category });
      expect(recent).toMatchObject({
        count,
        hasMore: false,
        missed: 0,
        epoch: EPOCH,
        filters: { category, limit: 50 },
      });
      expect(recent["stats"]).toEqual({ totalBuffered: 28, latestSequence: LAST, byCategory: COUNTS });
      for (const event of list(recent, "events")) expect(event).toMatchObject({ category });
    },
  );

  test("gives events of all categories, by sequence number", async () => {
    for (const input of [{}, { category: "all" }]) {
      const recent = await still.ok("mkt_get_recent_events", input);
      expect(numbers(recent)).toEqual(Array.from({ length: 28 }, (_, at) => EPOCH + 1 + at));
      expect(recent["filters"]).toEqual({ category: "all", limit: 50 });
    }
  });

  test("a result that limit cut continues from latestSequence, which stats repeats", async () => {
    const cut = await still.ok("mkt_get_recent_events", { since: EPOCH + 3, limit: 2 });
    expect(numbers(cut)).toEqual([EPOCH + 4, EPOCH + 5]);
    expect(cut).toMatchObject({
      count: 2,
      hasMore: true,
      latestSequence: EPOCH + 5,
      stats: { latestSequence: EPOCH + 5, totalBuffered: 28 },
      filters: { category: "all", since: EPOCH + 3, limit: 2 },
    });
    const whole = await still.ok("mkt_get_recent_events", { since: EPOCH + 26, limit: 2 });
    expect(whole).toMatchObject({ count: 2, hasMore: false, latestSequence: LAST });
  });

  test("missed is null for a since of another epoch, whose answer begins with the oldest event, or beyond the newest", async () => {
    expect(await still.ok("mkt_get_recent_events", { since: EPOCH - 1 })).toMatchObject({ missed: null });
    expect(await still.ok("mkt_get_recent_events", { since: EPOCH })).toMatchObject({ missed: 0 });
    const oldest = await still.ok("mkt_get_recent_events", { since: 0, limit: 2 });
    expect(oldest).toMatchObject({ missed: null, hasMore: true });
    expect(list(oldest, "events")).toEqual(
      list(await still.ok("mkt_get_recent_events", { since: EPOCH, limit: 2 }), "events"),
    );
    const beyond = await still.ok("mkt_get_recent_events", { since: LAST + 1 });
    expect(beyond).toMatchObject({ ...BEYOND, stats: { latestSequence: LAST } });
  });
});

/** The answer to a `since` that no event has reached. */
const BEYOND = { count: 0, events: [], hasMore: false, missed: null, latestSequence: LAST, epoch: EPOCH };

const WATCHERS: [string, "order" | "fill" | "pricing" | "market", string, Record<string, unknown>, number][] = [
  ["mkt_watch_orders", "order", "totalOrderEvents", { orderTypes: ["new.order"] }, 1],
  ["mkt_watch_fills", "fill", "totalFillEvents", { fillTypes: ["new.trade"] }, 1],
  ["mkt_watch_book", "pricing", "totalPricingEvents", { productCode: "BASE" }, 2],
  ["mkt_watch_market", "market", "totalMarketEvents", {}, 4],
];

describe.each(WATCHERS)("%s", (tool, category, total, filter, matching) => {
  test("gives only its own category, and counts all buffered events of it", async () => {
    const all = await still.ok(tool);
    expect(all).toMatchObject({ count: COUNTS[category], [total]: COUNTS[category], epoch: EPOCH, missed: 0 });
    expect(all["filters"]).toEqual({ limit: 50 });
    for (const event of list(all, "events")) expect(event).toMatchObject({ category });
    const some = await still.ok(tool, { ...filter, since: EPOCH, limit: 49 });
    expect(some).toMatchObject({ count: matching, [total]: COUNTS[category], hasMore: false, latestSequence: LAST });
    expect(some["filters"]).toEqual({ ...filter, since: EPOCH, limit: 49 });
  });

  test("hasMore says whether limit cut the result; missed is null for a since of another epoch or too high", async () => {
    const cut = await still.ok(tool, { since: EPOCH, limit: 1 });
    expect(cut).toMatchObject({ count: 1, hasMore: COUNTS[category] > 1 });
    expect(await still.ok(tool, { since: 0 })).toMatchObject({ missed: null });
    expect(await still.ok(tool, { since: LAST })).toMatchObject({ count: 0, missed: 0, latestSequence: LAST });
    expect(await still.ok(tool, { since: LAST + 1_000_000 })).toMatchObject(BEYOND);
  });
});
