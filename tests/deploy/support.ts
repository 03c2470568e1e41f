// What the tests of deploy/ share: its files, and whether the program knows the variables, commands and options that they use.

import { expect } from "bun:test";
import { join } from "node:path";
import { unknownVariables } from "../../core/config/variables.ts";
import { MARKET_VARIABLES } from "../../cli/market/market-variables.ts";
import { runMkt } from "../support/executable.ts";

export const DEPLOY = join(import.meta.dir, "../../deploy");

export function deployed(path: string): Promise<string> {
  return Bun.file(join(DEPLOY, path)).text();
}

export function expectKnownVariables(names: readonly string[]): void {
  const environment = Object.fromEntries(names.map((name) => [name, "x"]));
  expect(unknownVariables(environment, MARKET_VARIABLES.known)).toEqual([]);
}

/** A command of mkt with its options; none: the server. */
export async function expectCommand(args: readonly string[]): Promise<void> {
  const [command, ...rest] = args;
  if (command === undefined) return;
  const { stdout, exitCode } = await helpOf(command);
  expect({ command, exitCode, usage: stdout.split(/[ \n]/, 3) }).toEqual({
    command,
    exitCode: 0,
    usage: ["Usage:", "mkt", command],
  });
  for (const option of rest.filter((text) => text.startsWith("--"))) {
    expect(stdout).toMatch(new RegExp(`^ *(-\\w, )?${option}\\b`, "m"));
  }
}

const helps = new Map<string, ReturnType<typeof runMkt>>();

function helpOf(command: string): ReturnType<typeof runMkt> {
  const help = helps.get(command) ?? runMkt([command, "--help"]);
  helps.set(command, help);
  return help;
}
