// What a person reads in the views of chat hosts. reading.ts explains the notation.

import { describe, expect, test } from "bun:test";
import type { McpUiHostContext } from "@modelcontextprotocol/ext-apps";
import { signal } from "@preact/signals";
import { h } from "preact";
import { Frame } from "../../../web/views/frame.tsx";
import { applyHostStyle } from "../../../web/views/host-style.ts";
import { listedContracts } from "../../../web/views/listed-contracts.ts";
import type { OpenedView } from "../../../web/views/opened-view.ts";
import { orderBookView } from "../../../web/views/order-book-view.tsx";
import { positionsView } from "../../../web/views/positions-view.tsx";
import { simulationView } from "../../../web/views/simulation-view.tsx";
import { spotPricesView } from "../../../web/views/spot-prices-view.tsx";
import type { ToolAnswer, Values } from "../../../web/views/tool-answer.ts";
import type { View } from "../../../web/views/view.ts";
import { openBrowser, show } from "../support/browser.ts";
import { BOOK, NOON } from "../support/market.ts";
import { recordCharts } from "../support/recorded-chart.ts";

const browser = openBrowser();
recordCharts();

interface State {
  readonly status: "connecting" | "connected" | "absent" | "ended";
  readonly result: Values | null;
  readonly failure: { code: string; message: string } | null;
  readonly offersCalls: boolean;
  readonly timezone: string | null;
  readonly context: McpUiHostContext;
}

/** A view that is opened, with what it has asked its host for. */
function opened(view: View, given: Partial<State>, values: Values = {}, answers: Record<string, Values> = {}) {
  const followed: Values[] = [];
  const called: [tool: string, values: Values][] = [];
  const modes: boolean[] = [];
  let retries = 0;
  const call = (tool: string, values: Values): Promise<ToolAnswer> => {
    called.push([tool, values]);
    const result = answers[tool];
    const report = { code: "c", message: "m" };
    return Promise.resolve(result === undefined ? { kind: "error", report } : { kind: "result", result });
  };
  const receivedAt = Date.parse(NOON);
  const { status = "connected", result = BOOK as unknown as Values, failure = null } = given;
  const shown = {
    view,
    values: signal(values),
    marketTimezone: signal(given.timezone ?? null),
    follow: given.offersCalls === false ? null : (values: Values) => void followed.push(values),
    live: { state: signal({ result, receivedAt, failure }), retry: () => retries++ },
    host: {
      status: signal(status),
      context: signal({ timeZone: "America/Edmonton", ...given.context }),
      call,
      setFullscreen: (isFullscreen: boolean) => modes.push(isFullscreen),
    },
  };
  const frame = h(Frame, { opened: shown as unknown as OpenedView });
  return { frame, followed, called, modes, retried: () => retries };
}

describe("the frame of a view", () => {
  const FAILURE = { code: "not_connected", message: "No market." };
  test.each<[name: string, state: Partial<State>, has: string, hasNot: string]>([
    ["it is live", {}, "Order book\n‹good›Live\nContract", "Not live"],
    ["its host lets it not ask", { offersCalls: false }, "‹neutral›Fixed, of 05:00:00\nN-6", "Live"],
    [
      "its last answer failed",
      { failure: FAILURE },
      "‹warning›Not live: data of 05:00:00\nnot_connected No market.\n<Try",
      "‹good›",
    ],
    ["it can't try again", { failure: FAILURE, offersCalls: false }, "not_connected No market.", "Try again"],
    [
      "the market is away",
      { result: { ...BOOK, stale: true } },
      "‹warning›Market connection lost: data of 05:00:00",
      "‹good›",
    ],
    [
      "the market is away since a market time",
      { result: { ...BOOK, stale: true, asOf: "2026-11-23T11:00:00Z" }, timezone: "Europe/Berlin" },
      "Market connection lost: data of 12:00:00",
      "‹good›",
    ],
    ["it is closed", { status: "ended" }, "‹neutral›Closed", "‹good›"],
    ["nothing has come", { result: null }, "Order book", "Live"],
    ["the first answer failed", { result: null, failure: FAILURE }, "not_connected", "Not live"],
    ["no host answers", { status: "absent" }, "No chat host answers", "Contract"],
    [
      "it can be as large as the screen",
      { context: { availableDisplayModes: ["inline", "fullscreen"] } },
      "<Full screen>",
      "Leave",
    ],
    [
      "it is as large",
      { context: { availableDisplayModes: ["fullscreen"], displayMode: "fullscreen" } },
      "<Leave full screen>",
      "<Full",
    ],
    ["it can't be so", { context: { availableDisplayModes: ["inline"] } }, "Live", "ull screen"],
  ])("if %s", async (_name, state, has, hasNot) => {
    const answers = { mkt_list_products: PRODUCTS };
    const page = await show(opened(orderBookView, state, {}, answers).frame);
    expect(page.text).toContain(has);
    expect(page.text).not.toContain(hasNot);
    expect(page.all("skeleton").length).toBe(state.result === null && state.failure === undefined ? 1 : 0);
  });

  test("tries again and changes its size if asked", async () => {
    const view = opened(orderBookView, { failure: FAILURE, context: { availableDisplayModes: ["fullscreen"] } });
    const page = await show(view.frame);
    await page.click("Try again");
    await page.click("Full screen");
    expect([view.retried(), view.modes]).toEqual([1, [true]]);
  });
});

const PRODUCTS = {
  products: [
    { id: "N", name: "NORTH hours", contracts: [{ id: "N-6", deliveryStart: NOON }] },
    { id: "W", contracts: [{ id: "W-6", deliveryStart: NOON }] },
  ],
};

describe("the view of a book", () => {
  test("has the book and a choice of the contracts by product", async () => {
    const view = opened(orderBookView, { timezone: "America/New_York" }, { contractId: "N-6" }, {
      mkt_list_products: PRODUCTS,
    });
    const page = await show(view.frame);
    expect(page.text).toContain(
      "Contract\n{Mon, Nov 23, 07:00 EST: NORTH hours*, Mon, Nov 23, 07:00 EST: W}\nN-6\nSum |",
    );
    expect(page.text).toContain("‹bid›46.00, best bid");
    await page.type("Contract", "W-6", "change");
    expect(view.followed).toEqual([{ contractId: "W-6" }]);
    expect(page.all("optgroup").map(({ attributes }) => attributes.get("label"))).toEqual(["NORTH hours", "W"]);
  });

  test("keeps a contract that is no longer listed among the choices, and has no choice of one", async () => {
    const waiting = opened(orderBookView, {}, { contractId: "W-6" }, { mkt_list_products: PRODUCTS });
    expect((await show(waiting.frame)).text).toContain(": W*}\nN-6\n");
    const result = { ...BOOK, contractId: "GONE" };
    const page = await show(opened(orderBookView, { result }, {}, { mkt_list_products: PRODUCTS }).frame);
    expect(page.text).toContain("{GONE*, Mon");
    const alone = opened(orderBookView, { result });
    expect((await show(alone.frame)).text).not.toContain("{");
    const still = opened(orderBookView, { offersCalls: false }, {}, { mkt_list_products: PRODUCTS });
    expect([(await show(still.frame)).text.includes("{"), still.called]).toEqual([false, []]);
  });

  test("lists the contracts of at most four pages", async () => {
    const asked: unknown[] = [];
    const call = (_tool: string, values: Values): Promise<ToolAnswer> => {
      asked.push(values["cursor"]);
      return Promise.resolve({ kind: "result", result: { ...PRODUCTS, cursor: `c${asked.length}` } });
    };
    expect((await listedContracts(call)).length).toBe(8);
    expect(asked).toEqual([undefined, "c1", "c2", "c3"]);
  });

  test("lists the contracts of the pages before one that fails, under the id of a product without a name", async () => {
    const contracts = [{ id: "W-6", deliveryStart: NOON }];
    const pages: ToolAnswer[] = [
      { kind: "result", result: { products: [{ id: "W", contracts }], cursor: "c1" } },
      { kind: "error", report: { code: "timeout", message: "No answer." } },
      { kind: "result", result: { products: [{ id: "X", contracts }] } },
    ];
    expect(await listedContracts(() => Promise.resolve(pages.shift()!)))
      .toEqual([{ id: "W-6", deliveryStart: NOON, productName: "W" }]);
  });
});

test("the view of positions has the entity's, and a choice of the others", async () => {
  const entity = {
    id: "CEDAR",
    name: "Cedar Power",
    total: 0,
    positions: [],
    totals: { profit: -3, netQuantity: null, settled: { contracts: 0 } },
  };
  const answers = { mkt_list_entities: { entities: [{ id: "CEDAR", name: "Cedar Power" }, { id: "ASH" }] } };
  const view = opened(positionsView, { result: entity }, { entityId: "CEDAR", positions: true }, answers);
  const page = await show(view.frame);
  expect(page.text).toContain("Entity\n{Cedar Power*, ASH}\nCedar Power\nProfit, $: ‹down›▼ −3.00");
  expect([page.all("optgroup").length, view.called]).toEqual([0, [["mkt_list_entities", {
    fields: ["name"],
    limit: 500,
  }]]]);
  await page.type("Entity", "ASH", "change");
  expect(view.followed).toEqual([{ entityId: "ASH", positions: true }]);
  const { positions: _, ...bare } = entity;
  expect((await show(opened(positionsView, { result: bare }).frame)).text).toContain("The result has no positions");
  expect(page.text).not.toContain("has no positions\n");
});

test("the view of spot prices shows a day or a week", async () => {
  const result = { status: "running", congested: false, events: [], nodes: [] };
  const view = opened(spotPricesView, { result }, { hours: 24, node: "NORTH" });
  const page = await show(view.frame);
  expect(page.text).toContain("<24 hours ✓> <7 days>");
  await page.click("7 days");
  expect(view.followed).toEqual([{ hours: 168, node: "NORTH" }]);
  expect((await show(opened(spotPricesView, { result, offersCalls: false }).frame)).text).not.toContain("7 days");
});

describe("what a view asks with, and whether it can show the first result", () => {
  test.each<[view: View, opened: Values, result: Values, values: Values, suits: boolean]>([
    [orderBookView, {}, { contractId: "C" }, { contractId: "C" }, true],
    [orderBookView, { contractId: "D" }, {}, { contractId: "D" }, true],
    [positionsView, { entityId: "E" }, { id: "E2", positions: [] }, { entityId: "E2", positions: true }, true],
    [positionsView, { entityId: "E" }, {}, { entityId: "E", positions: true }, false],
    [positionsView, { cursor: "c" }, { id: "E", positions: [] }, { entityId: "E", positions: true }, false],
    [positionsView, { day: "2026-01-15" }, { id: "E", positions: [] }, { entityId: "E", positions: true }, false],
    [positionsView, { by: "day" }, { id: "E", positions: [] }, { entityId: "E", positions: true }, false],
    [positionsView, { fields: ["cash"] }, { id: "E", positions: [] }, { entityId: "E", positions: true }, false],
    [spotPricesView, {}, {}, { hours: 24 }, true],
    [spotPricesView, { hours: 6, node: "N" }, {}, { hours: 6, node: "N" }, true],
    [simulationView, { strategy: "zip" }, {}, expect.objectContaining({ strategy: "zip", limit: 200 }), true],
    [simulationView, {}, {}, expect.not.objectContaining({ strategy: undefined }), true],
    [simulationView, { fields: ["id"] }, {}, expect.objectContaining({ limit: 200 }), false],
    [simulationView, { cursor: "c" }, {}, expect.objectContaining({ limit: 200 }), false],
  ])("%#", (view, given, result, values, suits) => {
    expect([view.values(given, result), view.suits(given, result)]).toEqual([values, suits]);
  });
});

test("a view takes the colours of its host only if it gives those that others are read on", () => {
  const { documentElement: root } = browser.document;
  const style = (name: string) => root.style[name];
  Object.assign(root.style, { removeProperty: (name: string) => delete root.style[name] });
  applyHostStyle({ styles: { variables: { "--color-text-primary": "black" } as never } });
  expect(style("--text")).toBeUndefined();
  applyHostStyle({
    styles: { variables: { "--color-text-primary": "black", "--color-background-primary": "white" } as never },
    safeAreaInsets: { top: 1, right: 2, bottom: 3, left: 4 },
  });
  expect([style("--text"), style("--surface"), style("--muted"), style("padding")])
    .toEqual(["var(--color-text-primary)", "var(--color-background-primary)", undefined, "1px 2px 3px 4px"]);
  applyHostStyle({ styles: { variables: { "--color-text-primary": "black" } as never } });
  expect([style("--text"), style("--surface"), style("padding")]).toEqual([undefined, undefined, "0px 0px 0px 0px"]);
});

test("a view has the look of a whole window only while its host shows it as one", () => {
  const { documentElement: root } = browser.document;
  const looks = (["fullscreen", "inline", "fullscreen", "pip", undefined] as const).map((displayMode) => {
    const toggled: unknown[] = [];
    Object.assign(root.classList, { toggle: (...given: unknown[]) => toggled.push(...given) });
    applyHostStyle(displayMode === undefined ? {} : { displayMode });
    expect(toggled[0]).toBe("is-fullscreen");
    return toggled[1];
  });
  expect(looks).toEqual([true, false, true, false, false]);
});
