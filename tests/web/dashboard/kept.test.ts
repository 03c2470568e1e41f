// What the browser keeps for whoever acts: watchlist, layouts and alerts. Nothing of it is another user's to see.

import { beforeEach, describe, expect, test } from "bun:test";
import { h } from "preact";
import { settle, show } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { BOOK, hour, SESSION } from "../support/market.ts";
import { update } from "../updates.ts";

const dashboard = await openDashboard();
const { applyUpdates, inState, later, listeners, location, session, stored } = dashboard;
const { owner } = await import("../../../web/dashboard/kept/kept.ts");
const { forgetLayout, keepLayout, layouts } = await import("../../../web/dashboard/kept/layouts.ts");
const { toggleWatched, watchedContracts } = await import("../../../web/dashboard/kept/watched-contracts.ts");
const { addCondition, conditions, isMuted, raised, removeCondition, toggleMute, unseen, watchAlerts } = await import(
  "../../../web/dashboard/alerts/alerts.ts"
);
const { NewestAlert } = await import("../../../web/dashboard/alerts/alert-bell.tsx");
const { default: AlertsPage } = await import("../../../web/dashboard/alerts/alerts-page.tsx");
const { default: SideBySide } = await import("../../../web/dashboard/side-by-side/side-by-side.tsx");
const { default: Watchlist } = await import("../../../web/dashboard/watchlist/watchlist.tsx");
watchAlerts();

const as = (userId: string | null, entityId: string | null = "CEDAR") => inState({ connection: { userId, entityId } });
const key = (name: string, userId = "anna") => `mkt-kept-${name} ["desk","${userId}"]`;

let pages = 0;
beforeEach(async () => {
  stored.clear();
  location.hash = `#/page-${++pages}`;
  // Another one each time, so that a test finds nothing of the one before.
  as(`user-${pages}`);
  await settle(() => applyUpdates([update({ isWhole: true, contracts: [hour(0), hour(1)], books: [BOOK] })]));
  as(`user-${pages}`);
});

/** What the other tab of the browser writes. */
function written(name: string, value: unknown): void {
  const [full, newValue] = [key(name, `user-${pages}`), JSON.stringify(value)];
  stored.set(full, newValue);
  listeners.dispatch({ type: "storage", ...{ key: full, newValue } });
}

describe("what is kept", () => {
  test("is that of the acting user, comes back with them, and is nobody else's", () => {
    as("anna");
    toggleWatched("N-6");
    keepLayout({ name: "morning", contracts: ["N-6"] });
    addCondition({ kind: "halt" });
    toggleMute();
    const seen = () => [watchedContracts.value.length, layouts.value.length, conditions.value.length, isMuted.value];
    expect(seen()).toEqual([1, 1, 1, true]);
    as("bob");
    expect(seen()).toEqual([0, 0, 0, false]);
    toggleWatched("N-7");
    as("anna");
    expect([...seen(), watchedContracts.value]).toEqual([1, 1, 1, true, ["N-6"]]);
    // Somebody else has signed in, under whom the server acts as the same user.
    session.value = { ...SESSION, caller: "other desk" };
    expect(seen()).toEqual([0, 0, 0, false]);
    session.value = { ...SESSION, access: null };
    expect([...seen(), owner.value]).toEqual([0, 0, 0, false, null]);
    session.value = SESSION;
    expect(seen()).toEqual([1, 1, 1, true]);
    expect(JSON.parse(stored.get(key("watchlist"))!)).toEqual(["N-6"]);
  });

  test("stays while the connection to the market is lost, and is nothing as long as nobody acts", () => {
    as("carla");
    toggleWatched("N-6");
    as(null, null);
    expect(watchedContracts.value).toEqual(["N-6"]);
    session.value = { ...SESSION, caller: "other desk" };
    toggleWatched("N-7");
    expect([watchedContracts.value, owner.value]).toEqual([[], null]);
  });

  test("is left out as far as it is not right", () => {
    written("watchlist", ["N-6", 5, null, "", "N-6", "x".repeat(300), "N-7"]);
    expect(watchedContracts.value).toEqual(["N-6", "N-7"]);
    written("watchlist", Array.from({ length: 500 }, (_, index) => `N-${index}`));
    expect(watchedContracts.value).toHaveLength(100);
    written("layouts", [{ name: "a", contracts: ["N-6"] }, { name: 5, contracts: ["N-6"] }, { name: "b" }, "c", null]);
    expect(layouts.value).toEqual([{ name: "a", contracts: ["N-6"] }]);
    written("alerts", [{ kind: "halt" }, { kind: "price", limit: "x" }, 7]);
    expect(conditions.value).toEqual([{ kind: "halt" }]);
    for (const nothing of [{}, 5, "text", null]) {
      for (const name of ["watchlist", "layouts", "alerts", "mute"]) written(name, nothing);
      expect([watchedContracts.value, layouts.value, conditions.value, isMuted.value]).toEqual([[], [], [], false]);
    }
    const full = key("watchlist", `user-${pages}`);
    for (const newValue of ["no JSON", `["${"x".repeat(200_000)}"]`]) {
      listeners.dispatch({ type: "storage", ...{ key: full, newValue } });
      expect(watchedContracts.value).toEqual([]);
    }
  });

  test("changes in all tabs of the browser, but not for another user", () => {
    written("watchlist", ["N-7"]);
    expect(watchedContracts.value).toEqual(["N-7"]);
    listeners.dispatch({ type: "storage", ...{ key: key("watchlist", "bob"), newValue: '["SECRET"]' } });
    expect(watchedContracts.value).toEqual(["N-7"]);
  });

  test("has one layout of a name, and forgets it", () => {
    keepLayout({ name: "a", contracts: ["N-6"] });
    keepLayout({ name: "b", contracts: ["N-6"] });
    keepLayout({ name: "a", contracts: ["N-7"] });
    expect(layouts.value.map(({ name, contracts }) => `${name} ${contracts}`)).toEqual(["b N-6", "a N-7"]);
    forgetLayout("b");
    expect(layouts.value.map(({ name }) => name)).toEqual(["a"]);
  });
});

describe("alerts", () => {
  const fill = (entityId: string) => ({
    sequence: 1,
    type: "new.fill",
    category: "fill" as const,
    time: hour(0).deliveryStart,
    data: { orderId: "O", tradeId: "T", contractId: "N-6", entityId, side: 0, price: 4_650, quantity: 5 },
  });

  test("come once for each crossing, lead to their page, and are gone when another user acts", async () => {
    addCondition({ kind: "price", contractId: "N-6", of: "last", side: "above", limit: 5_000 });
    const page = await show(h(NewestAlert, {}));
    const priced = (lastPrice: number) => settle(() => applyUpdates([update({ contracts: [hour(0, { lastPrice })] })]));
    for (const lastPrice of [4_900, 5_000, 5_010, 4_995, 5_020]) await priced(lastPrice);
    expect(raised.value.map(({ text, address }) => [text, address])).toEqual([
      ["Last price of NORTH, hour 6 of Nov 23 is 50.00 $/MWh: up to 50.00", "#/contract/N-6"],
    ]);
    expect(page.text).toContain("(#/contract/N-6)");
    expect(unseen.value).toBe(1);
    await settle(() => as("somebody else"));
    expect([raised.value, unseen.value, page.text]).toEqual([[], 0, ""]);
    await priced(4_000);
    await priced(6_000);
    expect(raised.value).toEqual([]);
  });

  test("tell of own fills only, not of another's, and not of those before the page was opened", async () => {
    addCondition({ kind: "fill" });
    const arrive = (entityId: string, continues: boolean) =>
      settle(() => applyUpdates([update({ events: [fill(entityId)], continues })]));
    await arrive("CEDAR", false);
    await arrive("ASH", true);
    expect(raised.value).toEqual([]);
    await arrive("CEDAR", true);
    expect(raised.value.map(({ address }) => address)).toEqual(["#/order/O"]);
    await settle(() => inState({ connection: { userId: `user-${pages}`, entityId: null } }));
    await arrive("CEDAR", true);
    expect(raised.value).toHaveLength(1);
  });

  test("tell of a halt, and of a lost connection once until it has held for a while", async () => {
    addCondition({ kind: "halt" });
    addCondition({ kind: "connection" });
    const user = { userId: `user-${pages}` };
    const then = (state: Parameters<typeof inState>[0]) => settle(() => inState({ connection: user, ...state }));
    const lost = { contact: { state: "reconnecting", since: 0, attempt: 1 } } as const;
    await then({ markets: [{ halted: true, haltReason: "a fault" }] });
    expect(raised.value.map(({ text }) => text)).toEqual(["Plains is halted: a fault"]);
    await then({});
    await then(lost);
    await then({});
    await then(lost);
    expect(raised.value).toHaveLength(2);
    await then({});
    await later(10_000);
    await then(lost);
    expect(raised.value.map(({ text }) => text.slice(0, 8))).toEqual(["What is ", "What is ", "Plains i"]);
  });

  test("of credit are judged by what the server shows the acting user, after it has changed", async () => {
    addCondition({ kind: "credit", limit: 80 });
    const pair = { entityId: "CEDAR", counterpartyId: "ASH" };
    for (const [index, used] of [100, 850].entries()) {
      dashboard.answers["GET /dashboard/credit"] = () => ({ pairs: [{ ...pair, limits: [{ limit: 1_000, used }] }] });
      await settle(() => applyUpdates([update({ isWhole: true, creditRevision: index })]));
      await later(5_000);
    }
    expect(raised.value.map(({ text }) => text)).toEqual(["85 % of the credit limit that CEDAR set for ASH is used"]);
  });

  test("are set and removed on their page, which says what has been raised", async () => {
    const page = await show(h(AlertsPage, {}));
    expect(page.text).toContain("No alert is set");
    await page.click("Halt");
    await page.click("Set alert");
    await page.click("Credit");
    await page.type("Used, % of the limit", "70");
    await page.click("Set alert");
    expect(conditions.value).toEqual([{ kind: "halt" }, { kind: "credit", limit: 70 }]);
    await page.click("Spread");
    await page.type("Contract", "hour 6");
    await settle(() => void page.all("contract-picker")[0]!.dispatch({ type: "submit" }));
    await page.type("Limit, $/MWh", "1.25");
    await page.click("Set alert");
    expect(conditions.value[2]).toEqual({ kind: "spread", contractId: "N-6", side: "above", limit: 125 });
    await page.click("Remove: A market is halted");
    removeCondition({ kind: "credit", limit: 70 });
    expect(conditions.value).toHaveLength(1);
    expect(page.text).toContain("No alerts yet");
    await page.click("Mute q");
    expect(isMuted.value).toBe(true);
  });
});

describe("the watchlist", () => {
  test("has the contracts that were chosen, with their prices, and says which are no longer listed", async () => {
    const page = await show(h(Watchlist, {}));
    expect(page.text).toContain("No contract is watched");
    await page.type("Contract", "nothing like it");
    expect(page.text).toContain("No listed contract matches");
    await page.type("Contract", "north hour 6");
    await settle(() => void page.all("contract-picker")[0]!.dispatch({ type: "submit" }));
    await settle(() => toggleWatched("GONE"));
    expect(page.all("tr").slice(1).map((row) => page.readingOf(row).replace(/ \| <No.*/, ""))).toEqual([
      "[NORTH, hour 6 of Nov 23](#/contract/N-6) | 46.00 | 46.75 | 0.75 | 46.50 | | 1,234 | 12",
      "[GONE](#/contract/GONE) | not listed now",
    ]);
    expect(page.text).toContain("[Side by side](#/side-by-side?contracts=N-6%2CGONE)");
    await page.click("No longer watch GONE");
    expect(watchedContracts.value).toEqual(["N-6"]);
  });
});

test("contracts side by side are those of the address, and are kept under a name", async () => {
  const page = await show(h(SideBySide, {}));
  expect(page.text).toContain("No contract is shown");
  const add = async (text: string) => {
    await page.type("Contract", text);
    await settle(() => void page.all("contract-picker")[0]!.dispatch({ type: "submit" }));
  };
  await add("N-6");
  await add("N-7");
  expect(location.hash).toBe(`#/page-${pages}?contracts=N-6%2CN-7`);
  expect(page.text).toContain("Bid 46.00 Ask 46.75 Last 46.50 $/MWh");
  await page.type("Keep as", "morning");
  await settle(() => void page.all("form").at(-1)!.dispatch({ type: "submit" }));
  expect(layouts.value).toEqual([{ name: "morning", contracts: ["N-6", "N-7"] }]);
  await page.click("Remove");
  expect(location.hash).toBe(`#/page-${pages}?contracts=N-7`);
  await page.type("Kept layout", "morning", "change");
  expect(location.hash).toBe(`#/page-${pages}?contracts=N-6%2CN-7`);
  await page.click("Forget morning");
  expect(layouts.value).toEqual([]);
});

test("a layout has as many contracts as a page can follow", () => {
  keepLayout({ name: "all", contracts: Array.from({ length: 9 }, (_, at) => `N-${at}`) });
  expect(layouts.value.map(({ contracts }) => contracts.at(-1))).toEqual(["N-7"]);
});
