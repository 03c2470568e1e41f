// The page of the market, taken back in time. reading.ts explains the notation. It is 05:00 on Monday.

import { beforeEach, describe, expect, test } from "bun:test";
import { h } from "preact";
import { settle, show } from "../../support/browser.ts";
import { openDashboard } from "../../support/dashboard.ts";
import { BOOK, hour } from "../../support/market.ts";
import { before, goBack, PAST_ANSWERS, refuse, rows, START, whole } from "../../support/past-market.ts";
import { update } from "../../updates.ts";

const { answers, applyUpdates, location } = await openDashboard("/control");
const { default: Contracts } = await import("../../../../web/dashboard/pages/contracts/contracts.tsx");
const { backToLive } = await import("../../../../web/dashboard/pages/then/time-shown.ts");

beforeEach(async () => {
  Object.assign(answers, PAST_ANSWERS);
  location.hash = "";
  backToLive();
  await settle(() => applyUpdates([update({ isWhole: true, contracts: [hour(0)], books: [BOOK] })]));
});

describe("the market at an earlier time", () => {
  test("has the prices of each contract, and leads to it at the same time", async () => {
    const page = await show(h(Contracts, { argument: "" }));
    await goBack(page, 15);
    const at = encodeURIComponent(before(15));
    expect(location.hash).toBe(`#/market?at=${at}`);
    expect(rows(page)).toEqual([
      `[NORTH, hour 6 of Nov 23](#/contract/N-6?at=${at}) | 45.50 | 3 | 47.00 | 2 | 45.50 | +2`,
    ]);
    expect(page.hints).toContain("Save as CSV: Contracts as they were");
    await goBack(page, 50);
    expect(rows(page)[0]).toEndWith("| – | | 47.00 | 2 | unknown | +1");
    await page.click("Live");
    expect(page.text).not.toContain("not live");
  });

  test("has the spot prices and the positions of an entity of that time", async () => {
    const page = await show(h(Contracts, { argument: "" }));
    await goBack(page, 15);
    expect(page.text).toContain("Spot at NORTH, $/MWh: 41.00 / of 04:30:00, base");
    expect(page.text).toContain("Listed contracts with a position: 1");
    answers["mkt_get_entity"] = { positions: [], cursor: null };
    await page.type("of", "ASH", "change");
    expect(page.text).toContain("Listed contracts with a position: 0");
    expect(rows(page)[0]).toEndWith("| 45.50 | 0");
    answers["mkt_get_entity"] = refuse;
    await page.type("of", "CEDAR", "change");
    expect(page.text).toContain("Listed contracts with a position: not known");
    expect(rows(page)[0]).toEndWith("| 45.50 | unknown");
    await page.type("of", "", "change");
    expect(rows(page)[0]).toEndWith("| 2 | 45.50");
  });

  test("has a position only of contracts that are still listed, also of one without orders", async () => {
    const held = { boughtQuantity: 5, soldQuantity: 0, netQuantity: 5 };
    answers["mkt_get_entity"] = {
      positions: ["N-7", "N-OLD"].map((contractId) => ({ contractId, ...held })),
      cursor: null,
    };
    answers["GET /dashboard/past/orders"] = { ...START, orders: [], lastPrices: { "N-OLD": 4_100 } };
    answers["GET /dashboard/past"] = whole([]);
    await settle(() => applyUpdates([update({ contracts: [hour(0), hour(1)] })]));
    const page = await show(h(Contracts, { argument: "" }));
    await goBack(page, 15);
    expect(rows(page).map((row) => row.replace(/\(.*\)/, ""))).toEqual([
      "[NORTH, hour 7 of Nov 23] | – | | – | | – | +5",
      "[N-OLD] | – | | – | | 41.00 | unknown",
    ]);
  });

  test("shows no prices to whoever may not see all orders", async () => {
    answers["GET /dashboard/past/orders"] = refuse;
    const page = await show(h(Contracts, { argument: "" }));
    await goBack(page, 15);
    expect(page.text).toContain("Only those who may see all orders can see an earlier book");
    expect([page.all("tr").length, page.hints.some((hint) => /CSV|Copy/.test(hint))]).toEqual([0, false]);
  });
});
