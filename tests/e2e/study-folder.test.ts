// `mkt simulate --out`: a study whose results outlive its processes: the same bytes for any number of jobs, for any split over
// machines, and after a kill half way.

import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runMktHere } from "../support/command-line-here.ts";
import { BARE_ENVIRONMENT, MKT, runMkt } from "../support/executable.ts";
import { run, startProcess } from "../support/processes.ts";
import { LONG, size } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";

const SEEDS = size(2, 200);
const JOBS = 2 * SEEDS;
const directory = temporaryDirectory();
const path = (name: string) => join(directory, name);
const EXPERIMENT = path("spreads.json");
const STUDY = ["simulate", "--experiment", EXPERIMENT, "--seeds", `1..${SEEDS}`];
/** The study with its results in a folder, and their tapes. */
const into = (folder: string, ...more: string[]) => [...STUDY, "--out", folder, "--tape-format", "csv", ...more];
const read = (file: string) => Bun.file(file).text();
const resultsIn = (folder: string) => {
  const results = join(folder, "results");
  return existsSync(results) ? readdirSync(results) : [];
};

/** What the study prints with two jobs at a time. The others have other numbers of them. */
let expected = "";

beforeAll(async () => {
  const vary = { "trading.halfSpread": [0.01, 0.02] };
  writeFileSync(EXPERIMENT, JSON.stringify({ name: "spreads", preset: "thin", hours: 0.02, vary }));
  const printed = await runMkt([...STUDY, "--jobs", "2"]);
  expect(printed).toMatchObject({ exitCode: 0, stderr: "" });
  expected = printed.stdout;
});

describe("a study with a grid", () => {
  test("prints a line for each combination and seed, with the parameters of the job", () => {
    const lines = expected.trimEnd().split("\n").map((line) => JSON.parse(line));
    expect(lines).toHaveLength(JOBS);
    expect(lines[0]).toMatchObject({
      job: "trading.halfSpread=0.01,seed-1",
      parameters: { "trading.halfSpread": 0.01 },
      experiment: "spreads, with trading.halfSpread=0.01",
      seed: 1,
    });
    expect(lines.at(-1)).toMatchObject({ job: `trading.halfSpread=0.02,seed-${SEEDS}`, seed: SEEDS });
  });

  test("gives each job the bytes of a single run of its command", async () => {
    const single = ["simulate", "--experiment", EXPERIMENT, "--vary", "trading.halfSpread=0.02", "--seed", "2"];
    const { stdout } = await runMktHere([...single, "--format", "json"]);
    expect(expected.split("\n")[SEEDS + 1]).toBe(stdout.trimEnd());
  });
});

describe("a study with a folder", () => {
  test(
    "goes on after kill -9 half way, does nothing twice, and has the bytes of a study that was not killed",
    async () => {
      const folder = path("killed");
      await killHalfWay(folder);
      const before = resultsIn(folder);
      const times = before.map((name) => statSync(join(folder, "results", name)).mtimeMs);
      console.log(`killed with ${before.length} of ${JOBS} results`);
      expect(existsSync(join(folder, "results.jsonl"))).toBe(false);

      const stderr = `mkt: ${JOBS} jobs are done: ${join(folder, "results.jsonl")}\n`;
      expect(await runMkt(into(folder, "--jobs", size("1", "3")))).toEqual({ exitCode: 0, stdout: "", stderr });
      expect(await read(join(folder, "results.jsonl"))).toBe(expected);
      expect(before.map((name) => statSync(join(folder, "results", name)).mtimeMs)).toEqual(times);
      expect(readdirSync(folder).toSorted()).toEqual(["results", "results.jsonl", "study.json", "tapes"]);
      const tapes = readdirSync(join(folder, "tapes"));
      expect(tapes.filter((name) => existsSync(join(folder, "tapes", name, "run.json")))).toHaveLength(JOBS);
    },
  );

  test.skipIf(!LONG)("gives the same bytes in parts, which are merged in any order", async () => {
    const [one, two, three, all] = [path("part-1"), path("part-2"), path("part-3"), path("merged")];
    await Promise.all([one, two, three].map(async (folder, at) => {
      const part = await runMkt(into(folder, "--part", `${at + 1}/3`, "--jobs", "1"));
      expect(part).toMatchObject({ exitCode: 0, stdout: "" });
    }));
    const incomplete = await runMktHere(["merge", three, one, "--out", all]);
    expect(incomplete.exitCode).toBe(1);
    expect(incomplete.stderr).toContain(`of ${JOBS} jobs are missing; the command of the study with --out ${all} runs`);
    if (!LONG) expect(incomplete.stderr).toContain("mkt: trading.halfSpread=0.01,seed-2\n");
    expect(await runMktHere(["merge", two, "--out", all])).toMatchObject({ exitCode: 0 });
    expect(await read(join(all, "results.jsonl"))).toBe(expected);

    // Copied by hand, the study itself finds that nothing is left to do.
    const copied = path("copied");
    for (const part of [two, three, one]) cpSync(part, copied, { recursive: true });
    expect(await runMkt(into(copied))).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("jobs are done") });
    expect(await filesIn(copied)).toEqual(await filesIn(all));

    const changed = join(one, "results", "trading.halfSpread=0.01,seed-1.json");
    writeFileSync(changed, (await read(changed)).replace(`"messages":`, `"messages": `));
    const stderr = expect.stringContaining("mkt: trading.halfSpread=0.01,seed-1: results/");
    const differing = await runMktHere(["merge", all, one, "--out", path("differing")]);
    expect(differing).toMatchObject({ exitCode: 1, stderr });
  });

  test.each(size<NodeJS.Signals[]>(["SIGTERM"], ["SIGINT", "SIGTERM"]))(
    "ends in order by %s, with its runs, and says how to go on",
    async (signal) => {
      const folder = path(signal);
      const endless = ["simulate", "--preset", "thin", "--steps", "1000000000", "--seeds", "1..2", "--out", folder];
      const study = startProcess([MKT, ...endless], { env: BARE_ENVIRONMENT, stderr: "pipe" });
      const workers = await until(() => childrenOf(study.pid), (found) => found.length > 0);
      study.kill(signal);
      expect(await new Response(study.stderr).text()).toBe(
        `mkt: ended early; 0 of 2 jobs are done in ${folder}; the same command goes on\n`,
      );
      await study.exited;
      expect(study.signalCode).toBe(signal);
      expect((await processes()).filter(({ pid }) => workers.includes(pid))).toEqual([]);
      expect(existsSync(join(folder, "work"))).toBe(false);
    },
  );

  test("goes on with the other jobs if the process of one is killed, and names its command", async () => {
    const grid = ["--preset", "thin", "--vary", "hours=80000,0.02"];
    const study = startProcess([MKT, "simulate", ...grid, "--seeds", "1..2", "--jobs", "1"], {
      env: BARE_ENVIRONMENT,
      stderr: "pipe",
    });
    const killed: number[] = [];
    const output = new Response(study.stdout).text();
    for (const _ of [1, 2]) {
      const [worker = 0] = await until(
        async () => (await childrenOf(study.pid)).filter((pid) => !killed.includes(pid)),
        (found) => found.length > 0,
      );
      killed.push(worker);
      process.kill(worker, "SIGKILL");
    }
    const stderr = await new Response(study.stderr).text();
    expect(await study.exited).toBe(1);
    expect(stderr).toContain("mkt: hours=80000,seed-1: its process was ended by SIGKILL; the machine may lack memory");
    expect(stderr).toContain("to repeat it alone: mkt simulate --preset thin --vary hours=80000 --seed 1\n");
    expect(stderr).toEndWith("mkt: 2 of 4 jobs failed: hours=80000,seed-1; hours=80000,seed-2\n");
    const lines = (await output).trimEnd().split("\n").map((line) => JSON.parse(line)["job"]);
    expect(lines).toEqual(["hours=0.02,seed-1", "hours=0.02,seed-2"]);
  });

  test.skipIf(!LONG)("refuses a folder of another study, and one of other files", async () => {
    const folder = path("taken");
    const thin = ["simulate", "--preset", "thin", "--hours", "0.01", "--out", folder];
    expect(await runMkt([...thin, "--seeds", "1..2"])).toMatchObject({ exitCode: 0 });
    const other = await runMktHere([...thin, "--seeds", "1..3", "--vary", "trading.halfSpread=0.01"]);
    expect(other).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `mkt: --out: ${folder}: holds another study: experiment.vary is null there, ` +
        `{"trading.halfSpread":[0.01]} here; experiment.seeds is "1..2" there, "1..3" here: choose another folder\n`,
    });
    const files = path("files");
    mkdirSync(files);
    writeFileSync(join(files, "mine.txt"), "");
    expect((await runMktHere([...thin.slice(0, -1), files])).stderr).toBe(
      `mkt: --out: ${files}: is not empty, and holds no study: choose another folder\n`,
    );
    const nothing = await runMktHere(["merge", files, "--out", path("never")]);
    expect(nothing).toMatchObject({ exitCode: 1, stderr: `mkt: ${files}: study.json: no such file or folder\n` });
  });
});

/** Kills the study when half of its results are there. If it was faster than the look, it begins anew. */
async function killHalfWay(folder: string): Promise<void> {
  for (;;) {
    const study = startProcess([MKT, ...into(folder, "--jobs", size("1", "2"))], { env: BARE_ENVIRONMENT });
    await until(() => resultsIn(folder).length >= JOBS / 2 || study.exitCode !== null, "half of the results");
    const workers = await childrenOf(study.pid);
    study.kill("SIGKILL");
    await study.exited;
    await until(async () => !(await processes()).some(({ pid }) => workers.includes(pid)), "the end of the workers");
    if (resultsIn(folder).length < JOBS) return;
    rmSync(folder, { recursive: true });
  }
}

/** The text of every file, by its path. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = [...new Bun.Glob("**/*").scanSync({ cwd: folder, onlyFiles: true })].toSorted();
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(join(folder, name))])));
}

/** The processes of this machine, without those that have ended and wait for their parent. */
async function processes(): Promise<{ pid: number; parent: number }[]> {
  const { stdout } = await run(["ps", "-eo", "pid=,ppid=,stat="]);
  return stdout.trim().split("\n").map((line) => line.trim().split(/\s+/))
    .filter(([, , state = ""]) => !state.startsWith("Z"))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}

async function childrenOf(parent: number): Promise<number[]> {
  return (await processes()).filter((each) => each.parent === parent).map(({ pid }) => pid);
}
