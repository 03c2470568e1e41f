// Which command a word means, what is said of a word that means none, and what every market command does first.

import { expect, test } from "bun:test";
import * as engines from "../../cli/market/engine-command.ts";
import * as simulators from "../../cli/market/simulator-command.ts";
import * as configured from "../../cli/configured.ts";
import packageJson from "../../package.json" with { type: "json" };
import { runMktHere } from "../support/command-line-here.ts";
import { replaced } from "../support/replaced.ts";

test("the help of a command is that of the command, and an unknown one is refused with the one that is meant", async () => {
  const help = await runMktHere(["help", "health"]);
  expect(help).toMatchObject({
    exitCode: 0,
    stderr: "",
    stdout: expect.stringContaining("mkt health [options] [url]"),
  });
  expect(await runMktHere(["health", "--help"])).toEqual(help);
  const all = await runMktHere(["help"]);
  expect(all.exitCode).toBe(0);
  for (
    const name of ["demo", "engine", "sim", "backup", "restore", "accept-clock", "thaw", "watch", "simulate", "spot"]
  ) {
    expect(all.stdout).toContain(`\n  ${name} `);
  }
  const unknown = "mkt: there is no command helth (did you mean health?); mkt --help lists the commands\n";
  for (const args of [["helth"], ["help", "helth"]]) {
    expect(await runMktHere(args)).toEqual({ exitCode: 2, stdout: "", stderr: unknown });
  }
});

test("the version is printed without loading a command", async () => {
  for (const flag of ["--version", "-V"]) {
    expect(await runMktHere([flag])).toEqual({ exitCode: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  }
});

test("an option that is unknown is one line, with the one that is meant", async () => {
  const { exitCode, stderr, stdout } = await runMktHere(["health", "--timeout-m", "5"]);
  expect([exitCode, stdout, stderr]).toEqual([
    2,
    "",
    "mkt: unknown option '--timeout-m' (did you mean --timeout-ms?)\n",
  ]);
});

test("a file of variables that can't be read is refused before anything is done", async () => {
  const { exitCode, stderr } = await runMktHere(["health", "http://127.0.0.1:1"], { DOTENV_PATH: "/no/such/file" });
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^mkt: DOTENV_PATH: /)]);
});

test.each([
  ["engine", engines, "addEngineCommand"],
  ["sim", simulators, "addSimulatorCommand"],
])(
  "mkt %s has the version, and sets up its log from the variables, of which unknown ones are told",
  async (...given) => {
    const [name, module, add] = given;
    const levels = replaced(configured, "configureLoggingFrom", () => {});
    const checked = replaced(configured, "checkUnknownVariables", () => {});
    const added = replaced(
      module as never,
      add as never,
      ((program: { command(name: string): never }) => {
        program.command(name);
      }) as never,
    ) as unknown as [unknown, { version: string; configureLogging: () => void }][];
    await runMktHere([name, "--help"]);
    const [, { version, configureLogging }] = added[0]!;
    expect([version, levels.length, checked.length]).toEqual([packageJson.version, 0, 0]);
    configureLogging();
    expect([levels.length, checked.length, levels[0]![0] === checked[0]![0]]).toEqual([1, 1, true]);
    expect(checked[0]![1].guardrails).toContain("MKT_ENGINE_TOKEN_FILE");
  },
);
