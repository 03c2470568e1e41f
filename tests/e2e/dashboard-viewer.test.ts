// A user who may not see others' orders, in each page of the dashboard in real Chromium: no order of another is in what is
// shown, in what a table gives to take along, or in an alert. Under test:long; in every run,
// tests/plugins/dashboard/visibility.test.ts asks the routes from which the pages have everything.

import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { loadDefinition } from "../../engine/definition/load-definition.ts";
import { marketDefinition } from "../../engine/definition/market-definition.ts";
import { findChromium, startChromium } from "../support/chromium.ts";
import { httpServerHere } from "../support/in-process.ts";
import { connected } from "../support/official-client.ts";
import { MARKET_FILE, NORTH, startPowerMarket, submit } from "../support/power-market.ts";
import { LONG } from "../support/sizes.ts";
import { until } from "../support/until.ts";
import { factsOf, show } from "./support/dashboard.ts";

const PAGES = [
  ...["market", `contract/${NORTH}`, "glance", "spot", "entities", "entities/aurora", "simulation", "credit", "events"],
  ...["past", `side-by-side?contracts=${NORTH}`, "alerts", "watchlist"],
];

const path = LONG ? findChromium("the test of what a viewer sees") : null;
const chromium = path === null ? null : await startChromium(path);

/** The market of the tests, with a user who sees own orders alone. */
function withCora() {
  const loaded = loadDefinition(MARKET_FILE);
  if (!loaded.ok) throw new Error(loaded.faults.join("\n"));
  const { definition } = loaded;
  const cora = { id: "cora", name: "Cora", entityId: "cirrus", permissions: ["Order.Submit"] };
  return marketDefinition.parse({ ...definition, users: [...definition.users, cora] });
}

/** What the page shows now, and what its tables give to take along. */
async function shownAndTaken(page: Page): Promise<string> {
  const texts = [await page.locator("body").innerText()];
  for (const button of await page.getByRole("button", { name: /^Save as CSV/ }).all()) {
    const coming = page.waitForEvent("download");
    await button.click();
    texts.push(await Bun.file(await (await coming).path()).text());
  }
  return texts.join("\n");
}

if (chromium !== null) {
  test("sees no order of another in any page, file or alert, and own ones in each that has them", async () => {
    const engine = await startPowerMarket({ definition: withCora() }, { isSimulated: true });
    const [anna, bert] = [await engine.trader("anna"), await engine.trader("bert")];
    const server = await httpServerHere({ ...engine.environmentFor("cora"), MKT_SIM_URL: engine.url });
    const cora = await connected(server.client());
    const hidden: string[] = [];
    const trade = async () => {
      for (const [client, side] of [[anna, "SELL"], [bert, "BUY"], [anna, "SELL"]] as const) {
        hidden.push(String((await submit(client, side, 4_700, 5))["orderId"]));
      }
    };
    await trade();
    const watched = await chromium.open(server.url);
    const { page } = watched;
    // Credit, and what has happened.
    watched.expect(/status of 403 .*\/dashboard\/(credit|past)/);
    await show(page, "#/alerts");
    await page.getByRole("button", { name: "Own fill" }).click();
    await page.getByRole("button", { name: "Set alert" }).click();
    await page.getByRole("button", { name: /^Remove/ }).waitFor();
    const own = String((await submit(cora, "BUY", 4_000, 1))["orderId"]);

    const withOwn: string[] = [];
    for (const address of [...PAGES, `order/${own}`, ...hidden.map((id) => `order/${id}`)]) {
      await show(page, `#/${address}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await until(() => page.locator('[aria-busy="true"]').count(), (count) => count === 0);
      await trade();
      const { sequence } = await factsOf(page);
      await submit(cora, "BUY", 3_900, 1);
      await until(() => factsOf(page), (facts) => facts.sequence > sequence);
      const text = await shownAndTaken(page);
      const isAsked = hidden.some((id) => address === `order/${id}`);
      // The page of another's order repeats the id that was asked for, and says that there is no such order.
      const found = hidden.filter((id) => new RegExp(`\\b${id}\\b`).test(text) && !address.endsWith(`/${id}`));
      expect([address, found]).toEqual([address, []]);
      if (isAsked) expect(text).toContain("There is no ORDER");
      else if (new RegExp(`\\b${own}\\b`).test(text)) withOwn.push(address);
    }
    expect(withOwn).toContain(`order/${own}`);
    expect(withOwn).toContain("events");
    expect(await page.getByRole("status", { name: "Newest alert" }).innerText()).toBe("");
  });
}
