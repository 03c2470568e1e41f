// The dashboard in real Chromium, beside a running simulation: what moves, what stops, what heals, and what an operator does
// with it.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { atEnd } from "../support/at-end.ts";
import { CuttingProxy } from "../support/cutting-proxy.ts";
import { findChromium, startChromium, type WatchedPage } from "../support/chromium.ts";
import { succeed } from "../support/clients.ts";
import { startHttpServer } from "../support/executable.ts";
import { LONG, size } from "../support/sizes.ts";
import { until } from "../support/until.ts";
import { countUpdates, type Facts, factsOf, show } from "./support/dashboard.ts";
import { openDashboard } from "./support/dashboard-world.ts";

/** How Chromium names a request whose connection was cut: it depends on the moment. */
const CUT_CONNECTION = /ERR_(INCOMPLETE_CHUNKED_ENCODING|CONNECTION|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)/;
/** Updates of the page, of which ten make at least a second. */
const SECOND = 10;
const EVENTS = size(10, 30);
const MANY_EVENTS = size(30, 60);
const CUTS = size(2, 3);

const path = findChromium("the tests of the dashboard");
const chromium = path === null ? null : await startChromium(path);

const statusOf = (page: Page) => page.getByRole("status", { name: "Market status" });

if (chromium !== null) {
  const { server, agent, stir, buy, marketId, marketName, contractId, freezeFile, env } = await openDashboard();

  /** Makes events until so many more have come. */
  const untilEvents = async (page: Page, more: number): Promise<Facts> => {
    const { received } = await factsOf(page);
    const stirred = () => stir().then(() => factsOf(page));
    return await until(stirred, (facts) => facts.received >= received + more);
  };

  const haltReason = async () => (await succeed(agent, "mkt_get_market_state"))["haltReason"];

  /** Clicks a button that asks for a confirmation, agrees to it, and closes the dialog after its outcome. */
  const confirm = async (page: Page, button: string, question: RegExp) => {
    await page.getByRole("button", { name: button }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(question).first().waitFor();
    await dialog.getByRole("button", { name: button }).click();
    await dialog.getByRole("status").getByText("Done").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await dialog.waitFor({ state: "hidden" });
  };

  // One page for several tests, because each costs a process. Blank once they are over, or it would follow every event.
  describe("a page", () => {
    let proxy: CuttingProxy;
    let watched: WatchedPage;
    let page: Page;
    beforeAll(async () => {
      proxy = await CuttingProxy.to(Number(new URL(server.url).port));
      atEnd(() => proxy[Symbol.asyncDispose]());
      watched = await chromium.open(proxy.url.replace("ws:", "http:").replace("/ws", "/"));
      ({ page } = watched);
    });
    afterAll(async () => void await page.goto("about:blank"));

    test("follows a book and the market without a reload", async () => {
      await show(page, `#/contract/${contractId}`);
      const began = await page.evaluate(() => performance.timeOrigin);
      const book = page.getByRole("region", { name: "Order book by price" });
      for (const table of [book, page.getByRole("main").getByRole("table").first()]) {
        const before = await table.innerText();
        await buy();
        await until(() => table.innerText(), (text) => text !== before);
        await page.getByRole("link", { name: "Market", exact: true }).click();
      }
      expect(await page.evaluate(() => performance.timeOrigin)).toBe(began);
      expect(await factsOf(page)).toMatchObject({ contact: "live", missed: 0, gaps: 0, duplicates: 0 });
    });

    test.skipIf(!LONG)("keeps its place over reload, back and forward", async () => {
      await show(page, "#/events");
      const heading = page.getByRole("heading", { level: 1 });
      const entities = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Entities" });
      const untilTitle = (title: string) => until(() => heading.innerText(), (text) => text === title);
      await entities.click();
      await untilTitle("Entities");
      await page.reload();
      await untilTitle("Entities");
      expect(await entities.getAttribute("aria-current")).toBe("page");
      await page.goBack();
      await untilTitle("Events");
      await page.goForward();
      await untilTitle("Entities");
    });

    test.skipIf(!LONG)(
      "of events stands still while it is paused, counts what comes, and goes on without a gap",
      async () => {
        await show(page, "#/events");
        const rows = page.getByRole("region", { name: "Events" }).locator("tbody");
        await untilEvents(page, EVENTS);
        await page.getByRole("button", { name: "Pause" }).click();
        const counted = page.getByRole("status").filter({ hasText: /^[\d,]+ new$/ });
        const before = await rows.innerText();
        const newEvents = async () => Number((await counted.innerText()).replace(/\D/g, ""));
        const first = await newEvents();
        await untilEvents(page, EVENTS);
        expect(await rows.innerText()).toBe(before);
        await until(newEvents, (count) => count >= first + EVENTS);
        await page.getByRole("button", { name: "Go on" }).click();
        await until(() => rows.innerText(), (text) => text !== before);
        expect(await counted.count()).toBe(0);
        expect(await page.getByText(/missing here/).count()).toBe(0);
        expect(await factsOf(page)).toMatchObject({ missed: 0, gaps: 0 });
      },
    );

    test.skipIf(!LONG)(
      "of events has every event since before it was opened, from the newest to the oldest",
      async () => {
        await show(page, "#/credit");
        await until(() => factsOf(page), ({ received }) => received > MANY_EVENTS);
        await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Events" }).click();
        await page.getByRole("button", { name: "Pause" }).click();
        const box = page.getByRole("region", { name: "Events" });
        const numberOf = async (button: Locator) => {
          await button.click();
          return Number(await page.locator("dt", { hasText: /^number$/ }).locator("+ dd").innerText());
        };
        const rows = Number(await box.getByRole("table").getAttribute("aria-rowcount"));
        const newest = await numberOf(box.getByRole("button").first());
        await box.evaluate((element) => (element.scrollTop = element.scrollHeight));
        const oldest = await numberOf(box.locator(`tr[aria-rowindex="${rows}"]`).getByRole("button"));
        // The first row is the head.
        expect(newest - oldest + 1).toBe(rows - 1);
        expect(rows).toBeGreaterThan(MANY_EVENTS);
      },
    );

    test("shows a halt by another client within a second of its event, and the end of the halt", async () => {
      const updates = await countUpdates(page, "HALTED");
      await show(page, "#/market");
      await page.reload();
      await statusOf(page).getByText(/open/i).waitFor();
      await succeed(agent, "mkt_halt_market", { marketId, reason: "a frequency excursion" });
      const halted = await updates.soFar();
      const shown = await until(() => updates.untilShown(), (shown) => shown !== null);
      expect(shown! - halted).toBeLessThanOrEqual(SECOND);
      await page.getByText("a frequency excursion").first().waitFor();
      await succeed(agent, "mkt_resume_market", { marketId });
      await statusOf(page).getByText(/open/i).waitFor();
      expect(await page.getByText("a frequency excursion").count()).toBe(0);
    });

    test("loses no event if its connection is cut, and shows none twice", async () => {
      watched.expect(CUT_CONNECTION);
      const before = await until(() => factsOf(page), ({ sequence }) => sequence > 0);
      for (let cut = 0; cut < CUTS; cut++) {
        await untilEvents(page, EVENTS);
        proxy.cut();
        await until(() => factsOf(page), ({ contact }) => contact === "reconnecting");
        await until(() => factsOf(page), ({ contact }) => contact === "live");
      }
      const after = await untilEvents(page, EVENTS);
      const { epoch, wholes } = before;
      expect(after).toMatchObject({ epoch, wholes, missed: 0, gaps: 0 });
      expect(after.received - before.received).toBe(after.sequence - before.sequence);
      expect(after.connects).toBeGreaterThanOrEqual(before.connects + CUTS);
    });
  });

  describe("a page of its own", () => {
    test.skipIf(!LONG)(
      "goes on by itself after its server was killed and started again, and connects the new one",
      async () => {
        const first = await startHttpServer(env);
        const watched = await chromium.open(first.url);
        watched.expect(CUT_CONNECTION);
        const { page } = watched;
        await untilEvents(page, 10);
        await first.crash();
        await until(() => factsOf(page), ({ contact }) => contact === "reconnecting");
        const second = await startHttpServer({ ...env, MCP_HTTP_PORT: new URL(first.url).port });
        expect(second.url).toBe(first.url);
        await untilEvents(page, 10);
        expect(await factsOf(page)).toMatchObject({ contact: "live", gaps: 0 });
        await statusOf(page).getByText(/open/i).waitFor();
      },
    );
  });

  describe("an operator", () => {
    let page: Page;
    beforeAll(async () => void ({ page } = await chromium.open(`${server.url}/control`)));

    test("can be used with the keyboard alone: search, pages and a confirmation", async () => {
      await page.getByRole("button", { name: "Take control" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("region", { name: "Control" }).waitFor();
      const heading = page.getByRole("heading", { level: 1 });
      await page.keyboard.press("/");
      await page.keyboard.type("RIVERBEND");
      await page.getByRole("option").first().waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await until(() => page.url(), (url) => url.includes("RIVERBEND"));
      await heading.waitFor();
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("page-title");
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Operate" }).focus();
      await page.keyboard.press("Enter");
      await until(() => heading.innerText(), (text) => text === "Operate");
      await page.getByRole("button", { name: "Halt market" }).focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Halt market" }).waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Halt market");
      expect(await haltReason()).toBeNull();
    });

    test.skipIf(!LONG)(
      "sees the outcome of what was confirmed, however often Escape is pressed before it",
      async () => {
        await show(page, "#/operate");
        const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
        await page.route("**/dashboard/tools/mkt_halt_market", async (route) => {
          if (route.request().postDataJSON().agreed === undefined) return await route.continue();
          await answered;
          const error = { code: "timeout", message: "The engine did not answer." };
          await route.fulfill({ json: { kind: "result", isError: true, result: { error } } });
        });
        const dialog = page.getByRole("dialog");
        await page.getByRole("button", { name: "Halt market" }).click();
        await dialog.getByRole("button", { name: "Halt market" }).click();
        await dialog.getByText("Waiting for the answer").waitFor();
        // The browser asks the page the first times only.
        for (let times = 0; times < 5; times++) await page.keyboard.press("Escape");
        answer();
        await dialog.getByText("Outcome unknown").waitFor();
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "hidden" });
        await page.getByRole("button", { name: "Halt market" }).click();
        await dialog.getByRole("button", { name: "Cancel" }).click();
        expect(await haltReason()).toBeNull();
        await page.unrouteAll();
      },
    );

    test("halts and resumes the market, and freezes the server, after a confirmation that names what it does", async () => {
      await page.getByRole("region", { name: "Control" }).waitFor();
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Operate" }).click();

      const panel = page.getByRole("region", { name: `Market ${marketName}` });
      await panel.getByLabel("Reason").fill("halted by hand");
      await page.getByRole("button", { name: "Halt market" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      expect(await haltReason()).toBeNull();
      await confirm(page, "Halt market", new RegExp(marketName));
      expect(await haltReason()).toBe("halted by hand");
      await statusOf(page).getByText("HALTED").waitFor();
      await confirm(page, "Resume market", new RegExp(marketName));
      expect(await haltReason()).toBeNull();

      await page.getByRole("region", { name: "This server" }).getByLabel("Reason").fill("prices look wrong");
      await confirm(page, "Freeze server", /refuses every change/);
      await page.getByText(/FROZEN/).first().waitFor();
      const refused = await agent.call("mkt_resume_market", { marketId });
      expect(refused.value).toMatchObject({ error: { code: "frozen" } });
      expect(refused.text).toContain("prices look wrong");
      rmSync(freezeFile);
      await until(async () => await page.getByText(/FROZEN/).count() === 0, "the end of the freeze");
    });

    test("shocks, stops and starts the simulation, after confirmations that name what they do", async () => {
      await show(page, "#/simulation");
      const statusOfRun = async () => (await succeed(agent, "mkt_sim_status"))["status"];

      const shock = page.getByRole("region", { name: "Shock spot prices" });
      await shock.getByLabel("Event").selectOption("fuel_shock");
      await shock.getByLabel("Size").fill("2.5");
      await confirm(page, "Trigger event", /fuel shock/);
      const { events } = await succeed(agent, "mkt_sim_get_spot_prices", { hours: 0 });
      expect(events).toContainEqual(expect.objectContaining({ type: "fuel_shock", size: 2.5, node: null }));
      await show(page, "#/glance");
      await page.getByRole("rowheader", { name: "fuel shock at both nodes, size 2.5" }).waitFor();
      await show(page, "#/simulation");

      await confirm(page, "Stop simulation", /[Cc]ancels? every open order/);
      expect(await statusOfRun()).toBe("stopped");
      const start = page.getByRole("region", { name: "Start a run" });
      await start.getByLabel("Preset").selectOption("thin");
      await start.getByLabel("Seed").fill("7");
      await confirm(page, "Start simulation", /thin/);
      expect(await succeed(agent, "mkt_sim_status")).toMatchObject({ status: "running", preset: "thin", seed: 7 });
    });
  });
}
