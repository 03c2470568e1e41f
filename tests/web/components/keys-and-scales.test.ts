// What keys do to a chart and a dialog, and what both sides of a book are drawn on: one scale, and the same decimals.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { Button } from "../../../web/components/button.tsx";
import { Chart } from "../../../web/components/chart.tsx";
import { depthOf } from "../../../web/components/depth.ts";
import { Dialog } from "../../../web/components/dialog.tsx";
import { OrderLadder } from "../../../web/components/order-book.tsx";
import { SHOWN } from "../../../web/dashboard/pages/credit/words.ts";
import { openBrowser, settle, show } from "../support/browser.ts";
import { recordCharts } from "../support/recorded-chart.ts";
import { SmallElement } from "../support/small-document.ts";

openBrowser();
const charts = recordCharts();

const points = (count: number) => Array.from({ length: count }, (_, at) => ({ time: at * 60, value: at }));
const chart = (count: number, more: { readonly visible?: number; readonly viewKey?: string } = {}) =>
  h(Chart, {
    ...{ label: "L", summary: "S", timezone: "UTC", ...more },
    series: [{ id: "a", name: "A", kind: "line", unit: "price", colour: "buy", points: points(count) }],
  });

describe("a chart", () => {
  test.each<[key: string, range: { from: number; to: number }]>([
    ["ArrowLeft", { from: 90, to: 190 }],
    ["ArrowRight", { from: 110, to: 210 }],
    ["PageUp", { from: 10, to: 110 }],
    ["PageDown", { from: 190, to: 290 }],
    ["+", { from: 130, to: 200 }],
    ["=", { from: 130, to: 200 }],
    ["-", { from: 60, to: 200 }],
    ["x", { from: 100, to: 200 }],
  ])("with the key %s goes from 100-200 to %j", async (key, range) => {
    const page = await show(chart(300));
    const drawn = charts.at(-1)!;
    drawn.range = { from: 100, to: 200 };
    const box = page.all("chart-box")[0]!;
    expect([box.dispatch({ type: "keydown", key }), drawn.range]).toEqual([key !== "x", range]);
  });

  test("shows all or the last points when its first ones come, and again only for another view", async () => {
    const page = await show(chart(0, { visible: 50, viewKey: "a" }));
    const drawn = charts.at(-1)!;
    const seen: unknown[] = [];
    for (const next of [chart(0, { visible: 50, viewKey: "a" }), chart(100, { visible: 50, viewKey: "a" })]) {
      await page.redraw(next);
      seen.push({ ...drawn.range });
    }
    drawn.range = { from: 1, to: 2 };
    await page.redraw(chart(101, { visible: 50, viewKey: "a" }));
    seen.push({ ...drawn.range });
    await page.redraw(chart(101, { visible: 50, viewKey: "b" }));
    seen.push({ ...drawn.range });
    expect(seen).toEqual([{ from: 0, to: 100 }, { from: 50, to: 102 }, { from: 1, to: 2 }, { from: 51, to: 103 }]);
    const fits = () => drawn.calls.filter((call) => call === "fit").length;
    const before = fits();
    for (let times = 0; times < 2; times++) await page.redraw(chart(101, { viewKey: "b" }));
    expect([before, fits()]).toEqual([0, 1]);
  });
});

describe("the sides of a book", () => {
  const level = (price: number, volume: number) => ({ price, volume, orderCount: 1 });
  const ladder = async (bid: number, ask: number) => {
    const page = await show(
      h(OrderLadder, { book: { bids: [level(1, bid)], asks: [level(2, ask)] }, lastPrice: null }),
    );
    return page.all("ladder-figure").map((figure) => page.readingOf(figure));
  };

  test("have the same decimals, whichever has more", async () => {
    expect([await ladder(1.5, 2), await ladder(2, 1.5), await ladder(2, 3)])
      .toEqual([["2.0", "1.5"], ["1.5", "2.0"], ["3", "2"]]);
  });

  test.each([[[3, 4], [1], 7], [[1], [3, 4], 7], [[2], [], 2], [[], [2], 2], [[], [], 0]])(
    "with bids of %j and asks of %j MW are on a scale up to %i",
    (bids, asks, most) => {
      const book = {
        bids: bids.map((volume, at) => level(100 - at, volume)),
        asks: asks.map((volume, at) => level(110 + at, volume)),
      };
      const depth = depthOf(book);
      expect([depth.most, depth.bids.at(-1)?.volume ?? 0, depth.asks.at(-1)?.volume ?? 0])
        .toEqual([most, bids.reduce((sum, each) => sum + each, 0), asks.reduce((sum, each) => sum + each, 0)]);
    },
  );
});

test("a dialog is opened over the page, and the browser never closes it by itself", async () => {
  const { showModal } = SmallElement.prototype;
  let opened = 0;
  let closed = 0;
  SmallElement.prototype.showModal = () => void opened++;
  const page = await show(h(Dialog, { title: "T", onClose: () => closed++, children: "C" }));
  SmallElement.prototype.showModal = showModal;
  const dialog = page.all("dialog")[0]!;
  let isPrevented = false;
  await settle(() => void (isPrevented = dialog.dispatch({ type: "cancel" })));
  expect([opened, closed, isPrevented]).toEqual([1, 1, true]);
});

test.each([[true, [1, 0]], [false, [0, 1]]])(
  "a dialog that the browser closes all the same, and that stays open (%p), is opened again or ends",
  async (staysOpen, expected) => {
    let closed = 0;
    const page = await show(h(Dialog, { title: "T", staysOpen, onClose: () => closed++, children: "C" }));
    let opened = 0;
    const dialog = page.all("dialog")[0]!;
    dialog.showModal = () => void opened++;
    await settle(() => void dialog.dispatch({ type: "close" }));
    expect([opened, closed]).toEqual(expected);
    dialog.remove();
    await settle(() => void dialog.dispatch({ type: "close" }));
    expect([opened, closed]).toEqual(expected);
    page.root.append(dialog);
  },
);

test("a button that can't be used is described by its reason, and no other is", async () => {
  const of = async (unavailable: string | null) => {
    const page = await show(h(Button, { children: "Go", unavailable }));
    const described = page.all("button")[0]!.attributes.get("aria-describedby");
    return described === undefined ? null : page.readingOf(page.root.querySelector(`[id="${described}"]`)!);
  };
  expect([await of("Frozen"), await of(null)]).toEqual(["‹reason›Frozen", null]);
});

test("each standing of credit has its word, colour and picture", () => {
  expect(Object.entries(SHOWN).map(([standing, { tone, icon, word }]) => `${standing}: ${tone} ${icon} ${word}`))
    .toEqual([
      "tradable: good check can trade",
      "documents: warning alert documents missing",
      "no_limit: danger close no limit set",
      "limit: danger stop no credit left",
      "other_limit: danger lock limit of the other",
      "no_contract: warning clock no contract listed",
    ]);
});
