// Reports by the compiled executable: of a run, of its tape, and of several seeds.

import { expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { runMktHere } from "../support/command-line-here.ts";
import { MKT, runMkt } from "../support/executable.ts";
import { startProcess } from "../support/processes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";
import { wellFormed } from "../common/plot/support.ts";
import { LONG } from "../support/sizes.ts";

const folder = temporaryDirectory();
const inFolder = (name: string) => join(folder, name);
const RUN = ["simulate", "--preset", "thin", "--hours", "0.3", "--format", "json"];
const read = (path: string) => Bun.file(path).text();
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
/** Where the runs of this file put temporary tapes. */
const temporary = temporaryDirectory();
const env = { TMPDIR: temporary };

test("simulate --report writes the page of a run, and report the same page from its tape", async () => {
  const [page, tape] = [inFolder("run.html"), inFolder("tape")];
  const run = await runMktHere([...RUN, "--report", page, "--tape", tape]);
  expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode: 0, stderr: `${page}\n` });
  const again = inFolder("again.html");
  expect(await runMktHere(["report", tape, "--out", again])).toEqual({ exitCode: 0, stdout: "", stderr: `${again}\n` });
  const html = await read(page);
  expect(await read(again)).toBe(html);
  wellFormed(html.replace("<!DOCTYPE html>", ""));
  expect(html).toContain("<code>mkt simulate --preset thin --hours 0.3 --seed 1</code>");
  const { messages } = JSON.parse(run.stdout) as { messages: number };
  expect(html).toContain(`<dd>${messages.toLocaleString("en-US")}</dd>`);
  expect(await read(join(tape, "report.json"))).toBe(run.stdout);

  const stderr = `mkt: --report: ${page} exists already: choose another name\n`;
  expect(await runMktHere([...RUN, "--report", page])).toEqual({ exitCode: 1, stdout: "", stderr });
  expect(await read(page)).toBe(html);
});

test("a run and its tape have the same page if nothing was traded", async () => {
  const [page, tape, again] = [inFolder("still.html"), inFolder("still"), inFolder("still-again.html")];
  await runMktHere(["simulate", "--preset", "thin", "--hours", "0.1", "--report", page, "--tape", tape]);
  await runMktHere(["report", tape, "--out", again]);
  expect(await read(page)).toContain("<p>Nothing was traded.</p>");
  expect(await read(again)).toBe(await read(page));
});

test("simulate --seeds --report compares the runs, and leaves no tape behind", async () => {
  const page = inFolder("seeds.html");
  const { exitCode, stdout } = await runMkt([...RUN, "--seeds", "1..2", "--jobs", "1", "--report", page], env);
  expect({ exitCode, lines: stdout.trim().split("\n").length }).toEqual({ exitCode: 0, lines: 2 });
  const html = await read(page);
  expect(html).toContain("<title>thin: seed 1, seed 2</title>");
  expect(html).toContain("<code>mkt simulate --preset thin --hours 0.3 --seed 2</code>");
  expect(readdirSync(temporary)).toEqual([]);
});

test("what can't be made leaves no file, and one line that says why", async () => {
  const page = inFolder("none.html");
  const missing = await runMktHere(["report", inFolder("nowhere"), "--out", page]);
  expect(missing).toEqual({ exitCode: 1, stdout: "", stderr: `mkt: tape ${inFolder("nowhere")}: no such folder\n` });
  const [unwritable, tape] = [inFolder("missing/out.html"), inFolder("unwritten")];
  expect((await runMktHere([...RUN, "--tape", tape, "--report", unwritable])).stderr).toBe(
    `mkt: --report: ${unwritable} can't be written: no such file or folder\n`,
  );
  const wrong = await runMktHere(["simulate", "--seeds", "1..9", "--report", page, "--book-at", "noon"]);
  expect({ exitCode: wrong.exitCode, lines: wrong.stderr.trim().split("\n") }).toMatchObject({ exitCode: 2 });
  expect(wrong.stderr).toContain('mkt: --book-at: up to 12 hours after the start, such as 6h,12h, not "noon"\n');
  expect((await runMktHere(["simulate", "--seeds", "1..9", "--report", page])).stderr).toContain(
    "mkt: --report: at most 8 runs fit side by side, not 9\n",
  );
  expect((await runMktHere(["report", inFolder("nowhere")])).stderr).toContain("mkt: --out: is required");
  expect([page, tape].filter(existsSync)).toEqual([]);
});

/** Long enough that nobody waits for its end. */
const ENDLESS = ["simulate", "--preset", "thin", "--hours", "80000"];

test.skipIf(!LONG)("Ctrl-C leaves no page of a run", async () => {
  const [page, tape] = [inFolder("ended.html"), inFolder("ended")];
  const run = startProcess([MKT, ...ENDLESS, "--report", page, "--tape", tape], { stdout: "ignore", stderr: "ignore" });
  await until(() => sizeOf(join(tape, "orders.csv")) > 0);
  run.kill("SIGINT");
  await run.exited;
  expect(existsSync(page)).toBe(false);
});

test.skipIf(!LONG)("Ctrl-C leaves neither the page of a study nor its temporary tapes", async () => {
  const page = inFolder("ended-study.html");
  const study = startProcess([MKT, ...ENDLESS, "--seeds", "1..3", "--jobs", "2", "--report", page], {
    env,
    stdout: "ignore",
    stderr: "pipe",
  });
  await until(() => readdirSync(temporary).some((name) => sizeOf(join(temporary, name, "seed-1", "orders.csv")) > 0));
  study.kill("SIGINT");
  const stderr = await Bun.readableStreamToText(study.stderr);
  await study.exited;
  expect({ stderr, signal: study.signalCode }).toEqual({ stderr: "", signal: "SIGINT" });
  expect(readdirSync(temporary)).toEqual([]);
  expect(existsSync(page)).toBe(false);
});
