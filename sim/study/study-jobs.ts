// The jobs of a study: a run for each variant of the experiment and each seed. Their order is that of the variants, and of the
// seeds within a variant. Nothing else determines it, so it is the same on every machine.

import { type Variant, variantKey } from "../experiment/grid.ts";

export interface Job {
  /** Place in the study, from 0. */
  readonly index: number;
  /** Names the job and its files. It depends on variant and seed alone. */
  readonly key: string;
  readonly variant: Variant;
  readonly seed: number;
}

/** A share of the jobs: each `count`-th one. `number`: from 1 to `count`. */
export interface Part {
  readonly number: number;
  readonly count: number;
}

export const MAX_STUDY_JOBS = 100_000;

/** Throws RangeError if there are more than MAX_STUDY_JOBS. */
export function jobsOf(variants: readonly Variant[], seeds: readonly number[]): readonly Job[] {
  if (variants.length * seeds.length > MAX_STUDY_JOBS) throw new RangeError("too many jobs");
  return variants.flatMap((variant, at) => {
    const prefix = variant.length === 0 ? "" : `${variantKey(variant)},`;
    return seeds.map((seed, place) => ({
      index: at * seeds.length + place,
      key: `${prefix}seed-${seed}`,
      variant,
      seed,
    }));
  });
}

/** Neighbours are in different parts, so each part has about as many jobs of each variant. */
export function jobsOfPart(jobs: readonly Job[], { number, count }: Part): readonly Job[] {
  return jobs.filter(({ index }) => index % count === number - 1);
}

/** What the result of a job says before its report; nothing for the experiment as it is. */
export function jobFields(variant: Variant, seed: number): Readonly<Record<string, unknown>> {
  if (variant.length === 0) return {};
  return {
    job: `${variantKey(variant)},seed-${seed}`,
    parameters: Object.fromEntries(variant.map(({ path, value }) => [path, value])),
  };
}

/** Lines that name jobs: of each variant its seeds, in ranges. */
export function jobLines(jobs: readonly Job[]): string[] {
  const seeds = new Map<string, number[]>();
  for (const { key, seed } of jobs) {
    const variant = key.slice(0, -`seed-${seed}`.length);
    const list = seeds.get(variant);
    if (list === undefined) seeds.set(variant, [seed]);
    else list.push(seed);
  }
  return [...seeds].map(([variant, list]) => `${variant}seed-${seedText(list)}`);
}

/** As in `1..20` or `1,5,9..12`, in the order of the seeds. */
export function seedText(seeds: readonly number[]): string {
  const ranges: { from: number; until: number }[] = [];
  for (const seed of seeds) {
    const last = ranges.at(-1);
    if (last !== undefined && seed === last.until + 1) last.until = seed;
    else ranges.push({ from: seed, until: seed });
  }
  return ranges.map(({ from, until }) => from === until ? `${from}` : `${from}..${until}`).join(",");
}
