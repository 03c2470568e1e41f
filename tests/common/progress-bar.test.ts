import { expect, test } from "bun:test";
import { join } from "node:path";
import { run } from "../support/processes.ts";
import { runOnTerminal } from "../support/terminal.ts";

const COMMAND = [process.execPath, join(import.meta.dir, "fixtures/shows-progress.ts")];
const ESCAPE = String.fromCharCode(27);

test("a bar is drawn on a terminal and removed, also if its total is known late", async () => {
  const { exitCode, shown } = await runOnTerminal(COMMAND);
  expect(exitCode).toBe(0);
  expect(shown).toContain("3/7 steps");
  expect(shown).toContain("/5 records");
  expect(shown).not.toContain("nothings");
  // Clears the line of the bar before the result.
  expect(shown.split(`${ESCAPE}[0K`).at(-1)).not.toContain("steps");
  expect(shown.trimEnd()).toEndWith("done");
});

test("nothing is drawn on a dumb terminal, in a build, or in a pipe", async () => {
  for (const env of [{ TERM: "dumb" }, { CI: "true" }] as Record<string, string>[]) {
    expect(await runOnTerminal(COMMAND, env)).toEqual({ exitCode: 0, shown: "done\n" });
  }
  expect(await run(COMMAND)).toEqual({ exitCode: 0, stdout: "done\n", stderr: "" });
});
