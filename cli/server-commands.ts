// The commands for the operator of a server: tools, packs, call, doctor, client-config, freeze, thaw.

import { statSync } from "node:fs";
import { type Command, Option } from "commander";
import { errorMessage } from "../common/error-message.ts";
import { callTool } from "./server/call-tool.ts";
import { type Client, clientConfiguration, CLIENTS } from "./client-config/client-config.ts";
import { checkAll, oneLine, UsageError } from "../common/command-line.ts";
import { checkOptions, choiceArgument } from "../common/options.ts";
import type { Invocation } from "../common/own-invocation.ts";
import { print, printJson, printNote, write } from "../common/output.ts";
import {
  type CommandLineProgram,
  configurationFrom,
  configuredRuntime,
  killSwitchesFrom,
  QUIET,
  UNUSED,
} from "./configured.ts";
import { ENVIRONMENT } from "../core/config/env-file.ts";
import { withDefaults } from "../core/config/variables.ts";
import { examine } from "./doctor/doctor.ts";
import { findingsAsText } from "./doctor/finding.ts";
import { freeze, type KillSwitchOutcome, thaw } from "./server/freeze.ts";
import { loadPacks } from "../core/packs/pack-loader.ts";
import type { Runtime } from "../core/runtime.ts";
import { packsAsJson, packsAsText } from "./server/list-packs.ts";
import { toolsAsJson, toolsAsText } from "./server/list-tools.ts";

/** `invocation`: how to start this program again. */
export function addServerCommands(command: Command, program: CommandLineProgram, invocation: Invocation): void {
  command.command("tools")
    .description("the tools that this configuration offers, by pack")
    .option("--json", "as JSON, with their schemas")
    .action((options: { json?: true }) => list(program, options, toolsAsText, toolsAsJson));
  command.command("packs")
    .description("the packs of this configuration: what each brings, its variables, and the packs that failed")
    .option("--json", "as JSON")
    .action((options: { json?: true }) => list(program, options, packsAsText, packsAsJson));
  command.command("call")
    .description("connect, call one tool, print its result as JSON; exit 1 on a tool error")
    .argument("<tool>", "name of the tool")
    .argument("[json]", "its arguments, as a JSON object", "{}")
    .action((tool: string, json: string) => call(program, tool, json));
  command.command("doctor")
    .description(
      "check configuration, engine, clocks, versions, backups, storage, tokens, ports, disk space, file modes: one line each, with the fix; exit 1 on a fault",
    )
    .addOption(new Option("--data <directory>", "also check the engine's data directory, on its host"))
    .option("--json", "as JSON")
    .action((options: DoctorOptions) => diagnose(program, options));
  command.command("client-config")
    .description("print the configuration for an MCP client: stdio, or HTTP if MCP_HTTP_PORT is set")
    .addArgument(choiceArgument("<client>", "the client", CLIENTS))
    .option("--demo", "for mkt demo, which needs no variables")
    .action((client: Client, _: unknown, self: Command) => showClientConfig(client, program, invocation, self));
  command.command("freeze")
    .description("the kill switch: servers with this MKT_FREEZE_FILE or MKT_REDIS_URL refuse every change from now on")
    .argument("[reason...]", "shown in each refusal")
    .action(async (reason: readonly string[]) => report(await freeze(killSwitchesFrom(ENVIRONMENT), reason.join(" "))));
  command.command("thaw")
    .description("allow changes again after mkt freeze")
    .action(async () => report(await thaw(killSwitchesFrom(ENVIRONMENT))));
}

/** Throws if a kill switch could not be reached. */
async function report({ done, failed }: KillSwitchOutcome): Promise<void> {
  for (const line of done) await print(line);
  if (failed.length > 0) throw new Error(failed.join("\n"));
}

/** Prints what this configuration offers, without connecting. */
async function list(
  program: CommandLineProgram,
  { json }: { readonly json?: true },
  asText: (runtime: Runtime) => string,
  asJson: (runtime: Runtime) => string,
): Promise<void> {
  const runtime = await configuredRuntime(program, ENVIRONMENT, { ...UNUSED, ...QUIET }, "none");
  await (json ? printJson(asJson(runtime)) : print(asText(runtime)));
}

async function call(program: CommandLineProgram, tool: string, json: string): Promise<void> {
  const [input] = checkAll(() => parseArguments(json), () => configurationFrom(program, ENVIRONMENT));
  const runtime = await configuredRuntime(program, ENVIRONMENT, QUIET, "visitor");
  try {
    const { text, failed } = await callTool(runtime, tool, input);
    if (failed) process.exitCode = 1;
    await printJson(text);
  } finally {
    await runtime.close();
  }
}

interface DoctorOptions {
  readonly data?: string;
  readonly json?: true;
}

async function diagnose(program: CommandLineProgram, { data, json }: DoctorOptions): Promise<void> {
  checkAll(() => checkFolder("--data", data), () => configurationFrom(program, ENVIRONMENT));
  const runtime = await configuredRuntime(program, ENVIRONMENT, QUIET, "visitor");
  const engineConnections = program.engineConnections(ENVIRONMENT);
  const findings = await examine(runtime, { data, engineConnections, environment: ENVIRONMENT });
  await runtime.close();
  if (findings.some(({ state }) => state === "failed")) process.exitCode = 1;
  await (json ? printJson(JSON.stringify(findings, null, 2)) : write(findingsAsText(findings)));
}

function checkFolder(option: string, path: string | undefined): void {
  if (path === undefined || statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new UsageError(`${option}: there is no folder ${path}`);
}

async function showClientConfig(
  client: Client,
  program: CommandLineProgram,
  invocation: Invocation,
  command: Command,
): Promise<void> {
  const { demo = false } = command.opts<{ readonly demo?: true }>();
  const [, configuration] = checkAll(
    () => checkOptions(command),
    () => configurationFrom(program, withDefaults(ENVIRONMENT, UNUSED)),
    () => checkPortIsKnown(ENVIRONMENT.MCP_HTTP_PORT),
  );
  const { packs, failures } = await loadPacks(program.packs, configuration, ENVIRONMENT);
  const packVariables = packs.flatMap(({ origin }) => origin?.variables ?? []);
  const { text, notes } = clientConfiguration(client, { invocation, environment: ENVIRONMENT, demo, packVariables });
  for (const note of notes) printNote(note);
  for (const { source, reason } of failures) printNote(oneLine(`${source} is not loaded: ${reason}`));
  await printJson(text.trimEnd());
}

function checkPortIsKnown(port: string | undefined): void {
  if (/^0+$/.test(port ?? "")) throw new UsageError("MCP_HTTP_PORT: must be the port that the server has, not 0");
}

function parseArguments(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`[json]: the arguments are not JSON: ${errorMessage(error)}`);
  }
}
