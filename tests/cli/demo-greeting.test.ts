import { expect, test } from "bun:test";
import { resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { BUILT_IN_OWN_USER_IDS, builtInMarket } from "../../engine/definition/built-in-market.ts";
import { type DemoFacts, demoGreeting } from "../../cli/market/demo-greeting.ts";

const README = await Bun.file(resolve(import.meta.dir, "../../README.md")).text();
/** Of the README: it depends on the day how many contracts are listed. */
const CONTRACTS = Number(/users, (\d+) contracts/.exec(README)?.[1]);
const TOOLS = Number(/(\d+) tools, acting as operator/.exec(README)?.[1]);

const market = builtInMarket();
const facts: DemoFacts = {
  version: packageJson.version,
  market: { entities: market.entities.length, users: market.users.length, contracts: CONTRACTS },
  engineAddress: "127.0.0.1:3001",
  url: "http://127.0.0.1:4087",
  toolCount: TOOLS,
  userId: "operator",
  ownUserIds: BUILT_IN_OWN_USER_IDS,
  invocation: { command: "npx", args: ["--yes", packageJson.packageManager, "/path/to/mkt/main.ts"] },
  clock: { mode: "real", speed: 1, marketTime: 0 },
  preset: "calm",
  dashboard: "http://127.0.0.1:4087/",
};

test("the greeting is that of the README", () => {
  expect(README).toContain(`\`\`\`\n${demoGreeting(facts)}\`\`\`\n`);
});

test("the greeting ends with the dashboard's address, or without one", () => {
  expect(demoGreeting(facts)).toEndWith("\nOr look at the market yourself: http://127.0.0.1:4087/\n");
  expect(demoGreeting({ ...facts, dashboard: null })).toEndWith("show the order book, and place a test order.\n");
  expect(demoGreeting({ ...facts, url: null, dashboard: null })).not.toContain("http://127.0.0.1:4087");
});
