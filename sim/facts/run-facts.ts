// The facts of a run, and how those of several runs become the figures of a preset: the median over the contracts with
// enough trades, then over the seeds.

import { activityFacts } from "./activity.ts";
import { bookFacts } from "./book-order.ts";
import type { Figure, Sample } from "./figure.ts";
import { impactFacts } from "./impact.ts";
import { orderFacts } from "./order-life.ts";
import { predictionFacts } from "./prediction.ts";
import { profitFacts } from "./profit.ts";
import { returnFacts } from "./returns.ts";
import type { Tape } from "./recorded-tape.ts";
import { medianOfPresent } from "./series.ts";
import { tradeFacts } from "./trade-signs.ts";

export interface RunTape {
  /** The name of the experiment. */
  readonly preset: string;
  readonly seed: number;
  readonly tape: Tape;
}

export interface RunFacts {
  readonly preset: string;
  readonly seed: number;
  readonly samples: readonly Sample[];
}

export interface PresetFigure {
  readonly figure: Figure;
  /** NaN if no run could show it. */
  readonly value: number;
  /** Of each seed, in the order of the runs. */
  readonly seeds: readonly number[];
  /** Null if the figure has no target. */
  readonly holds: boolean | null;
}

const GROUPS = [
  returnFacts,
  activityFacts,
  orderFacts,
  tradeFacts,
  impactFacts,
  bookFacts,
  predictionFacts,
  profitFacts,
];

export const FIGURES: readonly Figure[] = GROUPS.flatMap(({ figures }) => figures);

export function factsOf({ preset, seed, tape }: RunTape): RunFacts {
  return { preset, seed, samples: GROUPS.flatMap(({ measure }) => measure(tape)) };
}

/** The figures of one preset's runs, in the order of FIGURES. */
export function presetFigures(runs: readonly RunFacts[]): PresetFigure[] {
  const seedsOf = new Map(FIGURES.map(({ id }) => [id, runs.map(({ samples }) => medianOfFigure(samples, id))]));
  const known = (id: string) => overSeeds(FIGURES.find((figure) => figure.id === id), seedsOf.get(id) ?? []);
  return FIGURES.map((figure) => {
    const value = figure.derived === undefined ? known(figure.id) : figure.derived(known);
    const holds = figure.target === undefined ? null : !Number.isNaN(value) && figure.target.holds(value);
    return { figure, value, seeds: seedsOf.get(figure.id) ?? [], holds };
  });
}

function medianOfFigure(samples: readonly Sample[], id: string): number {
  return medianOfPresent(samples.filter(({ figure }) => figure === id).map(({ value }) => value));
}

function overSeeds(figure: Figure | undefined, seeds: readonly number[]): number {
  const known = seeds.filter((value) => !Number.isNaN(value));
  if (known.length === 0) return NaN;
  if (figure?.overSeeds === "greatest") return Math.max(...known);
  if (figure?.overSeeds === "positiveShare") return known.filter((value) => value > 0).length / known.length;
  return medianOfPresent(known);
}

/** Three significant digits, or whole numbers from 1,000. */
export function shown(value: number): string {
  if (Number.isNaN(value)) return "-";
  return Math.abs(value) >= 1_000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}
