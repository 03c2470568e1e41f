// What each watch tool takes, asks of the event buffer, and puts around the page.

import { describe, expect, test } from "bun:test";
import type { z } from "zod";
import watches from "../../../plugins/monitor/watch.ts";
import * as pages from "../../../plugins/monitor/event-page.ts";
import { replaced } from "../../support/replaced.ts";

const POLLING = ["limit", "since", "waitSeconds", "detail"];
const IDS = ["contractId", "entityId", "orderId"];
const TABLE = [
  ["mkt_watch_orders", "order", "totalOrderEvents", "orderTypes", IDS],
  ["mkt_watch_fills", "fill", "totalFillEvents", "fillTypes", IDS],
  ["mkt_watch_book", "pricing", "totalPricingEvents", null, ["productCode", "contractId"]],
  ["mkt_watch_market", "market", "totalMarketEvents", null, ["contractId"]],
] as const;
const PAGE = [
  "events",
  "count",
  "latestSequence",
  "hasMore",
  "missed",
  "epoch",
  "waited",
  "filters",
];

test("there are four watch tools", () => {
  expect(watches.map(({ name }) => name)).toEqual(TABLE.map(([name]) => name));
});

describe.each(TABLE)("%s", (name, category, total, types, filters) => {
  const tool = watches.find((each) => each.name === name)!;
  const input = tool.input as z.ZodObject;

  test("takes its own filters besides those of every poll, and needs a connection", () => {
    expect(Object.keys(input.shape)).toEqual([...(types === null ? [] : [types]), ...filters, ...POLLING]);
    expect(Object.keys((tool.output as z.ZodObject).shape)).toEqual([...PAGE, total]);
    expect(tool.requires).toEqual({ connection: "read" });
    expect(input.parse({})).toEqual({ limit: 50 });
    const accepted = (given: object) => input.safeParse(given).success;
    expect([0, 30, 31, -1, 1.5].map((waitSeconds) => accepted({ waitSeconds }))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(["full", "short"].map((detail) => accepted({ detail }))).toEqual([true, false]);
    expect(["0", "x"].map((limit) => accepted({ limit }))).toEqual([false, false]);
    expect(accepted({ other: "x" })).toBe(false);
  });

  test.each([[true], [false]])("asks for its events only, and names the filters: types given: %p", async (isGiven) => {
    const read = replaced(
      pages,
      "readPage",
      (_filter, _request, _context, shown) => Promise.resolve(shown({ count: 1, filters: "of the page" } as never)),
    );
    const checked = replaced(pages, "checkEventTypes", () => {});
    const counted: unknown[] = [];
    const events = { count: (of: string) => (counted.push(of), 77) };
    const named = Object.fromEntries(filters.map((filter) => [filter, `an ${filter}`]));
    const polled = { limit: 7, since: { sequence: 3, epoch: 2 }, waitSeconds: 5, detail: "full" };
    const chosen = isGiven && types !== null ? ["new.order"] : undefined;
    const typesGiven = chosen === undefined ? {} : { [types!]: chosen };
    const context = { events };
    const answer = await tool.handler({ ...named, ...polled, ...typesGiven } as never, context as never);
    expect(checked).toEqual([[types ?? "", chosen, category, events]] as never);
    const [[filter, request, of] = expect.unreachable()] = read;
    expect<unknown>(filter).toEqual({ ...named, category, types: chosen });
    expect<unknown>(request).toEqual(polled);
    expect<unknown>(of).toBe(context);
    expect(counted).toEqual([category]);
    const { limit, since } = polled;
    expect<unknown>(answer).toEqual({ count: 1, [total]: 77, filters: { ...named, limit, since, ...typesGiven } });
  });
});
