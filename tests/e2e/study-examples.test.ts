// The examples of docs/studies.md run, with few seeds: those for batch systems, and the comparison of two strategies.

import { beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { BARE_ENVIRONMENT, MKT } from "../support/executable.ts";
import { run } from "../support/processes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { LONG, size } from "../support/sizes.ts";

const EXAMPLES = resolve(import.meta.dir, "../../docs/examples");
const study = temporaryDirectory();
const experiment = join(study, "experiment.json");
const environment = { ...BARE_ENVIRONMENT, PATH: `${study}:${BARE_ENVIRONMENT.PATH}` };
const resultsIn = (folder: string) => readdirSync(join(study, folder, "results")).toSorted();

beforeAll(async () => {
  symlinkSync(MKT, join(study, "mkt"));
  await Bun.write(experiment, JSON.stringify({ name: "example", preset: "thin", hours: 0.02 }));
});

const SEEDS = size(2, 3);

test("the tasks of the Slurm array share the jobs, and the last one puts the results together", async () => {
  const tasks: string[] = [];
  for (const task of ["2", "1"]) {
    const env = { ...environment, SEEDS: `1..${SEEDS}`, SLURM_ARRAY_TASK_ID: task, SLURM_ARRAY_TASK_COUNT: "2" };
    const { exitCode, stderr } = await run(["sh", join(EXAMPLES, "study.sbatch"), experiment, join(study, "slurm")], {
      env,
    });
    expect(exitCode).toBe(0);
    tasks.push(stderr);
  }
  expect(tasks).toEqual([
    `mkt: 1 of ${SEEDS} jobs are done in ${join(study, "slurm")}\n`,
    `mkt: ${SEEDS} jobs are done: ${join(study, "slurm", "results.jsonl")}\n`,
  ]);
  expect(resultsIn("slurm")).toEqual(["seed-1.json", "seed-2.json", "seed-3.json"].slice(0, SEEDS));
});

interface KubernetesJob {
  readonly spec: {
    readonly completions: number;
    readonly parallelism: number;
    readonly template: { readonly spec: { readonly containers: readonly Container[] } };
  };
}

interface Container {
  readonly command: readonly string[];
  readonly args: readonly string[];
}

test.skipIf(!LONG)("each pod of the Kubernetes Job runs the part of its index", async () => {
  const { spec } = Bun.YAML.parse(await Bun.file(join(EXAMPLES, "study-job.yaml")).text()) as KubernetesJob;
  const [{ command, args: [line = ""] } = { command: [], args: [] }] = spec.template.spec.containers;
  expect(line).toEndWith(`/${spec.completions}"`);
  mkdirSync(join(study, "pods"));
  const here = line.replaceAll("/study/results", join(study, "pods")).replaceAll("/study/", `${study}/`)
    .replace("1..1000", "1..10");
  const env = { ...environment, JOB_COMPLETION_INDEX: "9" };
  expect(await run([...command, here], { env })).toMatchObject({ exitCode: 0 });
  expect(resultsIn("pods")).toEqual(["seed-10.json"]);
});

test.skipIf(!LONG)(
  "the example of a comparison runs a strategy from a file beside a built-in one, and reports both",
  async () => {
    const page = await Bun.file(join(EXAMPLES, "../studies.md")).text();
    const [, commands = ""] = /a test runs these commands.*?```sh\n(.*?)```/s.exec(page) ?? [];
    expect(commands).toContain("--seeds 1..6");
    copyFileSync(join(EXAMPLES, "band-maker.ts"), join(study, "band-maker.ts"));
    const few = commands.replace("--seeds 1..6", "--seeds 1..2").replace("--hours 6", "--hours 0.2");
    const { exitCode, stdout } = await run(["sh", "-e", "-c", `cd "${study}"\n${few}`], { env: environment });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^personas\[0\]: trading result, \$ +personas\[0\]\.strategy=band-maker +2 /m);
    const { variants, measures } = JSON.parse(await Bun.file(join(study, "makers.json")).text());
    expect(variants.length).toBe(2);
    expect(measures[0].differences[1].runs).toBe(2);
    expect(await Bun.file(join(study, "makers.html")).exists()).toBe(true);
  },
);
