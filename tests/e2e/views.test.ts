// The views of tools in a chat host: a real browser, the bridge of ext-apps, and mkt in this process. Over stdio, the compiled
// executable.

import { beforeAll, describe, expect, test } from "bun:test";
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { Frame } from "playwright-core";
import { findChromium, startChromium } from "../support/chromium.ts";
import { httpServerHere } from "../support/in-process.ts";
import { LONG } from "../support/sizes.ts";
import { until } from "../support/until.ts";
import { MARKET_FILE, NORTH, startPowerMarket, WEST } from "../support/power-market.ts";
import { loadDefinition } from "../../engine/definition/load-definition.ts";
import { modernOverHttp, type ModernSubscriber, olderOnStdio } from "../support/subscriber.ts";
import { faultsOf } from "./support/accessibility.ts";
import { ChatHost, type HowToOpen, type OpenedInHost } from "./views/chat-host.ts";

type Client = ModernSubscriber["client"];

const HOSTILE = '<img src=x onerror="alert(1)">';
/** Personas of two strategies that trade in the background. */
const RUN = {
  seed: 1,
  speed: 60,
  personas: [{ strategy: "zic", count: 2, entityId: "borealis" }, { strategy: "gvwy", count: 1, entityId: "aurora" }],
};

const path = findChromium("the tests of views in a chat host");

if (path !== null) {
  const chromium = await startChromium(path);
  const engine = await startPowerMarket({ definition: hostileMarket() }, { isSimulated: true });
  const [operator, bert] = await Promise.all([clientOf(engine, "operator"), clientOf(engine, "bert")]);
  const host = await ChatHost.start(chromium);

  const open = (tool: string, input: Record<string, unknown> = {}, how: HowToOpen = {}) =>
    host.open(operator, tool, input, how);

  beforeAll(async () => {
    for (const client of [operator, bert]) await called(client, "mkt_connect_pubsub");
    await trade(operator, bert);
  });

  describe("a view is live, shows something else at a click, and is good to read in light and dark:", () => {
    test("the order book", async () => {
      const opened = await open("mkt_get_order_book", { contractId: NORTH });
      const { frame } = opened;
      await sees(frame, "Live");
      await called(bert, "mkt_create_test_order", { contractId: NORTH, side: "SELL", price: 12_345, quantity: 3 });
      await sees(frame, "123.45");
      await isGoodToRead(opened, "light");
      await called(bert, "mkt_create_test_order", { contractId: WEST, side: "BUY", price: 7_890, quantity: 5 });
      await frame.getByLabel("Contract").selectOption(WEST);
      await sees(frame, "78.90");
      expect(await frame.getByText("123.45").count()).toBe(0);
    });

    test.skipIf(!LONG)("positions", async () => {
      const opened = await open("mkt_get_entity", { entityId: "aurora" });
      const { frame } = opened;
      await sees(frame, NORTH);
      await isGoodToRead(opened, "dark");
      await frame.getByLabel("Entity").selectOption(HOSTILE);
      await sees(frame, "No positions");
      await sees(frame, HOSTILE);
      expect(await frame.locator("img").count()).toBe(0);
    });

    test.skipIf(!LONG)("spot prices", async () => {
      const opened = await open("mkt_sim_get_spot_prices");
      const { frame, inputs } = opened;
      await sees(frame, "NORTH");
      await called(operator, "mkt_sim_trigger_event", { type: "plant_outage", node: "NORTH", size: 2 });
      await sees(frame, "plant outage");
      await isGoodToRead(opened, "dark");
      await frame.getByRole("button", { name: "7 days" }).click();
      await until(() => inputs.at(-1)?.["hours"] === 168);
      await frame.getByRole("button", { name: "7 days", pressed: true }).waitFor();
    });

    test("the simulation", async () => {
      const opened = await open("mkt_sim_status");
      const { frame } = opened;
      await sees(frame, "zic-1");
      const words = () => frame.locator(".view").innerText();
      const first = await words();
      await until(async () => await words() !== first);
      await isGoodToRead(opened, "light");
      await frame.getByRole("button", { name: "gvwy" }).click();
      await frame.getByText("zic-1").first().waitFor({ state: "detached" });
      await sees(frame, "gvwy-1");
    });
  });

  describe("in a host", () => {
    test.skipIf(!LONG)(
      "it has the host's colours and font, fills the screen if the host offers that, and ends with it",
      async () => {
        const variables = {
          "--color-background-primary": "rgb(1, 2, 3)",
          "--color-text-primary": "rgb(250, 251, 252)",
          "--font-sans": "monospace",
        } as const;
        const display = { availableDisplayModes: ["inline", "fullscreen"], displayMode: "inline" };
        const context = { theme: "dark", styles: { variables }, ...display } as unknown as HowToOpen["context"];
        const { frame, close } = await open("mkt_sim_status", {}, { context: context! });
        const look = frame.evaluate(() => {
          const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
          return [backgroundColor, color, fontFamily];
        });
        expect(await look).toEqual(Object.values(variables));
        await frame.getByRole("button", { name: "Full screen" }).click();
        await frame.getByRole("button", { name: "Leave full screen" }).waitFor();
        await close();
        await sees(frame, "Closed");
      },
    );

    test.skipIf(!LONG)("that passes no calls on, it shows the result as it was, and nothing to choose", async () => {
      const { frame, inputs } = await open("mkt_get_order_book", { contractId: NORTH }, { passesCallsOn: false });
      await sees(frame, "Fixed, of ");
      expect(await frame.locator("select").count()).toBe(0);
      expect(inputs).toEqual([]);
    });
  });

  describe("what goes wrong is said in words, with what to do:", () => {
    test.skipIf(!LONG)("there is no connection; the view goes on when there is one", async () => {
      const apart = await clientOf(engine, "anna");
      const { frame, inputs } = await host.open(apart, "mkt_get_order_book", { contractId: NORTH });
      await sees(frame, "There is no connection to the market.");
      await sees(frame, "Ask the assistant to connect to the market");
      const again = frame.getByRole("button", { name: "Try again" });
      // By itself, the view asks more and more rarely: a fifth time after the time that a test has.
      for (let calls = 1; calls <= 5; calls++) {
        await again.click();
        await until(() => inputs.length >= calls, "a call");
      }
      await called(apart, "mkt_connect_pubsub");
      // There is no button any more if the view has asked by itself meanwhile.
      await again.evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLElement).click()));
      await sees(frame, "Live");
    });

    test("the user may not see it", async () => {
      const { frame } = await host.open(bert, "mkt_get_entity", { entityId: "aurora", positions: true });
      await sees(frame, "Scope.Global");
    });

    test("the tool is missing; the old data stay, with their time", async () => {
      const callTool = (): Promise<CallToolResult> => Promise.reject(new Error("Tool mkt_sim_status not found"));
      const { frame } = await open("mkt_sim_status", {}, { callTool });
      await sees(frame, "This server does not offer the tool mkt_sim_status.");
      await sees(frame, /Not live: data of \d\d:\d\d:\d\d/);
      await sees(frame, "gvwy-1");
    });
  });

  test("over stdio and to clients of earlier revisions, tools have the same views", async () => {
    const { client } = await olderOnStdio(engine.environmentFor("bert"));
    const { tools } = await client.listTools();
    const uris = tools.flatMap(({ _meta: meta }) =>
      (meta?.["ui"] as { resourceUri?: string } | undefined)?.resourceUri ?? []
    );
    expect(uris).toHaveLength(4);
    for (const uri of uris) {
      const { contents: [content] } = await client.readResource({ uri });
      const _meta = { ui: { prefersBorder: true } };
      expect(content).toMatchObject({ uri, mimeType: "text/html;profile=mcp-app", _meta });
    }
  });
}

/** The market of the tests, with an entity whose name is a program. */
function hostileMarket() {
  const loaded = loadDefinition(MARKET_FILE);
  if (!loaded.ok) throw new Error(loaded.faults.join("\n"));
  const entities = loaded.definition.entities.map((each) => each.id === "cirrus" ? { ...each, name: HOSTILE } : each);
  return { ...loaded.definition, entities };
}

async function clientOf(engine: Awaited<ReturnType<typeof startPowerMarket>>, userId: string): Promise<Client> {
  const server = await httpServerHere({ ...engine.environmentFor(userId), MKT_SIM_URL: engine.url });
  return (await modernOverHttp(server.url)).client;
}

async function called(client: Client, name: string, input: Record<string, unknown> = {}): Promise<void> {
  const { isError, content } = await client.callTool({ name, arguments: input });
  if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
}

/** A book with both sides, a position of Aurora, and a simulation. */
async function trade(operator: Client, bert: Client): Promise<void> {
  const order = (side: "BUY" | "SELL", price: number) => ({ contractId: NORTH, side, price, quantity: 5 });
  await called(operator, "mkt_create_test_order", order("SELL", 4_700));
  await called(bert, "mkt_create_test_order", order("BUY", 4_700));
  await called(bert, "mkt_create_test_order", order("BUY", 4_500));
  await called(bert, "mkt_create_test_order", order("SELL", 4_900));
  await called(operator, "mkt_sim_start", RUN);
}

/** Waits for the text. */
async function sees(frame: Frame, text: string | RegExp): Promise<void> {
  await frame.getByText(text).filter({ visible: true }).first().waitFor();
}

/**
 * Fails if the view must be scrolled sideways, narrow or wide, or has a fault in `theme` or in the system's colours. A long run
 * tries light and dark in each view, a short one each in two views.
 */
async function isGoodToRead({ page, frame, change }: OpenedInHost, theme: "light" | "dark"): Promise<void> {
  const other = theme === "light" ? "dark" : "light";
  for (const tried of LONG ? [other, theme] as const : [theme]) {
    await change({ theme: tried });
    await frame.locator(`:root[data-theme="${tried}"]`).waitFor();
    for (const width of [1200, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await frame.waitForFunction((expected) => innerWidth === expected, width);
      expect(await frame.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    expect(await faultsOf(frame)).toEqual([]);
  }
  await page.emulateMedia({ forcedColors: "active" });
  expect(await faultsOf(frame, { ofColours: true })).toEqual([]);
  await page.emulateMedia({ forcedColors: "none" });
}
