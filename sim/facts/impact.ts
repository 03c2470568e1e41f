// How a trade moves the mid, by its size: impact rises with size, less than in proportion, and part of it fades
// (Bouchaud, Farmer & Lillo 2009).
//
// The impact of a trade is its sign times the change of the mid, from the last quote before the trade to the last quote at
// the trade's time (immediate), and at one and ten minutes after it. A sweep is one trade. Trades without a mid at one of
// these times are left out, so all horizons are means over the same trades.
//
// Contracts are pooled: impact is in units of the contract's mean spread before trades, size in units of its mean size.

import { MINUTE_MS } from "../../protocol/time-units.ts";
import { above, type FactGroup, type Sample, type Target, tradedContracts } from "./figure.ts";
import { lastAt, mayTrade, midAt, midOf } from "./market-minutes.ts";
import { slopeOf } from "./series.ts";
import type { Tape } from "./recorded-tape.ts";
import { sweepsOf } from "./trade-signs.ts";

/** `immediate`, `minute` and `tenMinutes`: mean changes of the mid since before the trade. */
interface Impact {
  readonly size: number;
  readonly immediate: number;
  readonly minute: number;
  readonly tenMinutes: number;
}

interface SizeBin extends Impact {
  readonly count: number;
}

const BINS = 8;
/** Bins with a positive impact that an exponent needs. */
const LEAST_BINS = 3;
/** Exponents tried by the fit of the power law. */
const EXPONENTS = Array.from({ length: 201 }, (_, at) => -0.5 + at * 0.01);

const BETWEEN_0_AND_1: Target = { text: "0 to 1", holds: (value) => value > 0 && value < 1, least: 0, most: 1 };

export const impactFacts: FactGroup = {
  figures: [
    { id: "impact.slope", title: "impact by log size: slope, in spreads", target: above(0) },
    { id: "impact.exponent", title: "exponent of impact by size", target: BETWEEN_0_AND_1 },
    { id: "impact.fit", title: "from least squares of a power law" },
    { id: "impact.minuteExponent", title: "of the impact after 1 min" },
    { id: "impact.fade", title: "impact after 10 min / greater of immediate and 1 min", target: BETWEEN_0_AND_1 },
    { id: "impact.tenMinutes", title: "impact after 10 min / immediate" },
    { id: "impact.minute", title: "impact after 1 min / immediate" },
    { id: "impact.immediate", title: "mean immediate impact, in spreads" },
  ],
  measure,
};

function measure(tape: Tape): Sample[] {
  const impacts = tradedContracts(tape).flatMap((contractId) => impactsIn(tape, contractId));
  const bins = binsBySize(impacts);
  const mean = (of: (impact: Impact) => number) => impacts.reduce((sum, each) => sum + of(each), 0) / impacts.length;
  const [immediate, minute, tenMinutes] = [
    mean((each) => each.immediate),
    mean((each) => each.minute),
    mean((each) => each.tenMinutes),
  ];
  const slope = slopeOf(bins.map((bin) => ({ x: Math.log(bin.size), y: bin.immediate, weight: bin.count })));
  return [
    { figure: "impact.slope", value: slope },
    { figure: "impact.exponent", value: exponentOf(bins, (bin) => bin.immediate) },
    { figure: "impact.fit", value: fittedExponent(bins) },
    { figure: "impact.minuteExponent", value: exponentOf(bins, (bin) => bin.minute) },
    { figure: "impact.fade", value: tenMinutes / Math.max(immediate, minute) },
    { figure: "impact.tenMinutes", value: tenMinutes / immediate },
    { figure: "impact.minute", value: minute / immediate },
    { figure: "impact.immediate", value: immediate },
  ];
}

/** Of a contract's trades, in units of its mean spread and mean size. */
export function impactsIn(tape: Tape, contractId: string): Impact[] {
  const contract = tape.contracts.get(contractId);
  const [trades, quotes] = [tape.trades.get(contractId), tape.quotes.get(contractId)];
  if (contract === undefined || trades === undefined || quotes === undefined) return [];
  const end = tape.minutes.end;
  const impacts = sweepsOf(trades).flatMap(({ time, sign, quantity }) => {
    const later = time + 10 * MINUTE_MS;
    if (later > end || !mayTrade(contract, later)) return [];
    const row = lastAt(quotes.times, time - 1);
    const before = midOf(quotes, row);
    const change = (mid: number) => sign * (mid - before);
    return [{
      size: quantity,
      spread: quotes.asks[row]! - quotes.bids[row]!,
      immediate: change(midAt(quotes, time)),
      minute: change(midAt(quotes, time + MINUTE_MS)),
      tenMinutes: change(midAt(quotes, later)),
    }];
  }).filter(({ spread, immediate, minute, tenMinutes }) => !Number.isNaN(spread + immediate + minute + tenMinutes));
  const meanSpread = impacts.reduce((sum, { spread }) => sum + spread, 0) / impacts.length;
  const meanSize = impacts.reduce((sum, { size }) => sum + size, 0) / impacts.length;
  return impacts.map(({ size, immediate, minute, tenMinutes }) => ({
    size: size / meanSize,
    immediate: immediate / meanSpread,
    minute: minute / meanSpread,
    tenMinutes: tenMinutes / meanSpread,
  }));
}

/** Bins of about equal count, by size. Equal sizes are in one bin. */
export function binsBySize(impacts: readonly Impact[], count = BINS): SizeBin[] {
  const sorted = impacts.toSorted((one, other) => one.size - other.size);
  const bins: Impact[][] = [];
  for (const [at, impact] of sorted.entries()) {
    const isNew = at >= bins.length * sorted.length / count && impact.size !== sorted[at - 1]?.size;
    if (isNew || bins.length === 0) bins.push([]);
    bins.at(-1)!.push(impact);
  }
  return bins.map((members) => {
    const mean = (of: (impact: Impact) => number) => members.reduce((sum, each) => sum + of(each), 0) / members.length;
    return {
      count: members.length,
      size: mean(({ size }) => size),
      immediate: mean(({ immediate }) => immediate),
      minute: mean(({ minute }) => minute),
      tenMinutes: mean(({ tenMinutes }) => tenMinutes),
    };
  });
}

/** The slope of the log of an impact over log size, over the bins in which it is positive. */
export function exponentOf(bins: readonly SizeBin[], impactOf: (impact: Impact) => number): number {
  const positive = bins.filter((bin) => impactOf(bin) > 0);
  if (positive.length < LEAST_BINS) return NaN;
  return slopeOf(positive.map((bin) => ({ x: Math.log(bin.size), y: Math.log(impactOf(bin)), weight: bin.count })));
}

/** The b of the power law a size^b of the immediate impact with the least squared error, from -.5 to 1.5. */
export function fittedExponent(bins: readonly SizeBin[]): number {
  if (bins.length < LEAST_BINS) return NaN;
  const errorOf = (exponent: number) => {
    let [products, squares, total] = [0, 0, 0];
    for (const { size, immediate, count } of bins) {
      const power = size ** exponent;
      products += count * power * immediate;
      squares += count * power ** 2;
      total += count * immediate ** 2;
    }
    return total - products ** 2 / squares;
  };
  return EXPONENTS.reduce((best, each) => errorOf(each) < errorOf(best) ? each : best);
}
