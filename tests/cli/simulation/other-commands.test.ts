// What each option of `mkt replay`, `merge`, `report` and `spot` changes.

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { addMergeCommand } from "../../../cli/simulation/merge-command.ts";
import { addReplayCommand } from "../../../cli/simulation/replay-command.ts";
import { addReportCommand } from "../../../cli/simulation/report-command.ts";
import { addSpotCommand } from "../../../cli/simulation/spot-command.ts";
import * as replaying from "../../../engine/replay/replay-files.ts";
import * as recorded from "../../../sim/report/recorded-run.ts";
import * as pages from "../../../sim/report/report-page.ts";
import * as pictures from "../../../sim/report/spot-picture.ts";
import * as listing from "../../../sim/spot/price-listing.ts";
import * as merging from "../../../sim/study/merge-studies.ts";
import { runCommandHere } from "../../support/command-line-here.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

test("mkt replay takes the file as an argument or an option, and lobster's options go to lobster", async () => {
  const report = { operations: 3 };
  const ops = replaced(replaying, "replayOpsFile", () => Promise.resolve({ ok: true, report }));
  const lobster = replaced(replaying, "replayLobsterFiles", () => Promise.resolve({ ok: true, report }));
  const run = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runCommandHere(addReplayCommand, ["replay", ...args]);
    return { exitCode, stdout, stderr, ops: ops.splice(0).map(([path]) => path), lobster: lobster.splice(0) };
  };
  const text = replaying.reportAsText(report);
  const played = { exitCode: 0, stdout: `${text}\n`, stderr: "", ops: ["f"], lobster: [] };
  expect(await run("f")).toEqual(played);
  expect(await run("--messages", "f")).toEqual(played);
  expect(await run("f", "--messages", "f", "--format", "ops")).toEqual(played);
  expect(await run("f", "--json")).toEqual({ ...played, stdout: '{"operations":3}\n' });
  const files = { messages: "m", book: "b", levels: 5, bookOut: undefined };
  const ofLobster = { ...played, ops: [], lobster: [[files]] } as object;
  expect(await run("m", "--book", "b", "--levels", "5")).toEqual(ofLobster as never);
  expect(await run("m", "--format", "lobster", "--book", "b", "--levels", "5", "--book-out", "o"))
    .toEqual({ ...ofLobster, lobster: [[{ ...files, bookOut: "o" }]] } as never);
  const refusal = async (...args: string[]) => (await run(...args)).stderr.split("\n").slice(0, -1);
  expect(await refusal()).toEqual(["mkt: --messages: name the file to play"]);
  expect(await refusal("a", "--messages", "b")).toEqual(["mkt: --messages: names another file than the argument"]);
  for (const option of ["--levels", "--book-out"]) {
    expect(await refusal("f", option, "5")).toEqual(["mkt: --book, --levels and --book-out need --format lobster"]);
  }
  expect(await refusal("f", "--format", "lobster")).toEqual([
    "mkt: --book: name the file with the book after each message",
    "mkt: --levels: give the number of levels a side in the book file",
  ]);
  for (const out of ["m", "./b"]) {
    expect(await refusal("m", "--book", "b", "--levels", "5", "--book-out", out))
      .toEqual(["mkt: --book-out: would overwrite an input file"]);
  }
  replaced(replaying, "replayOpsFile", () => Promise.resolve({ ok: false, fault: "f: line 3\nis wrong" }));
  expect(await run("f")).toMatchObject({ exitCode: 1, stderr: "mkt: f: line 3\\nis wrong\n" });
});

test("mkt merge puts its folders into --out, says what is missing, and closes it", async () => {
  const done: unknown[] = [];
  const jobs = Array.from({ length: 30 }, (_, at) => ({ key: `v${at}-seed-1`, seed: 1, variant: [], index: at }));
  const into = { jobs, finish: () => "o/results", close: () => void done.push("closed") };
  const opened = replaced(merging, "openStudies", () => ({ from: ["a", "b"], into }));
  let missing: unknown[] = [];
  const merged = replaced(merging, "mergeStudies", () => ({ missing }));
  const run = async (...args: string[]) => await runCommandHere(addMergeCommand, ["merge", ...args]);
  expect(await run("a", "b", "--out", "o")).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: "mkt: 30 jobs are done: o/results\n",
  });
  expect([opened, merged[0]?.slice(0, 2), done]).toEqual(
    [[[["a", "b"], "o"]], [["a", "b"], into], ["closed"]] as never,
  );
  missing = jobs;
  const { exitCode, stderr } = await run("a", "--out", "o");
  const lines = stderr.trimEnd().split("\n");
  expect([exitCode, lines.length, done]).toEqual([1, 22, ["closed", "closed"]]);
  expect([lines[0], lines.at(-1)]).toEqual([
    "mkt: 30 of 30 jobs are missing; the command of the study with --out o runs them:",
    "mkt: and 10 more lines",
  ]);
  expect(await run("a")).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--out: is required") });
});

test("mkt report makes a page of its tapes in --out, with books at --book-at", async () => {
  const out = join(temporaryDirectory(), "page.html");
  replaced(recorded, "tapeOfRun", (directory) => ({ directory, bytes: 1 }));
  const read = replaced(recorded, "readRun", ({ directory }) => ({ run: directory }));
  const made = replaced(pages, "reportPage", () => "<html>");
  const run = async (...args: string[]) => await runCommandHere(addReportCommand, ["report", ...args]);
  expect(await run("a", "b", "--out", out)).toEqual({ exitCode: 0, stdout: "", stderr: `${out}\n` });
  expect(await Bun.file(out).text()).toBe("<html>");
  expect<unknown>([read.map(([tape, hours]) => [tape.directory, hours]), made]).toEqual([[["a", null], ["b", null]], [
    [[{ run: "a" }, { run: "b" }]],
  ]]);
  expect(await run("a", "--out", `${out}2`, "--book-at", "6h,1.5h")).toMatchObject({ exitCode: 0 });
  expect(read.at(-1)?.[1]).toEqual([6, 1.5]);
  expect(await run("a", "--out", out)).toMatchObject({ exitCode: 1 });
  expect(await run("a")).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--out: is required") });
  const nine = Array.from({ length: 9 }, (_, at) => `${at}`);
  const many = "mkt: folder: at most 8 runs fit side by side, not 9\n";
  expect(await run(...nine, "--out", `${out}3`)).toMatchObject({ exitCode: 2, stderr: many });
});

test("mkt spot lists the prices of a seed and of so many hours, in a format, or draws them", async () => {
  const listed = replaced(listing, "priceListing", ({ format }) => [`prices as ${format}\n`]);
  const drawn = replaced(pictures, "spotPicture", () => "<svg>");
  const run = async (...args: string[]) => {
    const outcome = await runCommandHere(addSpotCommand, ["spot", ...args]);
    return {
      ...outcome,
      listed: listed.splice(0),
      drawn: drawn.splice(0).map(([{ seed, hours }]) => ({ seed, hours })),
    };
  };
  const csv = { seed: 1, hours: 24, format: "csv" } as const;
  const usual = { exitCode: 0, stdout: "prices as csv\n", stderr: "", listed: [[csv]], drawn: [] } as object;
  expect(await run()).toEqual(usual as never);
  expect((await run("--seed", "5")).listed).toEqual([[{ ...csv, seed: 5 }]]);
  expect((await run("--hours", "5")).listed).toEqual([[{ ...csv, hours: 5 }]]);
  expect((await run("--format", "table")).listed).toEqual([[{ ...csv, format: "table" }]]);
  const path = join(temporaryDirectory(), "prices.svg");
  expect(await run("--plot", path, "--seed", "2", "--hours", "3"))
    .toEqual({ exitCode: 0, stdout: "", stderr: `${path}\n`, listed: [], drawn: [{ seed: 2, hours: 3 }] });
  expect(await Bun.file(path).text()).toBe("<svg>");
  expect(await run("--plot", `${path}2`, "--format", "csv")).toMatchObject({ listed: [[csv]], drawn: [{ seed: 1 }] });
  writeFileSync(path, "old");
  expect((await run("--plot", path)).exitCode).toBe(1);
  expect(await Bun.file(path).text()).toBe("old");
});
