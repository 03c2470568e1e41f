// Every page and form of the dashboard, in real Chromium: without an error, without a fault of accessibility (axe-core), in
// light, dark and the colours of the system, from a phone to a wide screen, and with names that try to be more than text. In
// test:long, each page has every width in all colours. In every run, half of the pages are narrow and dark, the others wide
// and light. Both then get the colours of the system, and only what depends on colours is looked at again.

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { DAY_MS } from "../../protocol/time-units.ts";
import { findChromium, startChromium } from "../support/chromium.ts";
import { httpServerHere } from "../support/in-process.ts";
import { succeed } from "../support/official-client.ts";
import { LONG, size } from "../support/sizes.ts";
import { until } from "../support/until.ts";
import { faultsOf } from "./support/accessibility.ts";
import { factsOf, show } from "./support/dashboard.ts";
import { countClicks, FIRST_TASKS, MORE_TASKS, type Task } from "./support/dashboard-tasks.ts";
import { openDashboard } from "./support/dashboard-world.ts";

/** CSS pixels, and the colours. */
type Look = readonly [width: number, theme: "light" | "dark" | "forced"];
const NARROW: readonly Look[] = [[390, "dark"], [390, "forced"]];
const WIDE: readonly Look[] = [[1280, "light"], [1280, "forced"]];
const EVERY_LOOK = [340, 390, 760, 1024, 1280, 1440, 2560].flatMap((width): Look[] => [
  [width, "light"],
  [width, "dark"],
  [width, "forced"],
]);
/** Of two frames each. */
const MAX_LOOKS = 100;
/** More than a list has places for the focus. */
const MAX_KEYS = 500;

/** The longest that a market file may have. Its mark turns the rest of a line around, unless it is escaped or isolated. */
const HOSTILE = `<img src=x onerror="attacked=1">\u202e<script>attacked=2</script>&amp;{{7*7}}`.padEnd(200, "W");
function hostileMarket() {
  const market = builtInMarket();
  const renamed = <Named extends { name: string }>(each: readonly Named[]) =>
    each.map((one) => ({ ...one, name: HOSTILE }));
  const [markets, entities] = [renamed(market.markets), renamed(market.entities)];
  return { ...market, markets, entities, products: renamed(market.products), users: renamed(market.users) };
}

const path = findChromium("the tests of the dashboard's pages");
const chromium = path === null ? null : await startChromium(path);

/** How much wider than the window the page is, in pixels. A chart follows a new width of its box some frames later. */
async function overflowOf(page: Page): Promise<number> {
  const measure = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  for (let look = 0; look < MAX_LOOKS && await measure() !== 0; look += 1) await twoFrames(page);
  return await measure();
}

/** Resolves when the page has drawn twice. */
function twoFrames(page: Page): Promise<void> {
  return page.evaluate(() =>
    new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
  );
}

/** What market text has become in the page, if it is more than text. */
function breaches(page: Page): Promise<string[]> {
  return page.evaluate(() => [
    ...("attacked" in globalThis ? ["a script has run"] : []),
    ...(document.querySelector("img[src=x]") === null ? [] : ["an element was made"]),
    ...(/[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText) ? ["a mark turns text around"] : []),
  ]);
}

/** What is wrong with the page as it is shown, in each of the looks that this run has. */
async function problemsOf(page: Page, index: number): Promise<string[]> {
  const problems: string[] = [];
  let shownWidth: number | null = null;
  for (const [width, theme] of LONG ? EVERY_LOOK : index % 2 === 0 ? NARROW : WIDE) {
    const isForced = theme === "forced";
    await page.emulateMedia({ colorScheme: isForced ? "dark" : theme, forcedColors: isForced ? "active" : "none" });
    const isNewWidth = shownWidth !== width;
    if (isNewWidth) {
      shownWidth = width;
      await page.setViewportSize({ width, height: 900 });
      const overflow = await overflowOf(page);
      if (overflow !== 0) problems.push(`at ${width}: ${overflow} pixels too wide`);
    }
    const faults = await faultsOf(page, { ofColours: !isNewWidth });
    problems.push(...faults.map((fault) => `at ${width}, ${theme}: ${fault}`));
  }
  return [...problems, ...await breaches(page)];
}

if (chromium !== null) {
  const { server, agent, stir, env, contractId, orderId } = await openDashboard(hostileMarket());
  // The names of peak contracts and of their neighbours have that of the product.
  const months = { moduleType: "CONTRACT", filters: { productCode: "NORTH-MO-PEAK" }, limit: 1 };
  const { ids: [month] } = await succeed(agent, "mkt_find_modules", months) as { ids: string[] };
  const bid = { contractId, side: "BUY", price: 1, quantity: 1 };
  const openOrder = async () => String((await succeed(agent, "mkt_create_test_order", bid))["orderId"]);
  const openOrderId = await openOrder();
  const { fills: [{ time: earlier }] } = await succeed(agent, "mkt_list_fills", { limit: 1, fields: ["time"] }) as {
    fills: [{ time: string }];
  };
  const watched = await chromium.open(`${server.url}/#/market`);

  const showWhole = async (page: Page, address: string) => {
    await show(page, address);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const { sequence } = await factsOf(page);
    await stir();
    await until(() => factsOf(page), (facts) => facts.sequence > sequence);
    await until(() => page.locator('[aria-busy="true"]').count(), (count) => count === 0);
  };

  const PAGES: [string, string][] = [
    ["the market", "#/market"],
    ["a contract", `#/contract/${contractId}`],
    ["the market at a glance", "#/glance"],
    ["spot prices", "#/spot"],
    ["an entity", "#/entities/RIVERBEND"],
    ["the simulation", "#/simulation"],
    ["credit", "#/credit"],
    ["events", "#/events"],
    ["what happened", "#/past"],
    ["an order", `#/order/${orderId}`],
    ["an open order", `#/order/${openOrderId}`],
    ["a contract at an earlier time", `#/contract/${contractId}?at=${encodeURIComponent(earlier)}`],
    ["contracts side by side", `#/side-by-side?contracts=${contractId}`],
    ["alerts", "#/alerts"],
    ...size<[string, string][]>([], [
      ["a peak month", `#/contract/${month}`],
      ["the market at an earlier time", `#/market?at=${encodeURIComponent(earlier)}`],
      ["entities", "#/entities"],
    ]),
  ];

  describe.each(PAGES.map((each, index) => [...each, index] as const))("the page of %s", (_name, address, index) => {
    test("has no fault, and no text of the market is more than text", async () => {
      await showWhole(watched.page, address);
      expect(await problemsOf(watched.page, index)).toEqual([]);
    });
  });

  describe.each([...FIRST_TASKS, ...size<readonly Task[]>([], MORE_TASKS)])("a person can $name", (task) => {
    test(`with at most ${task.clicks} clicks`, async () => {
      const { page } = await chromium.open("about:blank", { hosts: [new URL(server.url).host] });
      const clicks = await countClicks(page);
      await page.goto(`${server.url}${task.isControl ? "/control" : "/"}#/market`);
      if (task.isControl) await page.getByRole("button", { name: "Take control" }).click();
      await page.locator("tr[data-contract]").first().waitFor();
      await task.carryOut(page, { agent, contractId, openOrder });
      expect(await clicks()).toBeLessThanOrEqual(task.clicks);
    });
  });

  test(`reaches ${size("each month, quarter and year", "each contract")} of a list with the keyboard alone`, async () => {
    const { page } = watched;
    // Some rows fit, and the list of the second node is far below.
    await page.setViewportSize({ width: 600, height: 400 });
    await show(page, size("#/market?delivery=months", "#/market"));
    await page.locator("tr[data-contract]").first().waitFor();
    await page.getByRole("searchbox", { name: /^Filter contracts/ }).focus();
    const focus = () =>
      page.evaluate(() => {
        const { activeElement } = document;
        const row = activeElement?.closest<HTMLElement>("tr[data-contract]");
        const isEnd = activeElement?.textContent === "Copy" || activeElement?.getAttribute("type") === "search";
        return { contractId: row?.dataset["contract"] ?? null, isEnd };
      });
    const reached: Record<"Tab" | "Shift+Tab", Set<string | null>> = { Tab: new Set(), "Shift+Tab": new Set() };
    for (const key of ["Tab", "Shift+Tab"] as const) {
      for (let keys = 0; keys < MAX_KEYS; keys++) {
        await page.keyboard.press(key);
        const { contractId, isEnd } = await focus();
        if (isEnd) break;
        reached[key].add(contractId);
      }
    }
    const later = new Date(Date.now() + DAY_MS / 3).toISOString();
    const filters = { hours: { value: size(200, 0), operator: "gt" }, deliveryStart: { value: later, operator: "gt" } };
    const listed = { moduleType: "CONTRACT", filters, limit: 1_000 };
    const { ids } = await succeed(agent, "mkt_find_modules", listed) as { ids: string[] };
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !reached.Tab.has(id))).toEqual([]);
    expect(ids.filter((id) => !reached["Shift+Tab"].has(id))).toEqual([]);
  });

  test("leads from a cell of the map to its contract with the keyboard alone", async () => {
    const { page } = watched;
    await show(page, "#/glance");
    const day = page.getByRole("table", { name: /^Hours of/ }).last();
    await day.getByRole("link").first().focus();
    await page.keyboard.press("End");
    const address = await page.evaluate(() => document.activeElement!.getAttribute("href"));
    expect(address).toBe(await day.getByRole("row").nth(1).getByRole("link").last().getAttribute("href"));
    await page.keyboard.press("Enter");
    await until(() => page.url(), (url) => url.endsWith(address!));
    await page.getByRole("region", { name: "Order book by price" }).waitFor();
  });

  test("leads from the market as it was to a contract as it was, and back to live with a key", async () => {
    const { page } = watched;
    await show(page, "#/market");
    await page.getByLabel("Go back").focus();
    await page.keyboard.press("ArrowLeft");
    await page.getByLabel(/^Time,/).fill(`${earlier.slice(11, 19)} utc`);
    await page.keyboard.press("Enter");
    const contracts = page.getByRole("table", { name: "Contracts as they were" });
    await contracts.waitFor();
    await page.getByText(/^Spot at .*, \$\/MWh$/).first().waitFor();
    await page.getByLabel("of", { exact: true }).selectOption({ index: 1 });
    await contracts.getByRole("columnheader", { name: "Position, MW" }).waitFor();
    await contracts.getByRole("link").first().click();
    await page.getByRole("region", { name: "Order book by price" }).waitFor();
    expect(await page.getByText(/ — not live$/).count()).toBe(1);
    await page.keyboard.press("l");
    await page.getByText(/ — not live$/).waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Price history" }).waitFor();
  });

  test("the form for control and the page that operates the market have no fault", async () => {
    const { page } = await chromium.open(`${server.url}/control#/operate`);
    const take = page.getByRole("button", { name: "Take control" });
    await take.waitFor();
    expect(await problemsOf(page, 0)).toEqual([]);
    await take.click();
    await page.getByRole("button", { name: "Halt market" }).waitFor();
    await showWhole(page, "#/operate");
    expect(await problemsOf(page, 1)).toEqual([]);
  });

  test("the form to sign in has no fault", async () => {
    const guarded = await httpServerHere({ ...env, MCP_BEARER_TOKEN: "secret-of-the-desk-that-is-long" });
    const { page } = await chromium.open(guarded.url);
    await page.getByLabel("Token").waitFor();
    expect(await problemsOf(page, 0)).toEqual([]);
  });
}
