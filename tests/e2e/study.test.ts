// `mkt simulate --seeds`: the bytes of single runs in the order of the seeds, for any number of processes; a run that
// fails.

import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { runMktHere } from "../support/command-line-here.ts";
import { BARE_ENVIRONMENT, runMkt } from "../support/executable.ts";
import { run } from "../support/processes.ts";
import { LONG, size } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const directory = temporaryDirectory();
const path = (name: string) => join(directory, name);
const SHORT = ["--preset", "thin", "--hours", "0.02"];

const simulate = (...args: string[]) => runMkt(["simulate", ...args]);
/** Runs without workers. */
const simulateHere = (...args: string[]) => runMktHere(["simulate", ...args]);

describe("a study", () => {
  test(
    "prints the lines of single runs in the order of the seeds, for any number of jobs, from source and compiled",
    async () => {
      const singles: string[] = [];
      for (const seed of size(["3", "1"], ["3", "1", "2"])) {
        singles.push((await simulateHere(...SHORT, "--seed", seed, "--format", "json")).stdout);
      }
      const expected = { exitCode: 0, stdout: singles.join(""), stderr: "" };
      const study = [...SHORT, "--seeds", size("3,1", "3,1..2")];
      // In every run, study-folder.test.ts has compiled ones with one job and with two.
      for (const jobs of size([], ["1", "2", "3", "5"])) {
        expect(await simulate(...study, "--jobs", jobs)).toEqual(expected);
      }
      const main = resolve(import.meta.dir, "../../main.ts");
      const fromSource = [process.execPath, main, "simulate", ...study, "--jobs", "1"];
      expect(await run(fromSource, { env: BARE_ENVIRONMENT })).toEqual(expected);
    },
  );

  test.skipIf(!LONG)("may be said by the experiment; a seed on the command line makes it a single run", async () => {
    const file = path("study.json");
    await Bun.write(file, JSON.stringify({ name: "study", preset: "thin", hours: 0.02, seeds: "4..5" }));
    const { stdout } = await simulate("--experiment", file);
    expect(stdout.trimEnd().split("\n").map((line) => JSON.parse(line))).toMatchObject([
      { experiment: "study", seed: 4 },
      { experiment: "study", seed: 5 },
    ]);
    expect((await simulateHere("--experiment", file, "--seed", "9")).stdout).toMatch(/^seed +9$/m);
    const printed = await simulateHere("--experiment", file, "--print-experiment");
    expect(JSON.parse(printed.stdout)).toMatchObject({ seeds: "4..5" });
    expect(JSON.parse(printed.stdout)).not.toHaveProperty("seed");
  });

  test.skipIf(!LONG)("names a run that fails, goes on with the others, and ends with status 1", async () => {
    const tape = path("tapes");
    mkdirSync(join(tape, "seed-2"), { recursive: true });
    await Bun.write(join(tape, "seed-2", "run.json"), "{}");
    const { exitCode, stdout, stderr } = await simulate(...SHORT, "--seeds", "1..3", "--tape", tape, "--jobs", "2");
    expect(exitCode).toBe(1);
    expect(stdout.trimEnd().split("\n").map((line) => JSON.parse(line)["seed"])).toEqual([1, 3]);
    expect(stderr).toContain(`mkt: seed-2: tape ${join(tape, "seed-2")}: holds a tape already`);
    expect(stderr).toContain("mkt: seed-2: to repeat it alone: mkt simulate --preset thin --hours 0.02 --seed 2\n");
    expect(stderr).toEndWith("mkt: 1 of 3 jobs failed: seed-2\n");
    expect(existsSync(join(tape, "seed-3", "run.json"))).toBe(true);
  });

  test.skipIf(!LONG)("starts the agents of each run, and has the line of the run alone", async () => {
    const agent = `'${process.execPath}' ${join(import.meta.dir, "../../docs/examples/agent.ts")} {port}`;
    const study = await simulate(...SHORT, "--agent", agent, "--seeds", "2");
    expect(study).toEqual(await simulateHere(...SHORT, "--agent", agent, "--seed", "2", "--format", "json"));
    expect(JSON.parse(study.stdout).personas.at(-1)).toMatchObject({ id: "agent-typescript", orders: 10 });
  });

  test.each([
    ["seeds that are none", ["--seeds", "3..1"], "--seeds: must be seeds from 0 to 4294967295"],
    ["a seed beside seeds", ["--seeds", "1..2", "--seed", "1"], "--seed and --seeds: give one of them"],
    ["jobs without seeds", ["--jobs", "2"], "--jobs: needs a study: --seeds"],
    ["no jobs", ["--seeds", "1..2", "--jobs", "0"], "--jobs: a whole number from 1 to 256"],
    ["text", ["--seeds", "1..2", "--format", "text"], "--format: a study prints a line of JSON for each run"],
    [
      "a port",
      ["--seeds", "1..2", "--agent", "0"],
      "--agent: a study starts the agents of each run: give their command",
    ],
  ])("is refused with %s: exit 2", async (_, args, named) => {
    expect(await simulateHere(...args)).toEqual({ exitCode: 2, stdout: "", stderr: expect.stringContaining(named) });
  });
});
