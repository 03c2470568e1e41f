// `mkt replay` of the compiled executable: what it prints, and its exit status.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { makeOperations, SHALLOW } from "../../bench/workloads.ts";
import { makeLobsterFlow } from "../engine/replay/lobster-generator.ts";
import { text } from "../engine/replay/lobster-run.ts";
import { referenceReplay } from "../engine/replay/reference-replay.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { MKT } from "../support/executable.ts";
import { runOnTerminal } from "../support/terminal.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const directory = temporaryDirectory();
const path = (name: string) => join(directory, name);
const operations = makeOperations(SHALLOW, 20_000, 11);
const flow = makeLobsterFlow({ seed: 5, levels: 4, messages: 1_000, withInvisible: false, elsewhere: 0.1, ticks: 20 });

await Bun.write(path("F.bin"), operations);
await Bun.write(path("cut.bin"), operations.subarray(0, 1_000));
await Bun.write(path("M.csv"), text(flow.messages));
await Bun.write(path("B.csv"), text(flow.rows));

const lobster = (...more: string[]) => [
  ...["replay", "--format", "lobster", "--messages", path("M.csv"), "--book", path("B.csv"), "--levels", "4"],
  ...more,
];

async function printedBy(args: readonly string[]): Promise<string> {
  const { stdout, ...rest } = await runMktHere(args);
  expect(rest).toEqual({ exitCode: 0, stderr: "" });
  return stdout;
}

async function failureOf(args: readonly string[], exitCode: number, named: string): Promise<string> {
  const failed = await runMktHere(["replay", ...args]);
  expect(failed).toEqual({ exitCode, stdout: "", stderr: expect.stringContaining(named) });
  return failed.stderr;
}

describe("mkt replay --format ops", () => {
  test("prints only the counts and hashes, as one JSON object, without a terminal", async () => {
    const stdout = await printedBy(["replay", "--format", "ops", "--messages", path("F.bin"), "--json"]);
    expect(stdout.split("\n")).toHaveLength(2);
    const { opsPerSecond, ...report } = JSON.parse(stdout) as Record<string, number>;
    expect(report).toEqual({ ...referenceReplay(operations) });
    expect(opsPerSecond).toBeGreaterThan(0);
  });

  test("prints one count a line without --json, also if only a file is given", async () => {
    const stdout = await printedBy(["replay", path("F.bin")]);
    const counts = Object.fromEntries(stdout.trim().split("\n").map((line) => line.split(/ +/)));
    const expected = Object.entries(referenceReplay(operations)).map(([name, value]) => [name, String(value)]);
    expect(counts).toMatchObject(Object.fromEntries(expected));
  });

  test("draws a progress bar on stderr if stderr is a terminal, and none on stdout", async () => {
    const command = ["/bin/sh", "-c", `"$0" replay "$1" --json > "$2"`, MKT, path("F.bin"), path("out.json")];
    const { exitCode, shown } = await runOnTerminal(command);
    expect(exitCode).toBe(0);
    expect(shown).toContain("20000 operations");
    expect(JSON.parse(await Bun.file(path("out.json")).text())).toMatchObject({ ops: 20_000 });
  });
});

describe("mkt replay --format lobster", () => {
  test("prints its counts, and writes the rows of its own book", async () => {
    expect(JSON.parse(await printedBy(lobster("--book-out", path("OUT.csv"), "--json")))).toEqual({ ...flow.report });
    expect(await Bun.file(path("OUT.csv")).text()).toBe(text(flow.known));
  });

  test("leaves an earlier output unchanged if an input file is missing", async () => {
    await Bun.write(path("before.csv"), "before");
    const { exitCode } = await runMktHere(lobster("--book", path("none.csv"), "--book-out", path("before.csv")));
    expect(exitCode).toBe(1);
    expect(await Bun.file(path("before.csv")).text()).toBe("before");
  });
});

describe("what mkt replay can't do", () => {
  test.each([
    ["a file that is cut", () => [path("cut.bin")], "cut.bin: truncated: 1000 bytes"],
    ["a file of another kind", () => [path("M.csv")], "M.csv: not a file of operations"],
    ["a file that is not there", () => [path("none.bin")], "none.bin"],
    ["a folder", () => [directory], "mkt-test-"],
    ["messages that are not there", () => lobster("--messages", path("none.csv")).slice(1), "none.csv"],
    ["a place that can't be written", () => lobster("--book-out", path("none/OUT.csv")).slice(1), "none/OUT.csv"],
  ])("%s: one line on stderr, exit 1", async (_, args, named) => {
    const stderr = await failureOf(args(), 1, named);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toStartWith("mkt: ");
  });

  test.each([
    ["no file", () => [], "--messages"],
    ["two files", () => [path("F.bin"), "--messages", path("M.csv")], "--messages"],
    ["an unknown format", () => [path("F.bin"), "--format", "itch"], "--format"],
    ["no levels", () => [path("M.csv"), "--book", path("B.csv")], "--levels"],
    ["no levels at all", () => lobster("--levels", "0").slice(1), "--levels"],
    ["no book", () => [path("M.csv"), "--format", "lobster", "--levels", "4"], "--book"],
    ["levels of operations", () => [path("F.bin"), "--levels", "4"], "--levels"],
    ["output over its input", () => lobster("--book-out", path("B.csv")).slice(1), "--book-out"],
  ])("%s is a wrong command line, exit 2", async (_, args, named) => {
    await failureOf(args(), 2, named);
    expect(await Bun.file(path("B.csv")).text()).toBe(text(flow.rows));
  });
});
