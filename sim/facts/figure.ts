// What a fact is: figures that are measured on the tape of a run, with targets.

import type { Tape } from "./recorded-tape.ts";

export interface Target {
  /** Such as "-.1 to .1". */
  readonly text: string;
  readonly holds: (value: number) => boolean;
  /** The ends of the range, for pictures; absent: it has no such end. */
  readonly least?: number;
  readonly most?: number;
}

/** How the values of seeds become that of a preset. positiveShare: the share of the seeds in which it is above 0. */
type OverSeeds = "median" | "greatest" | "positiveShare";

export interface Figure {
  /** Unique, such as returns.autocorrelation. */
  readonly id: string;
  /** Row title in the table. */
  readonly title: string;
  /** Absent: another definition of the figure above it, or something that explains it. */
  readonly target?: Target;
  readonly overSeeds?: OverSeeds;
  /** Of a preset: computed from other figures' values, not measured. */
  readonly derived?: (valueOf: (id: string) => number) => number;
}

export interface Sample {
  readonly figure: string;
  /** Absent: of the whole run. */
  readonly contractId?: string;
  readonly value: number;
}

/** Figures that are computed together. */
export interface FactGroup {
  readonly figures: readonly Figure[];
  readonly measure: (tape: Tape) => Sample[];
}

/** Contracts with fewer trades are left out of medians over contracts. */
const LEAST_TRADES = 100;

/** The ids of the contracts with enough trades. */
export function tradedContracts(tape: Tape): string[] {
  return [...tape.trades].filter(([, { times }]) => times.length >= LEAST_TRADES).map(([id]) => id);
}

export function between(least: number, most: number): Target {
  return { text: `${short(least)} to ${short(most)}`, holds: (value) => value >= least && value <= most, least, most };
}

export function above(bound: number): Target {
  return { text: `above ${short(bound)}`, holds: (value) => value > bound, least: bound };
}

export function below(bound: number): Target {
  return { text: `below ${short(bound)}`, holds: (value) => value < bound, most: bound };
}

export function atLeast(bound: number): Target {
  return { text: `at least ${short(bound)}`, holds: (value) => value >= bound, least: bound };
}

export const ZERO: Target = { text: "0", holds: (value) => value === 0 };

/** Without the zero before the decimal point. */
function short(value: number): string {
  return String(value).replace(/^(-?)0\./, "$1.");
}
