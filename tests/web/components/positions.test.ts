// What a person reads in positions, and in the small parts of all pages. reading.ts explains the notation.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { Button } from "../../../web/components/button.tsx";
import { Delta } from "../../../web/components/delta.tsx";
import { Dialog } from "../../../web/components/dialog.tsx";
import { Field } from "../../../web/components/field.tsx";
import { MarketTime } from "../../../web/components/market-time.tsx";
import { ErrorNote, Reason } from "../../../web/components/notices.tsx";
import { Positions } from "../../../web/components/positions.tsx";
import { Spark } from "../../../web/components/spark.tsx";
import type { PositionsResult } from "../../../web/contract/tool-results.ts";
import { openBrowser, settle, show } from "../support/browser.ts";

openBrowser();

const TOTALS = {
  cash: -1_234.4,
  realisedProfit: 10,
  unrealisedProfit: -2.5,
  profit: 7.5,
  creditUsed: 2_000,
  netQuantity: null,
  netEnergy: -12.5,
  settled: { contracts: 0, profit: 0 },
};

const ROW = {
  contractId: "C-1",
  netQuantity: 10,
  netEnergy: 20,
  boughtQuantity: 12,
  soldQuantity: 2,
  averagePrice: 4_673,
  mark: 4_700,
  markSource: "book" as const,
  cash: -400.5,
  realisedProfit: 0,
  unrealisedProfit: 5,
  profit: 5,
  creditUsed: 600,
};

const ENTITY: PositionsResult = {
  id: "E",
  name: "Entity",
  code: "E",
  userIds: [],
  creditStatus: "ok",
  asOf: "2026-11-23T10:00:00.000Z",
  count: 2,
  total: 2,
  cursor: null,
  positions: [ROW, {
    ...ROW,
    contractId: "C-2",
    netQuantity: -2.5,
    netEnergy: -5,
    boughtQuantity: 0,
    soldQuantity: 2.5,
    averagePrice: null,
    markSource: "spot",
    cash: 100,
    unrealisedProfit: -20,
    profit: -20,
    creditUsed: null,
  }],
  totals: TOTALS,
};

const HEADS = "<Contract> | <Net, MW> | <Net, MWh> | <Profit, $> | <Average, $/MWh> | <Mark, $/MWh> | <Cash, $> | " +
  "<Realised, $> | <Unrealised, $> | <Credit, $>";

describe("positions", () => {
  const positions = (change: Partial<PositionsResult>) =>
    show(h(Positions, { entity: { ...ENTITY, ...change }, contractAddress: (id) => `#/contract/${id}` }));

  test("have their units, signs and sides, and the longest bar at half of its box", async () => {
    expect((await positions({})).text).toBe(
      `Profit, $: ‹up›▲ +7.50
Realised, $: +10.00
Unrealised, $: −2.50
Cash, $: −1,234
Net energy, MWh: −12.5
Used credit, $: 2,000
${HEADS}
[C-1](#/contract/C-1) | ‹long›▭50% +10 | +20 | ‹up›▲ +5.00 | 46.73 | 47.00 book | −400.50 | 0.00 | +5.00 | 600.00
[C-2](#/contract/C-2) | ‹short›▭12.5% −2.5 | −5 | ‹down›▼ −20.00 | – | 47.00 spot | 100.00 | 0.00 | −20.00 | –`,
    );
  });

  test("say what is hidden, settled, left out and noted", async () => {
    const totals = { ...TOTALS, netQuantity: -3, creditUsed: null, settled: { contracts: 4, profit: -1.5 } };
    const { text } = await positions({ totals, total: 1_300, note: "Hidden from you." });
    expect(text).toContain("Realised, $: +10.00 / of it −1.50 settled");
    expect(text).toContain("Net quantity, MW: −3");
    expect(text).toContain("Used credit, $: hidden");
    expect(text).toEndWith("2 of 1,300 contracts, earliest delivery first.\nHidden from you.");
  });

  test.each([
    [0, "It has not traded a contract of the market."],
    [1, "1 contracts it traded have been settled and left the market."],
  ])("without contracts and with %i settled ones say so", async (contracts, expected) => {
    const totals = { ...TOTALS, settled: { contracts, profit: 0 } };
    expect((await positions({ positions: [], total: 0, totals })).text).toEndWith(`No positions\n${expected}`);
  });

  test("are sorted by a column, first from the greatest down, then the other way, and absent values stay last", async () => {
    const page = await positions({});
    const order = () => page.all("tr").slice(1).map((row) => page.readingOf(row).slice(1, 4));
    await page.click("Average, $/MWh");
    expect([order(), page.find("Average, $/MWh").closest("th")!.attributes.get("aria-sort")])
      .toEqual([["C-1", "C-2"], "descending"]);
    await page.click("Average, $/MWh");
    expect(order()).toEqual(["C-1", "C-2"]);
    await page.click("Profit, $");
    await page.click("Profit, $");
    expect([order(), page.text.includes("<Profit, $ ↑>")]).toEqual([["C-2", "C-1"], true]);
    await page.click("Contract");
    expect(order()).toEqual(["C-1", "C-2"]);
  });
});

describe("small things", () => {
  const NOW = Date.parse("2026-11-23T10:05:00Z");
  const TIME = "2026-11-23T10:00:00Z";
  test.each<[name: string, shown: () => Parameters<typeof show>[0], expected: string]>([
    ["a gain", () => h(Delta, { value: 1.5 }), "‹up›▲ +1.50"],
    ["a loss", () => h(Delta, { value: -1.5 }), "‹down›▼ −1.50"],
    ["neither", () => h(Delta, { value: 0 }), "‹none›0.00"],
    ["nothing", () => h(Delta, { value: null }), "‹none›–"],
    ["a change as text", () => h(Delta, { value: -25, text: "−0.25" }), "‹down›▼ −0.25"],
    ["a button", () => h(Button, { children: "Go", unavailable: null }), "<Go>"],
    [
      "a button that can't be used",
      () => h(Button, { children: "Go", unavailable: "Frozen" }),
      "<Go ✗> ‹reason›Frozen",
    ],
    ["a button that is on", () => h(Button, { children: "Go", pressed: true }), "<Go ✓>"],
    ["an error", () => h(ErrorNote, { report: { code: "c", message: "m" } }), "c m"],
    [
      "an error with advice",
      () => h(ErrorNote, { report: { code: "c", message: "m", hint: "h" }, onRetry: () => {} }),
      "c m\nh\n<Try again>",
    ],
    ["no reason", () => h(Reason, { reason: null }), "No reason was given."],
    ["a reason", () => h(Reason, { reason: "test" }), "Reason: test"],
    ["a time", () => h(MarketTime, { value: TIME, timezone: "America/Edmonton" }), "03:00:00"],
    ["its age", () => h(MarketTime, { value: TIME, timezone: "UTC", now: NOW }), "10:00:00 5 min ago"],
    ["no time", () => h(MarketTime, { value: null, timezone: "UTC", now: NOW }), "–"],
    ["an age that is unknown", () => h(MarketTime, { value: TIME, timezone: "UTC", now: null }), "10:00:00"],
    ["rising prices", () => h(Spark, { prices: [1, 2] }), "‹up›"],
    ["falling prices", () => h(Spark, { prices: [2, 1] }), "‹down›"],
    ["the same prices", () => h(Spark, { prices: [2, 2] }), "‹same›"],
  ])("%s", async (_name, shown, expected) => {
    expect((await show(shown())).text).toBe(expected);
  });

  test("a field is named by its label, and described by its hint if there is one", async () => {
    const field = async (hint?: string) =>
      (await show(h(Field, { label: "Seed", ...(hint !== undefined && { hint }), children: h("input", {}) })))
        .all("input")[0]!.attributes;
    const described = await field("Any number");
    expect(described.get("aria-describedby")).toBe(`${described.get("id")}-hint`);
    expect((await field()).has("aria-describedby")).toBeFalse();
  });

  test("no time is no element of time, whose title would be of nothing", async () => {
    for (const [value, count] of [[TIME, 1], [null, 0], [undefined, 0]] as const) {
      expect((await show(h(MarketTime, { value, timezone: "UTC" }))).all("time")).toHaveLength(count);
    }
  });

  test("a button that can't be used does nothing", async () => {
    let clicks = 0;
    const button = (unavailable: string | null) => h(Button, { children: "Go", unavailable, onClick: () => clicks++ });
    const page = await show(button("Frozen"));
    await page.click("Go");
    expect(clicks).toBe(0);
    await page.redraw(button(null));
    await page.click("Go");
    expect(clicks).toBe(1);
  });

  test("a dialog closes when it is asked to, unless it must stay open", async () => {
    let closed = 0;
    const dialog = (staysOpen: boolean) =>
      h(Dialog, { title: "Halt", staysOpen, onClose: () => closed++, children: "Sure?" });
    const page = await show(dialog(true));
    const cancel = () => settle(() => void page.all("dialog")[0]!.dispatch({ type: "cancel" }));
    await cancel();
    expect([closed, page.text]).toEqual([0, "Halt\nSure?"]);
    await page.redraw(dialog(false));
    await cancel();
    await page.click("Close");
    expect([closed, page.text]).toEqual([2, "Halt\n<Close>\nSure?"]);
  });
});
