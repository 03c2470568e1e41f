// The market at a glance: events, the map of nodes by hours, and the curve. reading.ts explains the notation.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { h } from "preact";
import type { ContractRow } from "../../../web/contract/market.ts";
import type { SpotResult } from "../../../web/contract/tool-results.ts";
import { Refusal, settle, show, type Shown } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { at, EMPTY, hour, NOON } from "../support/market.ts";
import { update } from "../updates.ts";

const dashboard = await openDashboard();
const { answers, applyUpdates, later } = dashboard;
const { default: Glance } = await import("../../../web/dashboard/pages/glance.tsx");
const { default: Spot } = await import("../../../web/dashboard/pages/spot.tsx");

const SPOT: SpotResult = {
  ...{ status: "running", congested: false },
  events: [{
    ...{ id: "e", type: "heat_wave", node: "NORTH", size: 1.5, remaining: 0.834 },
    ...{ startedAt: at(0), endsAt: at(6) },
  }],
  nodes: ["NORTH", "WEST"].map((node, index) => (
    {
      node,
      price: 7_890 - index,
      regime: "spike",
      time: NOON,
      history: [{ time: at(-1), price: 4_520, regime: "base" }],
    }
  )),
};
const west = (inHours: number, change: Partial<ContractRow> = {}) =>
  hour(inHours, { contractId: `W-${6 + inHours}`, node: "WEST", productId: "W-HOURS", ...change });
const WEEK = hour(200, { contractId: "W48", productType: "week", hours: 168, deliveryEnd: at(368) });

const come = (contracts: ContractRow[], isWhole = true) =>
  settle(() => applyUpdates([update({ isWhole, continues: !isWhole, contracts })]));
const page = () => show(h(Glance, { argument: "" }));
const ofMap = (shown: Shown) => shown.all("glance-map").flatMap((map) => shown.readingOf(map).split("\n"));

/** Wide pages have hours across. */
const wide = (isWide: boolean) => {
  const query = { matches: !isWide, addEventListener: () => {}, removeEventListener: () => {} };
  Object.defineProperty(globalThis, "matchMedia", { value: () => query, configurable: true, writable: true });
};

beforeEach(async () => {
  wide(false);
  answers["mkt_sim_get_spot_prices"] = SPOT;
  answers["GET /dashboard/sparks"] = { epoch: 7, sequence: 0, prices: { "N-8": [100, 325], "N-10": [200, 100] } };
  await come([
    hour(2),
    hour(3, { ...EMPTY, lastPrice: 9_900 }),
    hour(4, EMPTY),
    west(3, { bestBid: 1_000, bestAsk: 1_100 }),
    WEEK,
  ]);
});
afterEach(() => wide(false));

describe("the map", () => {
  test("has hours down and nodes across on a narrow page, each cell a link with its price, and gaps", async () => {
    const shown = await page();
    const lines = ofMap(shown);
    expect(lines[0]).toBe("Hour | NORTH | WEST");
    expect(lines.slice(1)).toEqual([
      "8 07:00 , heat wave at NORTH | [NORTH, hour 8 of Mon, Nov 23: 46.38, cheapest 46.38 46](#/contract/N-8) |",
      "9 08:00 , heat wave at NORTH | [NORTH, hour 9 of Mon, Nov 23: 99.00, dearest 99.00 99](#/contract/N-9) | [WEST, hour 9 of Mon, Nov 23: 10.50 10.50 11](#/contract/W-9)",
      "10 09:00 , heat wave at NORTH | [NORTH, hour 10 of Mon, Nov 23: unknown – –](#/contract/N-10) |",
    ]);
  });

  test("has hours across on a wide page", async () => {
    wide(true);
    const [head, north, ...others] = ofMap(await page());
    expect(head!.split(" | ").length).toBe(25);
    expect(north).toContain(
      "NORTH | | | | | | | | [NORTH, hour 8 of Mon, Nov 23: 46.38, cheapest 46.38 46](#/contract/N-8) | [NORTH, hour 9 of Mon, Nov 23: 99.00, dearest 99.00 99]",
    );
    expect(others.length).toBe(1);
  });

  test("says which hour of the day is the cheapest and which the dearest at each node, in words and at the cell", async () => {
    const shown = await page();
    expect(shown.text).toContain(
      "NORTH: cheapest [hour 8, 46.38](#/contract/N-8); dearest [hour 9, 99.00](#/contract/N-9)\n" +
        "WEST: fewer than two different prices are known.",
    );
    expect(shown.hints).toContain("NORTH, hour 8 of Mon, Nov 23: 46.38, cheapest");
    expect(shown.hints).toContain("NORTH, hour 9 of Mon, Nov 23: 99.00, dearest");
    expect(shown.hints).toContain("NORTH, hour 10 of Mon, Nov 23: unknown");
    expect(shown.hints).toContain("WEST, hour 8 of Mon, Nov 23: no contract is listed");
    expect([shown.all("glance-lowest").length, shown.all("glance-highest").length]).toEqual([2, 2]);
  });

  test("shows changes if asked, and still does when the page is opened again", async () => {
    const shown = await page();
    await shown.click("Change");
    for (const each of [shown, await page()]) {
      expect(ofMap(each).slice(1)).toEqual([
        "8 07:00 , heat wave at NORTH | [NORTH, hour 8 of Mon, Nov 23: +2.25, greatest rise +2.25 +2](#/contract/N-8) |",
        "9 08:00 , heat wave at NORTH | [NORTH, hour 9 of Mon, Nov 23: unknown – –](#/contract/N-9) | [WEST, hour 9 of Mon, Nov 23: unknown – –](#/contract/W-9)",
        "10 09:00 , heat wave at NORTH | [NORTH, hour 10 of Mon, Nov 23: −1.00, greatest fall −1.00 −1](#/contract/N-10) |",
      ]);
      expect(each.text).toContain("greatest fall [hour 10, −1.00](#/contract/N-10); greatest rise [hour 8, +2.25]");
      expect(each.all("glance-change-6").length).toBe(2);
    }
    await shown.click("Price");
  });

  test("follows prices once a second, and contracts at once", async () => {
    const shown = await page();
    await come([hour(2, { bestBid: 5_000, bestAsk: 5_002 })], false);
    const before = shown.text.includes(" 50.01 50]");
    await later(1_000);
    expect([before, shown.text.includes(" 50.01 50]")]).toEqual([false, true]);
    await come([hour(5, { bestBid: 7_000, bestAsk: 7_002 })], false);
    expect(shown.text).toContain(
      "11 10:00 , heat wave at NORTH | [NORTH, hour 11 of Mon, Nov 23: 70.01 70.01 70](#/contract/N-11) |",
    );
  });

  test("has one cell in the tab order, which keys move over gaps", async () => {
    const shown = await page();
    const inTabOrder = () =>
      shown.all("a").filter(({ attributes }) =>
        attributes.get("data-place") !== undefined && attributes.get("tabIndex") === "0"
      )
        .map(({ attributes }) => attributes.get("href"));
    const seen = [inTabOrder()];
    for (const key of ["ArrowDown", "ArrowRight", "ArrowDown", "Home", "x"]) {
      await settle(() => void shown.all("glance-map")[0]!.dispatch({ type: "keydown", key }));
      seen.push(inTabOrder());
    }
    expect(seen).toEqual(["N-8", "N-9", "W-9", "W-9", "N-9", "N-9"].map((id) => [`#/contract/${id}`]));
  });
});

describe("the page", () => {
  test("shows a market event before all else, with the prices before and now", async () => {
    const { text } = await page();
    expect(text.indexOf("heat wave")).toBeLessThan(text.indexOf("Hours of"));
    expect(text).toContain(
      "heat wave at NORTH, size 1.5 | 45.20 → 78.90 (+33.70) | 45.20 → 78.89 (+33.69) | " +
        "Nov 23, 05:00:00 | Nov 23, 11:00:00 | 83 %",
    );
  });

  test("reads a triggered event at once", async () => {
    answers["mkt_sim_get_spot_prices"] = { ...SPOT, events: [] };
    const shown = await page();
    const before = shown.text.includes("heat wave");
    answers["mkt_sim_get_spot_prices"] = SPOT;
    const data = { node: "NORTH", price: 9_900, regime: "spike", time: NOON };
    await settle(() =>
      applyUpdates([update({ events: [{ sequence: 1, category: "pricing", type: "change.spot", time: NOON, data }] })])
    );
    expect([before, shown.text.includes("heat wave at NORTH, size 1.5 | 45.20 → ")]).toEqual([false, true]);
  });

  test("says that events are unknown if the simulator does not answer, and shows the map all the same", async () => {
    answers["mkt_sim_get_spot_prices"] = () => {
      throw new Refusal(502, { code: "unreachable", message: "The simulator is away." });
    };
    const { text } = await page();
    expect(text).toContain("Market events and spot prices are unknown: The simulator is away.");
    expect(text).toContain("[NORTH, hour 8 of Mon, Nov 23: 46.38, cheapest 46.38 46](#/contract/N-8)");
  });

  test("has the curve from hours to years, as a picture and as a table", async () => {
    const shown = await page();
    expect(shown.hints).toContain("Hours: NORTH from 46.38 to 99.00 dollars, WEST from 10.50 to 10.50 dollars");
    expect(shown.hints).toContain("Days and weeks: NORTH from 46.38 to 46.38 dollars, WEST without a price");
    await settle(() => {
      const details = shown.all("glance-details")[0]!;
      details.open = true;
      details.dispatch({ type: "toggle" });
    });
    expect(shown.text).toContain("Delivery | NORTH, $/MWh | WEST, $/MWh | When | Period | Hours\n");
    expect(shown.text).toContain(
      "hour 9 of Nov 23 | [99.00](#/contract/N-9) | [10.50](#/contract/W-9) | 08–09 h | hour | 1",
    );
    expect(shown.text).toContain("| [46.38](#/contract/W48) | not listed |");
    await settle(() => void shown.all("glance-bar").at(-1)!.dispatch({ type: "click" }));
    expect(dashboard.location.hash).toBe("#/contract/W48");
  });

  test("says that nothing is listed", async () => {
    await come([]);
    expect((await page()).text).toContain("No contracts are listed");
    await come([WEEK]);
    expect((await page()).text).toContain("No contracts of single hours are listed");
  });
});

test("the page of spot prices has what the market pays for the hours to come", async () => {
  const shown = await show(h(Spot, { argument: "" }));
  expect(shown.text).toContain("what the market pays for an hour to come");
  await settle(() => {
    const details = shown.all("spot-hours")[0]!;
    details.open = true;
    details.dispatch({ type: "toggle" });
  });
  expect(shown.text).toContain("Nov 23, 08:00 | 99.00 | 10.50 | the market | heat wave at NORTH");
  expect(shown.text).toContain("Nov 23, 04:00 | 45.20 | 45.20 | spot |");
});
