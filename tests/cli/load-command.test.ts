// What each option and variable of `mkt load` changes in the load.

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { addLoadCommand } from "../../cli/load-command.ts";
import * as engines from "../../load/engine-target.ts";
import { LoadRun } from "../../load/load-run.ts";
import * as servers from "../../load/mcp-target.ts";
import * as texts from "../../load/report-text.ts";
import { runCommandHere } from "../support/command-line-here.ts";
import { replaced } from "../support/replaced.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const URL_ = ["--url", "ws://127.0.0.1:9"];
const MCP = ["--mcp", "http://127.0.0.1:9"];
const ANNA = { MKT_USER_ID: "anna" };

/** What would be loaded, and how. */
async function loaded(args: readonly string[], env: Record<string, string> = {}) {
  const targets: object[] = [];
  const taken = (kind: string) =>
    function ({ runId: _, ...options }: { readonly runId?: string }) {
      targets.push({ kind, ...options });
      return {};
    };
  replaced(engines, "EngineTarget" as never, taken("engine") as never);
  replaced(servers, "McpTarget" as never, taken("mcp") as never);
  replaced(texts, "loadReportText", () => "the report");
  const plans = replaced(LoadRun, "run", () => Promise.resolve({ sent: 1 }));
  const outcome = await runCommandHere((program) => addLoadCommand(program, () => {}), ["load", ...args], env);
  return { ...outcome, plan: plans.splice(0)[0]?.[1], target: targets[0] as Record<string, unknown> | undefined };
}

const PLAN = {
  connections: 8,
  ratePerSecond: 100,
  seconds: 10,
  mix: { submit: 55, cancel: 35, modify: 10 },
  seed: 1,
  contractIds: [],
};

test("each option of mkt load changes its own part of the plan or the target", async () => {
  const usual = await loaded(URL_, ANNA);
  expect(usual).toMatchObject({ exitCode: 0, stdout: "the report\n", stderr: "", plan: PLAN });
  const target = { kind: "engine", url: "ws://127.0.0.1:9/ws", connections: 8, users: ["anna"] };
  expect(usual.target).toMatchObject(target);
  for (
    const [args, plan, changes] of [
      [["--connections", "3"], { connections: 3 }, { connections: 3 }],
      [["--rate", "7"], { ratePerSecond: 7 }, {}],
      [["--duration", "6"], { seconds: 6 }, {}],
      [["--mix", "3,2,1"], { mix: { submit: 3, cancel: 2, modify: 1 } }, {}],
      [["--seed", "5"], { seed: 5 }, {}],
      [["--users", "bob,eve"], {}, { users: ["bob", "eve"] }],
      [["--contracts", "A,B"], { contractIds: ["A", "B"] }, {}],
      [["--json"], {}, {}],
    ] as const
  ) {
    const found = await loaded([...URL_, ...args], ANNA);
    expect([args, found.plan, found.target]).toEqual([args, { ...PLAN, ...plan } as never, {
      ...usual.target,
      ...changes,
      tokenOf: expect.any(Function),
    }]);
  }
  expect((await loaded([...URL_, "--json"], ANNA)).stdout).toBe('{"sent":1}\n');
  expect((await loaded(["--url", "wss://[::1]:9/other"], ANNA)).target).toMatchObject({ url: "wss://[::1]:9/other" });
  expect(await loaded(MCP)).toMatchObject({
    plan: { ...PLAN, mix: { submit: 60, cancel: 40, modify: 0 } },
    target: { kind: "mcp", url: "http://127.0.0.1:9/mcp", connections: 8, token: null },
  });
});

test("each user has its own token of --tokens, or that of MKT_BEARER_TOKEN, and an MCP server has its own", async () => {
  const folder = temporaryDirectory();
  const [tokens, secret] = [join(folder, "tokens.json"), join(folder, "secret")];
  writeFileSync(tokens, JSON.stringify({ anna: "a", bob: "b" }));
  writeFileSync(secret, "from a file\n".replaceAll(" ", "-"));
  const tokensOf = async (args: string[], env: Record<string, string>) => {
    const { target } = await loaded([...URL_, ...args], env);
    const tokenOf = target!["tokenOf"] as (user: string) => string | null;
    return ["anna", "bob"].map(tokenOf);
  };
  const own = { ...ANNA, MKT_BEARER_TOKEN: "own" };
  expect(await tokensOf([], ANNA)).toEqual([null, null]);
  expect(await tokensOf([], { ...ANNA, MKT_BEARER_TOKEN: "", MKT_BEARER_TOKEN_FILE: "" })).toEqual([null, null]);
  expect(await tokensOf([], own)).toEqual(["own", "own"]);
  expect(await tokensOf([], { ...ANNA, MKT_BEARER_TOKEN_FILE: secret })).toEqual(["from-a-file", "from-a-file"]);
  expect(await tokensOf(["--users", "anna,bob", "--tokens", tokens], own)).toEqual(["a", "b"]);
  const tokenOf = async (env: Record<string, string>) => (await loaded(MCP, env)).target!["token"];
  expect(await tokenOf({ ...own, MCP_BEARER_TOKEN: "of mcp" })).toBe("of mcp");
  expect(await tokenOf({ ...own, MCP_BEARER_TOKEN: "" })).toBeNull();
});

test("nothing is sent to another machine without --remote, and options that don't fit are refused", async () => {
  const folder = temporaryDirectory();
  const tokens = join(folder, "tokens.json");
  writeFileSync(tokens, '{"bob":"b"}');
  const refusal = async (args: readonly string[], env: Record<string, string> = ANNA) => {
    const { exitCode, stderr, target } = await loaded(args, env);
    expect([args, exitCode, target]).toEqual([args, 2, undefined]);
    return stderr.split("\n").slice(0, -1);
  };
  for (const [option, url] of [["--url", "ws://far:9"], ["--mcp", "http://far:9"], ["--url", "ws://127.0.0.1.far"]]) {
    expect((await refusal([option!, url!]))[0]).toMatch(
      new RegExp(`^mkt: ${option}: (far|127.0.0.1.far) is another machine, .*add --remote`),
    );
    expect((await loaded([option!, url!, "--remote"], ANNA)).target).toBeDefined();
  }
  for (const host of ["localhost", "127.9.9.9", "[::1]"]) {
    expect((await loaded(["--url", `ws://${host}:9`], ANNA)).target).toBeDefined();
  }
  expect(await refusal([])).toEqual(["mkt: --url or --mcp: is required: what to send orders to"]);
  expect(await refusal([...URL_, ...MCP])).toEqual(["mkt: --mcp: can't be combined with --url"]);
  expect(await refusal(URL_, {})).toEqual(["mkt: --users: is required: users of the engine, or set MKT_USER_ID"]);
  expect(await refusal(URL_, { MKT_USER_ID: "" })).toHaveLength(1);
  expect(await refusal([...URL_, "--tokens", tokens])).toEqual([`mkt: --tokens: ${tokens} has no token of user anna`]);
  expect(await refusal([...MCP, "--mix", "5,4,1", "--users", "a", "--tokens", tokens, "--connections", "257"])).toEqual(
    [
      "mkt: --mix: no tool changes an order; with --mcp give 0 changes",
      "mkt: --users: an MCP server acts as its own user; leave it out",
      "mkt: --tokens: with --mcp the token is MCP_BEARER_TOKEN; leave it out",
      "mkt: --connections: at most 256 with --mcp",
    ],
  );
  for (const mix of ["0,5,5", "5,5", "5,5,x", "5,5,5,5"]) {
    expect(await refusal([...URL_, "--mix", mix])).toHaveLength(1);
  }
  expect(await refusal([...URL_, "--users", "a,,b", "--contracts", ""])).toHaveLength(2);
  expect((await refusal(["--url", "http://127.0.0.1"]))[0]).toContain(
    "--url: an address that begins with ws:// or wss://",
  );
});
