// Measures suites with mitata in one run, so a ratio compares two figures of the same machine in the same state.

import { bench, do_not_optimize, run } from "mitata";
import type { Case, Prepare, Suite } from "./suite.ts";

/** Nanoseconds of one operation, for each size: the least of the samples, which other load disturbs least. */
export interface CaseFigures {
  readonly case: Case;
  readonly mkt: readonly number[];
  readonly peer: readonly number[];
}

export interface SuiteFigures {
  readonly suite: Suite;
  readonly cases: readonly CaseFigures[];
}

export interface Measured {
  readonly processor: string;
  readonly suites: readonly SuiteFigures[];
}

/** Throws if a case fails its check. */
export async function measure(suites: readonly Suite[]): Promise<Measured> {
  // mkt and its peer run one after the other at each size, so other load affects both alike.
  for (const suite of suites) {
    for (const each of suite.cases) {
      for (const items of itemsOf(suite)) for (const side of SIDES) register(suite, each, items, side);
    }
  }
  const { benchmarks, context } = await run({ format: "quiet", throw: true });
  const least = new Map(benchmarks.map(({ alias, runs }) => [alias, aboveZero(alias, runs[0]?.stats?.min)]));
  const figuresOf = (suite: Suite, each: Case, side: Side) =>
    itemsOf(suite).map((items) =>
      (least.get(labelOf(suite, each, items, side)) ?? NaN) / (each.operations?.(items) ?? 1)
    );
  return {
    processor: context.cpu.name ?? "unknown processor",
    suites: suites.map((suite) => ({
      suite,
      cases: suite.cases.map((each) => ({
        case: each,
        mkt: figuresOf(suite, each, "mkt"),
        peer: figuresOf(suite, each, "peer"),
      })),
    })),
  };
}

/** Throws if a clock is too coarse for mitata's samples, so no meaningless ratio is printed. */
export function aboveZero(name: string, nanoseconds: number | undefined): number {
  if (nanoseconds !== undefined && nanoseconds > 0) return nanoseconds;
  throw new Error(`${name} was measured as ${nanoseconds} ns: the clock of this machine is too coarse for it`);
}

/** A subject for mitata: prepared, checked, measured, checked again. */
export async function* checked(prepare: Prepare, items: number) {
  const { run, isTimed = false, before, check, end } = await prepare(items);
  const measured = () => {
    const answer = run();
    do_not_optimize(answer);
    return answer;
  };
  try {
    await check();
    if (isTimed) yield { manual: measured };
    else yield before === undefined ? measured : { 0: before, bench: (_ready: void) => measured() };
    await check();
  } finally {
    await end?.();
  }
}

const SIDES = ["mkt", "peer"] as const;
type Side = (typeof SIDES)[number];

function itemsOf({ sizes }: Suite): readonly number[] {
  return sizes.length === 0 ? [1] : sizes;
}

function labelOf(suite: Suite, each: Case, items: number, side: Side): string {
  return `${suite.name}: ${each.name}: ${items}: ${side}`;
}

function register(suite: Suite, each: Case, items: number, side: Side): void {
  bench(labelOf(suite, each, items, side), async function* () {
    yield* checked(each[side], items);
  });
}
