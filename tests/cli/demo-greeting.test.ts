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

test.each<[string, Partial<DemoFacts>, readonly string[]]>([
  ["in real time", {}, ["  sim      traders by preset calm"]],
  ["without a simulation", { preset: null }, ["  sim      stopped; mkt_sim_start starts it"]],
  [
    "faster than real time",
    { clock: { mode: "fast", speed: 60, marketTime: Date.UTC(2026, 2, 2) } },
    ["  sim      traders by preset calm; market time passes 60 times as fast, from 2026-03-02T00:00:00.000Z"],
  ],
  [
    "in lockstep, without a simulation",
    { preset: null, clock: { mode: "lockstep", speed: 1, marketTime: Date.UTC(2026, 2, 2) } },
    ["  sim      stopped; mkt_sim_start starts it; market time stands still at 2026-03-02T00:00:00.000Z"],
  ],
  ["for one trader", { ownUserIds: ["anna"] }, ["  trade    as anna: each has a company without simulated traders"]],
  [
    "for three traders",
    { ownUserIds: ["anna", "bob", "eve"] },
    ["  trade    as anna, bob or eve: each has a company without simulated traders"],
  ],
  ["for nobody", { ownUserIds: [] }, ["Then ask it to connect to the market as operator, show the order book,"]],
  ["on stdio", { url: null }, [`  mcp      stdio, ${TOOLS} tools, acting as operator`]],
  [
    "on another port",
    { url: "http://127.0.0.1:5", invocation: { command: "mkt", args: [] } },
    [
      `  mcp      http://127.0.0.1:5/mcp, ${TOOLS} tools, acting as operator`,
      "  claude mcp add --transport http mkt http://127.0.0.1:5/mcp",
      "  MCP_HTTP_PORT=5 mkt client-config CLIENT --demo",
    ],
  ],
])("the greeting of a demo %s says so", (_, changes, expected) => {
  const lines = demoGreeting({ ...facts, ...changes }).split("\n");
  for (const each of expected) expect(lines.filter((line) => line.startsWith(each))).toHaveLength(1);
  expect(lines.some((line) => line.startsWith("  trade "))).toBe(changes.ownUserIds?.length !== 0);
  expect(lines.some((line) => line.startsWith("Connect Claude Code"))).toBe(changes.url !== null);
});
