// Measures suites with mitata, all in one run, so that a ratio compares two figures of one machine and one state.

import { bench, do_not_optimize, run } from "mitata";
import type { Case, Prepare, Suite } from "./suite.ts";

/** Nanoseconds an operation, the median of the samples, for each size. */
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

/** Throws where a case fails its check. */
export async function measure(suites: readonly Suite[]): Promise<Measured> {
  for (const suite of suites) {
    for (const each of suite.cases) {
      register(labelOf(suite, each, "mkt"), each.mkt, suite.sizes);
      register(labelOf(suite, each, "peer"), each.peer, suite.sizes);
    }
  }
  const { benchmarks, context } = await run({ format: "quiet", throw: true });
  const medians = new Map(benchmarks.map(({ alias, runs }) => [alias, runs.map(({ stats }) => stats?.p50 ?? NaN)]));
  const figuresOf = (suite: Suite, each: Case, side: Side) =>
    (medians.get(labelOf(suite, each, side)) ?? []).map((median, index) =>
      median / (each.operations?.(suite.sizes[index] ?? 1) ?? 1)
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

/** A subject as mitata takes it: prepared, checked, yielded to be measured, checked again. */
export async function* checked(prepare: Prepare, items: number) {
  const { run, before, check, end } = await prepare(items);
  const measured = () => {
    const answer = run();
    do_not_optimize(answer);
    return answer;
  };
  try {
    await check();
    yield before === undefined ? measured : { 0: before, bench: (_ready: void) => measured() };
    await check();
  } finally {
    await end?.();
  }
}

type Side = "mkt" | "peer";

function labelOf(suite: Suite, each: Case, side: Side): string {
  return `${suite.name}: ${each.name}: ${side}`;
}

function register(label: string, prepare: Prepare, sizes: readonly number[]): void {
  bench(label, async function* (state: { get(name: string): unknown }) {
    yield* checked(prepare, Number(state.get("items")));
  }).args("items", sizes.length === 0 ? [1] : [...sizes]);
}
