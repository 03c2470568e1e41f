import { expect } from "bun:test";
import { BARE_ENVIRONMENT } from "../support/executable.ts";
import { run } from "../support/processes.ts";

/** What a command prints that must succeed, without the variables of the test run: mkt warns of those it does not know. */
export async function outputOf(command: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(command, { env: BARE_ENVIRONMENT });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return stdout;
}
