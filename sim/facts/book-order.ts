// Facts about whether books fit together: the best bid below the best ask, and the hours of a day against its base.
//
// A look is every five minutes. The base of a day and its hours are compared from five minutes after the later listing, until
// five minutes before the first hour's delivery, because personas leave an hour then.

import { MINUTE_MS } from "../../protocol/time-units.ts";
import type { TapeContract } from "./contracts.ts";
import { GATE_MS } from "../personas/liquidity-profile.ts";
import { atLeast, type FactGroup, type Sample, ZERO } from "./figure.ts";
import { lastAt } from "./market-minutes.ts";
import type { Quotes, Tape } from "./recorded-tape.ts";

const LOOK_MS = 5 * MINUTE_MS;

/** A day's base at a node with all of its hours. */
interface BaseAndHours {
  readonly base: TapeContract;
  readonly hours: readonly TapeContract[];
}

interface Sides {
  readonly bid: number;
  readonly ask: number;
}

export const bookFacts: FactGroup = {
  figures: [
    {
      id: "books.crossed",
      title: "share of two-sided time locked or crossed",
      target: ZERO,
      overSeeds: "greatest",
    },
    { id: "books.noArbitrage", title: "hours against base: looks without a profit", target: atLeast(0.95) },
    {
      id: "books.hoursTwoSided",
      title: "looks with two sides in all hours of tomorrow, all nodes",
      target: atLeast(0.95),
    },
    { id: "books.hourTwoSided", title: "two sides in an hour of tomorrow, share of looks" },
  ],
  measure,
};

function measure(tape: Tape): Sample[] {
  const days = Map.groupBy(basesIn(tape), ({ base }) => base.deliveryStart);
  const looks = [...days.values()].flatMap((nodes) => looksAt(tape, nodes));
  const both = looks.flatMap(({ profits }) => profits.filter((profit) => !Number.isNaN(profit)));
  return [
    { figure: "books.crossed", value: crossedShare(tape) },
    { figure: "books.noArbitrage", value: shareOf(both, (profit) => profit <= 0) },
    { figure: "books.hoursTwoSided", value: shareOf(looks, ({ twoSided, hours }) => twoSided === hours) },
    {
      figure: "books.hourTwoSided",
      value: looks.reduce((sum, { twoSided }) => sum + twoSided, 0) / looks.reduce((sum, { hours }) => sum + hours, 0),
    },
  ];
}

/** Of the time with two sides, over all contracts, until their delivery starts. */
function crossedShare(tape: Tape): number {
  let [twoSided, crossed] = [0, 0];
  for (const [id, { times, bids, asks }] of tape.quotes) {
    const end = Math.min(tape.contracts.get(id)?.deliveryStart ?? Infinity, tape.minutes.end);
    for (let row = 0; row < times.length; row++) {
      const duration = Math.min(times[row + 1] ?? end, end) - times[row]!;
      if (duration <= 0 || Number.isNaN(bids[row]! + asks[row]!)) continue;
      twoSided += duration;
      if (bids[row]! >= asks[row]!) crossed += duration;
    }
  }
  return crossed / twoSided;
}

/** The bases of days that are listed in the run from the first to the last hour of trading, with their hours. */
function basesIn({ contracts }: Tape): BaseAndHours[] {
  const all = [...contracts.values()];
  return all.filter(({ kind, isContiguous }) => kind === "base" && isContiguous).flatMap((base) => {
    const hours = all.filter(({ kind, node, deliveryStart, deliveryEnd }) =>
      kind === "hour" && node === base.node && deliveryStart >= base.deliveryStart && deliveryEnd <= base.deliveryEnd
    );
    return hours.length === base.hours ? [{ base, hours }] : [];
  });
}

/** The looks at one delivery day. `profits`: of each node, NaN if a book has not two sides. */
function looksAt(tape: Tape, nodes: readonly BaseAndHours[]) {
  const contracts = nodes.flatMap(({ base, hours }) => [base, ...hours]);
  const listed = Math.max(...contracts.map(({ listedAt }) => listedAt));
  const end = Math.min(tape.minutes.end, nodes[0]!.base.deliveryStart - GATE_MS);
  const looks: { profits: number[]; twoSided: number; hours: number }[] = [];
  for (let time = Math.floor(listed / LOOK_MS + 1) * LOOK_MS; time <= end; time += LOOK_MS) {
    const books = nodes.map(({ base, hours }) => ({
      base: sidesAt(tape.quotes.get(base.id), time),
      hours: hours.map(({ id }) => sidesAt(tape.quotes.get(id), time)),
    }));
    const sides = books.flatMap(({ hours }) => hours);
    looks.push({
      profits: books.map(({ base, hours }) => profitOf(base, hours)),
      twoSided: sides.filter(({ bid, ask }) => !Number.isNaN(bid + ask)).length,
      hours: sides.length,
    });
  }
  return looks;
}

/** Cents/MWh of base: the better of selling the base and buying its hours, and of the reverse. NaN if a side is empty. */
export function profitOf(base: Sides, hours: readonly Sides[]): number {
  const mean = (price: (sides: Sides) => number) => hours.reduce((sum, each) => sum + price(each), 0) / hours.length;
  return Math.max(base.bid - mean(({ ask }) => ask), mean(({ bid }) => bid) - base.ask);
}

function sidesAt(quotes: Quotes | undefined, time: number): Sides {
  if (quotes === undefined) return { bid: NaN, ask: NaN };
  const row = lastAt(quotes.times, time);
  return { bid: quotes.bids[row] ?? NaN, ask: quotes.asks[row] ?? NaN };
}

function shareOf<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  return values.filter(holds).length / values.length;
}
