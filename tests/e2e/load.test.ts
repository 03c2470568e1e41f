// `mkt load` as users start it, against the engine's own executable and against the MCP server.

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LoadReport } from "../../load/load-run.ts";
import { LoadClient, messagesIn } from "../support/load-client.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { MKT, startEngineProcess, startHttpServer, startMkt } from "../support/executable.ts";
import { startSimulatedMarket } from "../support/power-market.ts";
import { runOnTerminal } from "../support/terminal.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";
import { LONG } from "../support/sizes.ts";

const USERS = ["cedar-trader-1", "prairie-trader-1", "riverbend-trader-1", "sunfield-trader-1"];
const ALL = USERS.join(",");
const engine = await startSimulatedMarket();

/** Orders that are open in the engine: all orders that the snapshot shows the viewer and that are not closed. */
async function openOrders(webSocketUrl: string): Promise<number> {
  let open = 0;
  const client = new LoadClient(webSocketUrl, "viewer", {
    onFrame: (text) => {
      for (const message of messagesIn(text)) {
        if (!("statePath" in message) || !message.statePath.startsWith("/ORDER/")) continue;
        if (message.state !== null && message.state["closeReason"] === null) open += 1;
      }
    },
  });
  await client.welcomed();
  client.close();
  await client.closed;
  return open;
}

async function reportOf(args: readonly string[], env: Record<string, string> = {}): Promise<LoadReport> {
  const { exitCode, stdout, stderr } = await runMktHere(["load", ...args, "--json"], env);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return JSON.parse(stdout);
}

async function expectFailure(args: readonly string[], exitCode: number, lines: readonly string[]): Promise<void> {
  const stderr = lines.map((line) => `mkt: ${line}\n`).join("");
  expect(await runMktHere(["load", ...args])).toEqual({ exitCode, stdout: "", stderr });
}

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, each) => total + each, 0);

/** Every request that was due has one outcome. */
function expectComplete({ plan, requests }: LoadReport): void {
  const { sent, confirmed, refused, failed, unknown, notSent, latencyMs } = requests;
  expect(sum(sent)).toBe(confirmed + sum(refused) + sum(failed) + unknown);
  expect(sum(sent) + notSent).toBe(plan.ratePerSecond * plan.seconds);
  expect(latencyMs.all?.count).toBe(sum(sent));
}

describe("on an engine", () => {
  test("confirms orders of several users, of which many trade, and leaves none open", async () => {
    const url = ["--url", engine.webSocketUrl];
    const report = await reportOf([...url, "--users", ALL, "--rate", "200", "--duration", "1", "--seed", "3"]);
    expectComplete(report);
    expect(report.contractIds).toHaveLength(4);
    expect(report.requests.confirmed).toBeGreaterThan(100);
    expect(report.requests.failed).toEqual({});
    // Too late for orders that have traded meanwhile.
    for (const code of Object.keys(report.requests.refused)) {
      expect(["not_cancellable", "not_modifiable"]).toContain(code);
    }
    expect(report.cleanUp.left).toBe(0);
    expect(await openOrders(engine.webSocketUrl)).toBe(0);
  });

  test.skipIf(!LONG)("prints a report for people, for the contract that is named", async () => {
    const { contractIds: [contract = ""] } = await reportOf(
      ["--url", engine.url.replace("http", "ws"), "--users", ALL, "--rate", "10", "--duration", "1"],
    );
    const { stdout, exitCode } = await runMktHere(
      ["load", "--url", engine.webSocketUrl, "--rate=50", "--duration=1", "--contracts", contract, "--mix", "1,0,0"],
      { MKT_USER_ID: "cedar-trader-1" },
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^ran for \\d+\\.\\d s on ${contract}\\n`));
    expect(stdout).toMatch(/^asked +50\/s on 8 connections, submit 1$/m);
    expect(stdout).toMatch(/^sent +\d+.*submit \d+$/m);
    expect(stdout).toMatch(/^all( +[\d.]+){6}$/m);
  });

  test.skipIf(!LONG)("draws a progress bar on stderr if stderr is a terminal, and none on stdout", async () => {
    const out = join(temporaryDirectory(), "report.json");
    const args = `load --url "$1" --users "$2" --rate 20 --duration 1 --json > "$3"`;
    const { exitCode, shown } = await runOnTerminal(
      ["/bin/sh", "-c", `"$0" ${args}`, MKT, engine.webSocketUrl, ALL, out],
    );
    expect(exitCode).toBe(0);
    expect(shown).toContain("1 s");
    expectComplete(JSON.parse(await Bun.file(out).text()));
  });

  test("ends early at a signal, with a report, and cancels its orders", async () => {
    const load = startMkt(["load", "--url", engine.webSocketUrl, "--users", ALL, "--duration", "3600", "--json"]);
    await until(async () => await openOrders(engine.webSocketUrl) > 0);
    load.kill("SIGINT");
    expect(await load.exited).toBe(0);
    expect(await openOrders(engine.webSocketUrl)).toBe(0);
  });

  test("leaves no order if it is killed: the engine cancels those of an ended connection", async () => {
    const load = startMkt(["load", "--url", engine.webSocketUrl, "--users", ALL, "--duration", "3600"]);
    await until(async () => await openOrders(engine.webSocketUrl) > 0);
    await load.crash();
    await until(async () => await openOrders(engine.webSocketUrl) === 0);
  });

  test("sends each user's own token, and says who was refused", async () => {
    const folder = temporaryDirectory();
    const tokens = join(folder, "engine-tokens");
    writeFileSync(tokens, "cedar  token-of-cedar-trader  cedar-trader-1\n", { mode: 0o600 });
    const own = join(folder, "own.json");
    writeFileSync(own, JSON.stringify({ "cedar-trader-1": "token-of-cedar-trader", "prairie-trader-1": "wrong" }));
    const guarded = await startEngineProcess({ env: { MKT_ENGINE_TOKEN_FILE: tokens } });
    const args = ["--url", guarded.webSocketUrl, "--rate", "20", "--duration", "1", "--tokens", own];
    expectComplete(await reportOf([...args, "--users", "cedar-trader-1"]));
    const { exitCode, stderr } = await runMktHere(["load", ...args, "--users", "cedar-trader-1,prairie-trader-1"]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^mkt: user prairie-trader-1 can't connect to ws:.*unauthorized/);
  });
});

describe("on an MCP server", () => {
  test("calls its tools and leaves no order open", async () => {
    const server = await startHttpServer({
      ...engine.environmentFor("cedar-trader-1"),
      MCP_BEARER_TOKEN: "a-token-of-the-test",
    });
    const args = ["--mcp", server.url, "--rate", "50", "--duration", "1"];
    const report = await reportOf(args, { MCP_BEARER_TOKEN: "a-token-of-the-test" });
    expectComplete(report);
    expect(report.requests.confirmed).toBeGreaterThan(10);
    expect(report.requests.sent["modify"]).toBe(0);
    expect(report.cleanUp.left).toBe(0);
    expect(await openOrders(engine.webSocketUrl)).toBe(0);
    await expectFailure(args, 1, [`mkt_connect_pubsub at ${server.url}/mcp: http_401`]);
  });
});

describe("bad options end with status 2 and say what would be valid:", () => {
  const LOCAL = "ws://127.0.0.1:1";
  const REMOTE = "is another machine, and the orders are real; add --remote if it is a test market";
  test.each<[string, string[], string[]]>([
    ["no target", [], ["--url or --mcp: is required: what to send orders to"]],
    ["two targets", ["--url", LOCAL, "--mcp", "http://127.0.0.1:1"], ["--mcp: can't be combined with --url"]],
    ["no user", ["--url", LOCAL], ["--users: is required: users of the engine, or set MKT_USER_ID"]],
    ["another machine", ["--url", "ws://10.0.0.1"], [`--url: 10.0.0.1 ${REMOTE}`]],
    ["another machine over HTTP", ["--mcp", "https://example.com"], [`--mcp: example.com ${REMOTE}`]],
    ["an address of another kind", ["--url", "http://127.0.0.1"], [
      '--url: an address that begins with ws:// or wss://, not "http://127.0.0.1"',
    ]],
    ["several values", ["--url", LOCAL, "--users", "a,,b", "--rate", "0", "--mix", "0,1,1", "--duration", "x"], [
      '--rate: a whole number from 1 to 1000000, not "0"',
      '--duration: a whole number from 1 to 86400, not "x"',
      '--mix: three whole numbers: submits, cancels and changes, such as 55,35,10, with some submits, not "0,1,1"',
      '--users: ids with commas between them, not "a,,b"',
    ]],
    ["what an MCP server has no use for", [
      ...["--mcp", "http://127.0.0.1:1", "--users", "a", "--tokens", "t", "--mix", "1,1,1", "--connections", "300"],
    ], [
      "--mix: no tool changes an order; with --mcp give 0 changes",
      "--users: an MCP server acts as its own user; leave it out",
      "--tokens: with --mcp the token is MCP_BEARER_TOKEN; leave it out",
      "--connections: at most 256 with --mcp",
    ]],
    ["a file of tokens that is not there", ["--url", LOCAL, "--users", "a", "--tokens", "/nowhere"], [
      "--tokens: /nowhere can't be read: no such file or folder",
    ]],
  ])("%s", (_name, args, lines) => expectFailure(args, 2, lines));
});
