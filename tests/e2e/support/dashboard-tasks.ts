// What people come to the dashboard for, each task done as a person would: from the market's page to what was looked for. The
// page counts the clicks of the mouse; keys are free.

import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { succeed, type TestClient } from "../../support/official-client.ts";
import { until } from "../../support/until.ts";

/** What a task finds in its market. */
interface TaskWorld {
  /** Acts as the same user as the dashboard. */
  readonly agent: TestClient;
  readonly contractId: string;
  /** That nobody trades with. */
  readonly openOrder: () => Promise<string>;
}

export interface Task {
  readonly name: string;
  /** Of the mouse, at most. */
  readonly clicks: number;
  /** It begins at /control, and takes control first. */
  readonly isControl?: true;
  readonly carryOut: (page: Page, world: TaskWorld) => Promise<void>;
}

/** The newest fill. */
const FILL = { limit: 1, fields: ["orderId", "time"] };

const link = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();

/** Searches with keys alone. */
async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press("/");
  await page.keyboard.type(text);
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Enter");
}

const openOrders = async ({ agent }: TaskWorld) =>
  (await succeed(agent, "mkt_find_modules", {
    moduleType: "ORDER",
    filters: { status: "working", userId: "operator" },
  }))
    .total;

/** Those of every run; a long run has the others, too. */
export const FIRST_TASKS: readonly Task[] = [
  {
    name: "learn why an order doesn't trade",
    clicks: 0,
    carryOut: async (page, { agent, openOrder }) => {
      const orderId = await openOrder();
      await search(page, orderId);
      const why = page.getByRole("region", { name: "Why doesn't it trade?" });
      await why.getByText(/^(Nobody offers at its price|There are no sell orders)/).waitFor();
      await why.getByText("Ahead at better prices, MW").waitFor();
      await succeed(agent, "mkt_cancel_order", { orderId });
      await why.waitFor({ state: "detached" });
    },
  },
  {
    name: "see whose credit is nearly used up",
    clicks: 1,
    carryOut: async (page) => {
      await link(page, "Credit");
      const uses = page.getByRole("region", { name: "Use of credit limits" });
      await uses.getByRole("columnheader", { name: /^Used/ }).waitFor();
      expect(await uses.getByRole("row").count()).toBeGreaterThan(1);
    },
  },
  {
    name: "learn what happened at a time, and to which order",
    clicks: 3,
    carryOut: async (page, { agent }) => {
      const { fills: [fill] } = await succeed(agent, "mkt_list_fills", FILL) as {
        fills: { orderId: string; time: string }[];
      };
      const clock = (later: number) => new Date(Date.parse(fill!.time) + later).toISOString().slice(11, 19);
      await link(page, "Events");
      await page.getByRole("link", { name: "What happened before" }).click();
      await page.getByLabel(/^Time,/).fill(`${clock(0)} utc to ${clock(1_000)} utc`);
      await page.keyboard.press("Enter");
      await page.getByRole("row", { name: "Filled" }).getByRole("link", { name: fill!.orderId, exact: true }).first()
        .click();
      await page.getByRole("heading", { level: 1, name: fill!.orderId }).waitFor();
      await page.getByText("Filled").first().waitFor();
    },
  },
  {
    name: "go back an hour",
    clicks: 1,
    carryOut: async (page) => {
      await page.getByLabel("Go back").click({ position: { x: 1, y: 5 } });
      await page.getByText(/^As it was at .* — not live$/).waitFor();
      // This market is younger, and the page says since when there are records.
      await page.getByText(/^The page can go back to /).waitFor();
      // The slider has the focus, and leaves the key to the page.
      await page.keyboard.press("Escape");
      await page.getByText(/ — not live$/).waitFor({ state: "detached" });
    },
  },
];

export const MORE_TASKS: readonly Task[] = [
  {
    name: "find a contract, and see its book",
    clicks: 0,
    carryOut: async (page, { contractId }) => {
      await search(page, contractId);
      const book = page.getByRole("region", { name: "Order book by price" });
      await until(() => book.getByRole("row").count(), (rows) => rows > 2);
    },
  },
  {
    name: "find the cheapest and the dearest hour",
    clicks: 1,
    carryOut: async (page) => {
      await link(page, "At a glance");
      for (const end of ["cheapest", "dearest"]) {
        await page.getByRole("link", { name: new RegExp(end) }).first().waitFor();
      }
    },
  },
  {
    name: "take the list of contracts along",
    clicks: 1,
    carryOut: async (page, { contractId }) => {
      const coming = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save as CSV: Contracts" }).click();
      const text = await Bun.file(await (await coming).path()).text();
      expect(text).toStartWith("Contract,Id,Node,");
      expect(text).toContain(contractId);
    },
  },
  {
    name: "be told when a price is reached",
    clicks: 2,
    carryOut: async (page, { contractId }) => {
      await page.getByRole("link", { name: /alerts/i }).click();
      await page.getByLabel("Contract", { exact: true }).fill(contractId);
      await page.keyboard.press("Enter");
      await page.getByLabel("Limit, $/MWh").fill("999");
      await page.getByRole("button", { name: "Set alert" }).click();
      await page.getByRole("button", { name: /^Remove: .*999/ }).waitFor();
    },
  },
  {
    name: "send an order",
    clicks: 2,
    isControl: true,
    carryOut: async (page, world) => {
      const before = await openOrders(world);
      await search(page, world.contractId);
      await page.getByRole("button", { name: "Buy", exact: true }).click();
      const form = page.getByRole("form", { name: "Prepared order" });
      await form.getByLabel("Price, $/MWh").fill("0.02");
      await page.keyboard.press("Enter");
      await form.getByRole("status").getByText("Done").waitFor();
      expect(await openOrders(world)).toBe(Number(before) + 1);
    },
  },
  {
    name: "take all own orders out",
    clicks: 3,
    isControl: true,
    carryOut: async (page, world) => {
      await world.openOrder();
      await search(page, world.contractId);
      await page.getByRole("button", { name: "Cancel all of mine" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Cancel all of mine" }).click();
      await dialog.getByText(/none of yours is open/).waitFor();
      expect(await openOrders(world)).toBe(0);
    },
  },
  {
    name: "halt the market",
    clicks: 4,
    isControl: true,
    carryOut: async (page, { agent }) => {
      await link(page, "Operate");
      await page.getByRole("button", { name: "Halt market" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Halt market" }).click();
      await dialog.getByRole("status").getByText("Done").waitFor();
      const { id, status } = await succeed(agent, "mkt_get_market_state");
      expect(status).toBe("halted");
      await succeed(agent, "mkt_resume_market", { marketId: id });
    },
  },
];

/** Call it before the page is opened. Gives how often the mouse was clicked in it. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counted = { clicks: 0 };
    Object.assign(globalThis, { counted });
    // A key that presses a button makes a click without a count. A click that missed, because the page moved under it, is
    // stopped on its way and made again.
    const count = (event: Event) => void (counted.clicks += (event as MouseEvent).detail > 0 ? 1 : 0);
    addEventListener("click", count);
  });
  return () => page.evaluate(() => (globalThis as unknown as { counted: { clicks: number } }).counted.clicks);
}
