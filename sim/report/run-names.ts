// How runs are named in a report: by what they differ in.

import type { RecordedRun } from "./recorded-run.ts";

/** A short name for each run, all different. */
export function runNames(runs: readonly RecordedRun[]): string[] {
  const experiments = new Set(runs.map(({ description }) => description.experiment.name));
  const seeds = new Set(runs.map(({ description }) => description.seed));
  const names = runs.map(({ description: { experiment, seed } }) => {
    if (experiments.size === 1) return `seed ${seed}`;
    return seeds.size === 1 ? experiment.name : `${experiment.name}, seed ${seed}`;
  });
  return names.map((name, at) => names.filter((other) => other === name).length > 1 ? `${name} (run ${at + 1})` : name);
}
