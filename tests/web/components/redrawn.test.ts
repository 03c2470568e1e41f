// A component that is drawn again with other data shows what it would show if it were new: nothing of the data before stays.
// And bars, arrows and colours of negative values are as large as those of positive ones.

import { describe, expect, test } from "bun:test";
import { type ComponentChild, h } from "preact";
import { useState } from "preact/hooks";
import { Chart } from "../../../web/components/chart.tsx";
import { DepthChart } from "../../../web/components/depth-chart.tsx";
import { MarketTime } from "../../../web/components/market-time.tsx";
import { OrderBook, OrderLadder } from "../../../web/components/order-book.tsx";
import { PersonaTable } from "../../../web/components/persona-table.tsx";
import { Positions } from "../../../web/components/positions.tsx";
import { PriceChart } from "../../../web/components/price-chart.tsx";
import { SpotPrices } from "../../../web/components/spot-prices.tsx";
import { StrategyTable } from "../../../web/components/strategy-table.tsx";
import { TradeTape } from "../../../web/components/trade-tape.tsx";
import type { Trade } from "../../../web/contract/market.ts";
import type { PersonaRow, PositionsResult, SpotResult, StrategyRow } from "../../../web/contract/tool-results.ts";
import { useItems } from "../../../web/views/options.ts";
import { openBrowser, settle, show } from "../support/browser.ts";
import { BOOK, NOON } from "../support/market.ts";
import { recordCharts } from "../support/recorded-chart.ts";

const { document } = openBrowser();
const charts = recordCharts();

/** What a person sees: texts, addresses of shapes, and what the last chart was asked to show. */
async function seen(content: ComponentChild, ...before: ComponentChild[]) {
  charts.length = 0;
  const page = await show(before[0] ?? content);
  for (const next of [...before.slice(1), content]) await page.redraw(next);
  const paths = page.all("path").map(({ attributes }) => attributes.get("d"));
  const labels = ["chart", "chart-box"].flatMap((name) =>
    page.all(name).map((each) => each.attributes.get("aria-label"))
  );
  return [page.text, paths, labels, charts.map(shownBy)];
}

/** Series with their points, and the left edge and colour of each band. */
function shownBy({ series, primitives, range }: (typeof charts)[number]) {
  const bands: unknown[] = [];
  const context = {
    fillStyle: "",
    measureText: () => ({ width: 0 }),
    fillRect: (from: number) => void bands.push([context.fillStyle, from]),
    fillText: (text: string) => void bands.push(text),
  };
  const scope = { context, bitmapSize: { width: 1, height: 1 }, horizontalPixelRatio: 1, verticalPixelRatio: 1 };
  const target = { useBitmapCoordinateSpace: (draw: (given: unknown) => void) => draw(scope) };
  for (const each of primitives) for (const view of each.paneViews()) view.renderer().draw(target);
  return { range, bands, series: series.map(({ type, data, options }) => [type, data, options["color"]]) };
}

const TOTALS = {
  ...{ cash: 0, realisedProfit: 0, unrealisedProfit: 0, profit: 0, creditUsed: 0, netQuantity: 0, netEnergy: 0 },
  settled: { contracts: 0, profit: 0 },
};
const positions = (...quantities: number[]): PositionsResult => ({
  ...{ id: "E", name: "Elm", code: "E", userIds: [], creditStatus: "ok", asOf: NOON, cursor: null, totals: TOTALS },
  count: quantities.length,
  total: quantities.length,
  positions: quantities.map((netQuantity, at) => ({
    ...{ contractId: `C-${at}`, netQuantity, netEnergy: 0, boughtQuantity: 0, soldQuantity: 0, averagePrice: null },
    ...{ mark: 1, markSource: "book", cash: 0, realisedProfit: 0, unrealisedProfit: 0, profit: 0, creditUsed: null },
  })),
});
const TRADED = { workingOrders: 0, orders: 1, trades: 2 };
const strategies = (...profits: number[]): StrategyRow[] =>
  profits.map((profitAndLoss, at) => ({ strategy: `s${at}`, personas: 1, ...TRADED, profitAndLoss }));
const personas = (...profits: number[]): PersonaRow[] =>
  profits.map((profitAndLoss, at) => ({ id: `p${at}`, entityId: "E", strategy: "zip", ...TRADED, profitAndLoss }));
const table = (...profits: number[]) =>
  h(StrategyTable, { strategies: strategies(...profits), chosen: null, onChoose: () => {} });

const spot = (price: number, regime: string): SpotResult => ({
  status: "running",
  congested: false,
  events: regime === "base" ? [] : [{
    ...{ id: "1", type: "heat_wave", node: null, size: 1, startedAt: "2026-11-23T11:00:00Z", remaining: 1 },
    endsAt: "2026-11-23T17:00:00Z",
  }],
  nodes: ["NORTH", "WEST"].map((node) => ({
    ...{ node, price, regime, time: NOON },
    history: [{ time: "2026-11-23T11:00:00Z", price: price - 5, regime }],
  })),
});
const candles = (close: number) => [{ time: 600, open: 1, high: 9, low: 1, close }];
const trade = (id: string, aggressorSide: Trade["aggressorSide"]): Trade => (
  { id, contractId: "C", time: NOON, price: 4_600, quantity: 1, aggressorSide }
);
const line = (value: number, timezone: string, colour: "good" | "danger") =>
  h(Chart, {
    ...{ label: "L", summary: "S", timezone },
    series: [{ id: "a", name: "A", kind: "line", unit: "price", colour: "buy", points: [{ time: 600, value }] }],
    bands: [{ from: 600, to: null, colour, label: colour }],
  });
const other = {
  ...BOOK,
  bids: [{ price: -300, volume: 2, orderCount: 1 }],
  asks: [{ price: -100, volume: 4, orderCount: 3 }, { price: 0, volume: 1, orderCount: 1 }],
};
const prices = (name: string, close: number, volume: number) =>
  h(PriceChart, {
    ...{ name, interval: "5 min", candles: candles(close), timezone: "UTC" },
    volumes: [{ time: 600, value: volume }],
  });

describe("drawn again with other data", () => {
  test.each<[name: string, before: ComponentChild, after: ComponentChild]>([
    ["positions", h(Positions, { entity: positions(1, 2) }), h(Positions, { entity: positions(-3, 4, 5) })],
    ["strategies", table(1, 2), table(3, -4, 5)],
    ["personas", h(PersonaTable, { personas: personas(1, 2) }), h(PersonaTable, { personas: personas(9, -8) })],
    ["no personas", h(PersonaTable, { personas: personas(1, 2) }), h(PersonaTable, { personas: [] })],
    ["spot prices", h(SpotPrices, { spot: spot(4_600, "base") }), h(SpotPrices, { spot: spot(-90, "spike") })],
    ["a price chart", prices("A", 5, 1), prices("B", 7, 2)],
    ["other volumes", prices("A", 5, 1), prices("A", 5, 2)],
    ["other points of a chart", line(1, "UTC", "good"), line(2, "UTC", "good")],
    ["another time zone of a chart", line(1, "UTC", "good"), line(1, "America/Edmonton", "good")],
    ["other bands of a chart", line(1, "UTC", "good"), line(1, "UTC", "danger")],
    ["a book", h(OrderBook, { book: { ...BOOK } as never }), h(OrderBook, { book: other as never })],
    ["depth", h(DepthChart, { book: BOOK }), h(DepthChart, { book: other })],
    [
      "trades",
      h(TradeTape, { trades: [trade("1", 1)], timezone: "UTC", empty: "none" }),
      h(TradeTape, { trades: [trade("2", 0)], timezone: "America/Edmonton", empty: "none" }),
    ],
    [
      "a time",
      h(MarketTime, { value: NOON, timezone: "UTC" }),
      h(MarketTime, { value: NOON, timezone: "America/Edmonton", now: Date.parse(NOON) + 5_000 }),
    ],
  ])("%s: nothing of the data before stays", async (_name, before, after) => {
    const fresh = await seen(after);
    expect(await seen(after, before)).toEqual(fresh);
    expect(await seen(before)).not.toEqual(fresh);
  });

  test("a choice of items is loaded as soon as it can be, once, and not shown after the view is gone", async () => {
    const loads: ((items: string[]) => void)[] = [];
    const load = () => {
      const { promise, resolve } = Promise.withResolvers<string[]>();
      loads.push(resolve);
      return promise;
    };
    const drawn: number[] = [];
    function Items({ canLoad }: { readonly canLoad: boolean }) {
      const items = useItems(canLoad ? load : null);
      const [, draw] = useState(0);
      drawn.push(items.length);
      return h("button", { onClick: () => draw((count) => count + 1) }, `items ${items.join()}`);
    }
    const page = await show(h(Items, { canLoad: false }));
    await page.redraw(h(Items, { canLoad: true }));
    await page.redraw(h(Items, { canLoad: true }));
    expect(loads.length).toBe(1);
    await settle(() => loads[0]!(["a", "b"]));
    expect(page.text).toBe("<items a,b>");
    const left = await show(h(Items, { canLoad: true }));
    const before = drawn.length;
    await left.redraw(null);
    await settle(() => loads[1]!(["c"]));
    expect(drawn.length).toBe(before);
  });
});

describe("bars", () => {
  const bars = async (content: ComponentChild) =>
    [...(await show(content)).text.matchAll(/‹(\w+)›▭([\d.]+)%/g)].map(([, way, width]) => `${way} ${width}`);

  test.each<[values: number[], expected: string[]]>([
    [[-10, 2.5], ["short 50", "long 12.5"]],
    [[10, -2.5], ["long 50", "short 12.5"]],
    [[-4, -4], ["short 50", "short 50"]],
    [[-0.5], ["short 25"]],
    [[0], ["long 0"]],
  ])("of positions of %p MW never overflow: %p", async (values, expected) => {
    expect(await bars(h(Positions, { entity: positions(...values) }))).toEqual(expected);
  });

  test.each<[values: number[], expected: string[]]>([
    [[-100, 50], ["gain 25", "loss 50"]],
    [[100, -50], ["gain 50", "loss 25"]],
    [[-8, -4], ["loss 25", "loss 50"]],
    [[-8], ["loss 50"]],
    [[0], ["gain 0"]],
  ])("of profits of %p dollars never overflow: %p", async (values, expected) => {
    expect(await bars(table(...values))).toEqual(expected);
    expect(await bars(h(PersonaTable, { personas: personas(...values) }))).toEqual(expected);
  });

  test.each<[bids: number[], asks: number[], expected: string[]]>([
    [[1, 4], [2], ["ask 50", "bid 25", "bid 100"]],
    [[], [2, 1], ["ask 50", "ask 100"]],
    [[3], [], ["bid 100"]],
  ])("of a book with bids of %p and asks of %p MW: %p", async (bids, asks, expected) => {
    const levels = (volumes: number[], step: number) =>
      volumes.map((volume, at) => ({ price: -500 + step * (at + 1), volume, orderCount: 1 }));
    const book = { bids: levels(bids, -25), asks: levels(asks, 25) };
    expect(await bars(h(OrderLadder, { book, lastPrice: null }))).toEqual(expected);
  });
});

test("a chart takes the colours of its theme again when the system or the page changes it, and none once removed", async () => {
  const [listeners, observers] = [new Set<() => void>(), new Set<() => void>()];
  const global = globalThis as unknown as Record<"matchMedia" | "getComputedStyle" | "MutationObserver", unknown>;
  const { matchMedia, getComputedStyle, MutationObserver } = global;
  global.MutationObserver = class {
    constructor(private readonly listener: () => void) {}

    observe(target: unknown, { attributeFilter }: { readonly attributeFilter?: readonly string[] }): void {
      if (target === document.documentElement && attributeFilter?.includes("data-theme")) observers.add(this.listener);
    }

    disconnect(): void {
      observers.delete(this.listener);
    }
  };
  let theme = "light";
  global.matchMedia = () => ({
    addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => listeners.delete(listener),
  });
  global.getComputedStyle = (element: { style: { color?: string } }) => ({
    get color() {
      return `${theme} ${element.style.color}`;
    },
  });
  charts.length = 0;
  const page = await show(line(1, "UTC", "good"));
  const chart = charts[0]!;
  const colours = () => [shownBy(chart).series[0]![2], (shownBy(chart).bands as string[][])[0]![0]];
  expect([colours(), JSON.stringify(chart.options).includes("light var(--surface)")])
    .toEqual([["light var(--buy)", "light var(--good)"], true]);
  theme = "dark";
  for (const listener of listeners) listener();
  expect(colours()).toEqual(["dark var(--buy)", "dark var(--good)"]);
  expect(chart.calls.find((call) => call.includes("dark var(--surface)"))).toContain("dark var(--muted)");
  theme = "sepia";
  for (const listener of observers) listener();
  expect(colours()).toEqual(["sepia var(--buy)", "sepia var(--good)"]);
  await page.redraw(null);
  Object.assign(global, { matchMedia, getComputedStyle, MutationObserver });
  expect([listeners.size + observers.size, chart.calls.at(-1), document.body.childNodes.length > 0]).toEqual([
    0,
    "removed",
    true,
  ]);
});
