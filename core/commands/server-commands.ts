// The commands for the operator of a server: tools, call, doctor, client-config, freeze, thaw.

import type { Command } from "commander";
import { callTool } from "./call-tool.ts";
import { type Client, clientConfiguration, CLIENTS, type Invocation } from "./client-config.ts";
import { checkAll, UsageError } from "../../common/command-line.ts";
import { checkOptions, choiceArgument } from "../../common/options.ts";
import { print, printJson, printNote, write } from "../../common/output.ts";
import {
  type CommandLineProgram,
  configurationFrom,
  configuredRuntime,
  freezePathFrom,
  QUIET,
  UNUSED,
} from "./configured.ts";
import { examine } from "./doctor.ts";
import { findingsAsText } from "./finding.ts";
import { freeze, thaw } from "./freeze.ts";
import { toolsAsJson, toolsAsText } from "./list-tools.ts";

/** `invocation`: how to start this program again. */
export function addServerCommands(command: Command, program: CommandLineProgram, invocation: Invocation): void {
  command.command("tools")
    .description("the tools that this configuration offers, by pack")
    .option("--json", "as JSON, with their schemas")
    .action((options: { json?: true }) => listTools(program, options));
  command.command("call")
    .description("connect, call one tool, print its result as JSON; exit 1 on a tool error")
    .argument("<tool>", "name of the tool")
    .argument("[json]", "its arguments, as a JSON object", "{}")
    .action((tool: string, json: string) => call(program, tool, json));
  command.command("doctor")
    .description("check configuration, backend, simulator and storage: one line each, with the fix")
    .action(() => diagnose(program));
  command.command("client-config")
    .description("print the configuration for an MCP client")
    .addArgument(choiceArgument("<client>", "the client", CLIENTS))
    .action((client: Client, _options, self: Command) => showClientConfig(client, invocation, self));
  command.command("freeze")
    .description("the kill switch: servers with this MKT_FREEZE_FILE refuse every change from their next call on")
    .argument("[reason...]", "shown in each refusal")
    .action((reason: readonly string[]) => print(freeze(freezePathFrom(process.env), reason.join(" "))));
  command.command("thaw")
    .description("allow changes again after mkt freeze")
    .action(() => print(thaw(freezePathFrom(process.env))));
}

async function listTools(program: CommandLineProgram, options: { json?: true }): Promise<void> {
  const runtime = await configuredRuntime(program, process.env, { ...UNUSED, ...QUIET });
  await (options.json ? printJson(toolsAsJson(runtime)) : print(toolsAsText(runtime)));
}

async function call(program: CommandLineProgram, tool: string, json: string): Promise<void> {
  const [input] = checkAll(() => parseArguments(json), () => configurationFrom(program, process.env));
  const runtime = await configuredRuntime(program, process.env, QUIET);
  try {
    const { text, failed } = await callTool(runtime, tool, input);
    if (failed) process.exitCode = 1;
    await printJson(text);
  } finally {
    await runtime.close();
  }
}

async function diagnose(program: CommandLineProgram): Promise<void> {
  const runtime = await configuredRuntime(program, process.env, QUIET);
  const findings = await examine(runtime);
  await runtime.close();
  if (findings.some(({ state }) => state === "failed")) process.exitCode = 1;
  await write(findingsAsText(findings));
}

async function showClientConfig(client: Client, invocation: Invocation, command: Command): Promise<void> {
  checkOptions(command);
  const { text, note } = clientConfiguration(client, invocation, process.env);
  printNote(note);
  await printJson(text);
}

function parseArguments(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`[json]: the arguments are not JSON: ${(error as Error).message}`);
  }
}
