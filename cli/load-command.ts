// `mkt load`: orders at a fixed rate, for an engine or for an MCP server, and what came of them.
//
// Orders are real. On another machine than this one, nothing is sent without --remote.

import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { checkAll, oneLine, untilSignal, UsageError } from "../common/command-line.ts";
import { fileErrorReason } from "../common/file-error.ts";
import { tokenOrFile } from "../common/http/secret-file.ts";
import { checkOptions, option, wholeNumber } from "../common/options.ts";
import { print, printJson } from "../common/output.ts";
import { showProgress } from "../common/progress-bar.ts";
import { ENVIRONMENT } from "../core/config/env-file.ts";
import { PATHS } from "../protocol/index.ts";
import type { LoadPlan } from "../load/load-run.ts";
import { OPERATION_KINDS, type OperationKind, type Target } from "../load/operation.ts";
import type { Mix } from "../load/order-flow.ts";
import { isObject } from "../protocol/json.ts";

const MAX_SEED = 4_294_967_295;
const MAX_CONNECTIONS = 10_000;
/** Above it the HTTP client of the runtime opens no further connection. */
const MAX_MCP_CONNECTIONS = 256;
const MAX_RATE = 1_000_000;
const DAY_SECONDS = 86_400;

interface LoadArguments {
  readonly url?: URL;
  readonly mcp?: URL;
  readonly connections: number;
  readonly rate: number;
  readonly duration: number;
  readonly mix?: Mix;
  readonly seed: number;
  readonly users?: readonly string[];
  readonly contracts?: readonly string[];
  readonly tokens?: string;
  readonly remote?: true;
  readonly json?: true;
}

/** `configureLogging`: sets up logging from the environment. */
export function addLoadCommand(program: Command, configureLogging: () => void): void {
  program.command("load")
    .description("load on an engine or an MCP server: orders at a fixed rate, and their latencies")
    .addOption(option("--url <url>", "an engine's WebSocket, for example ws://127.0.0.1:3001/ws", urlOf("ws:", "wss:")))
    .addOption(option("--mcp <url>", "an MCP server, for example http://127.0.0.1:4087/mcp", urlOf("http:", "https:")))
    .addOption(option("--connections <number>", "connections", wholeNumber(1, MAX_CONNECTIONS)).default(8))
    .addOption(
      option("--rate <number>", "requests a second, over all connections", wholeNumber(1, MAX_RATE)).default(100),
    )
    .addOption(option("--duration <seconds>", "how long to send", wholeNumber(1, DAY_SECONDS)).default(10))
    .addOption(option("--mix <weights>", "default: 55,35,10; with --mcp 60,40,0: submits, cancels, changes", mixOf))
    .addOption(option("--seed <number>", "seed of what is sent", wholeNumber(0, MAX_SEED)).default(1))
    .addOption(option("--users <ids>", "users of the engine, in turn (default: MKT_USER_ID)", namesOf))
    .addOption(option("--contracts <ids>", "what to trade (default: the four that are delivered first)", namesOf))
    .option("--tokens <file>", "JSON file of each user's bearer token (default: MKT_BEARER_TOKEN for all)")
    .option("--remote", "send orders to another machine, too; only ever to a test market")
    .option("--json", "print the report as JSON")
    .action(async (given: LoadArguments, command: Command) => {
      const [, target] = checkAll(() => checkOptions(command), () => targetOf(given), () => configureLogging());
      await runLoad(given, await target());
    });
}

async function runLoad(given: LoadArguments, target: Target): Promise<void> {
  const { connections, rate, duration, mix, seed, contracts = [], json } = given;
  const plan: LoadPlan = {
    connections,
    ratePerSecond: rate,
    seconds: duration,
    mix: mix ?? (given.mcp === undefined ? MIX : TOOLS_MIX),
    seed,
    contractIds: contracts,
  };
  const { LoadRun } = await import("../load/load-run.ts");
  const { loadReportText } = await import("../load/report-text.ts");
  const progress = await showProgress(duration, "s");
  let report;
  try {
    report = await LoadRun.run(target, plan, { stopped: untilSignal(), onProgress: progress.update });
  } finally {
    progress.stop();
  }
  await (json ? printJson(JSON.stringify(report)) : print(loadReportText(report)));
}

const MIX: Mix = { submit: 55, cancel: 35, modify: 10 };
/** No tool changes an order. */
const TOOLS_MIX: Mix = { submit: 60, cancel: 40, modify: 0 };

/** Checks what concerns several options, and returns how to load the target. Throws UsageError. */
function targetOf({ url, mcp, connections, mix, users, tokens, remote }: LoadArguments): () => Promise<Target> {
  const address = url ?? mcp;
  if (!(address instanceof URL)) {
    // An invalid address is reported by checkOptions.
    if (address !== undefined) return unreachable;
    throw new UsageError("--url or --mcp: is required: what to send orders to");
  }
  if (url !== undefined && mcp !== undefined) throw new UsageError("--mcp: can't be combined with --url");
  if (!isLoopback(address.hostname) && remote !== true) {
    throw new UsageError(
      `${url === undefined ? "--mcp" : "--url"}: ${oneLine(address.hostname)} is another machine, and the orders are ` +
        "real; add --remote if it is a test market",
    );
  }
  return url === undefined
    ? mcpTarget(address, connections, { mix, users, tokens })
    : engineTarget(address, connections, users, tokens);
}

function mcpTarget(
  url: URL,
  connections: number,
  { mix, users, tokens }: Pick<LoadArguments, "mix" | "users" | "tokens">,
): () => Promise<Target> {
  const faults = [
    mix !== undefined && mix.modify > 0 && "--mix: no tool changes an order; with --mcp give 0 changes",
    users !== undefined && "--users: an MCP server acts as its own user; leave it out",
    tokens !== undefined && "--tokens: with --mcp the token is MCP_BEARER_TOKEN; leave it out",
    connections > MAX_MCP_CONNECTIONS && `--connections: at most ${MAX_MCP_CONNECTIONS} with --mcp`,
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
  return async () => {
    const { McpTarget } = await import("../load/mcp-target.ts");
    return new McpTarget({ url: url.href, connections, token: ENVIRONMENT.MCP_BEARER_TOKEN || null });
  };
}

function engineTarget(
  url: URL,
  connections: number,
  given: readonly string[] | undefined,
  tokenFile: string | undefined,
): () => Promise<Target> {
  const ownUser = ENVIRONMENT.MKT_USER_ID;
  const users = given ?? (ownUser ? [ownUser] : []);
  if (users.length === 0) throw new UsageError("--users: is required: users of the engine, or set MKT_USER_ID");
  const tokens = tokenFile === undefined ? null : tokensIn(tokenFile);
  const withoutToken = tokens === null ? undefined : users.find((user) => !tokens.has(user));
  if (withoutToken !== undefined) {
    throw new UsageError(`--tokens: ${oneLine(tokenFile ?? "")} has no token of user ${oneLine(withoutToken)}`);
  }
  const { MKT_BEARER_TOKEN, MKT_BEARER_TOKEN_FILE } = ENVIRONMENT;
  const own = tokenOrFile(MKT_BEARER_TOKEN, MKT_BEARER_TOKEN_FILE, "MKT_BEARER_TOKEN");
  if ("fault" in own) throw new UsageError(oneLine(`MKT_BEARER_TOKEN_FILE: ${own.fault}`));
  const ownToken = own.token;
  return async () => {
    const { EngineTarget } = await import("../load/engine-target.ts");
    const runId = `load-${crypto.randomUUID().slice(0, 8)}`;
    const tokenOf = (user: string) => tokens === null ? ownToken : tokens.get(user) ?? null;
    return new EngineTarget({ url: url.href, connections, users, tokenOf, runId });
  };
}

function tokensIn(path: string): ReadonlyMap<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`--tokens: ${oneLine(path)} can't be read: ${oneLine(fileErrorReason(error))}`);
  }
  const entries = isObject(value) ? Object.entries(value) : null;
  if (entries === null || !entries.every(([, token]) => typeof token === "string")) {
    throw new UsageError(`--tokens: ${oneLine(path)} must hold an object: {"USER": "TOKEN", ...}`);
  }
  return new Map(entries as [string, string][]);
}

function unreachable(): never {
  throw new Error("an invalid address was not reported");
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** An address without a path gets the usual one. */
function urlOf(...protocols: readonly [string, string]) {
  return (text: string): URL => {
    const url = URL.parse(text);
    if (url === null || !protocols.includes(url.protocol)) {
      throw new InvalidArgumentError(`an address that begins with ${protocols[0]}// or ${protocols[1]}//`);
    }
    return url.pathname === "/" ? new URL(protocols[0] === "ws:" ? PATHS.webSocket : "/mcp", url) : url;
  };
}

function mixOf(text: string): Mix {
  const weights = text.split(",").map((part) => /^\d{1,6}$/.test(part) ? Number(part) : NaN);
  const isValid = weights.length === OPERATION_KINDS.length && weights.every((weight) => weight >= 0);
  const [submit = 0, cancel = 0, modify = 0] = weights;
  if (!isValid || submit === 0) {
    throw new InvalidArgumentError(
      "three whole numbers: submits, cancels and changes, such as 55,35,10, with some submits",
    );
  }
  return { submit, cancel, modify } satisfies Record<OperationKind, number>;
}

function namesOf(text: string): readonly string[] {
  const names = text.split(",");
  if (names.includes("")) throw new InvalidArgumentError("ids with commas between them");
  return names;
}
