// Facts about how orders live: most are cancelled and few trade, some within seconds and some after hours; and of the single
// hours of delivery, how trading and spreads change until the gate closes.
//
// docs/simulator.md names the venues and papers that the targets come from.

import { quantile } from "../../common/statistics.ts";
import { HOUR_MS, MINUTE_MS } from "../../protocol/time-units.ts";
import type { TapeContract } from "./contracts.ts";
import { above, between, type FactGroup, type Sample } from "./figure.ts";
import { lastAt } from "./market-minutes.ts";
import { tailExponent } from "./moments.ts";
import type { Quotes, Tape } from "./recorded-tape.ts";

/** The longest-lived part of the orders, from which the tail is estimated. */
const TAIL_SHARE = 0.05;
/** The spread of an hour is looked at so often. */
const LOOK_MS = MINUTE_MS;
/** Before delivery: near it, and earlier. The market makers leave five minutes before it. */
const NEAR = { from: HOUR_MS, until: 6 * MINUTE_MS };
const EARLIER = { from: 6 * HOUR_MS, until: 3 * HOUR_MS };

export const orderFacts: FactGroup = {
  figures: [
    { id: "orders.cancelled", title: "cancels for each submitted order", target: between(0.5, 0.98) },
    { id: "orders.changed", title: "changes for each submitted order" },
    { id: "orders.messages", title: "messages for each trade", target: between(10, 60) },
    { id: "orders.lifetime", title: "seconds until a cancelled order is cancelled, median", target: between(1, 600) },
    { id: "orders.tail", title: "Hill exponent of the longest 5 % of these times", target: between(0.5, 2) },
    { id: "orders.longest", title: "99th percentile / median (6.6 if exponential)" },
    { id: "orders.gate", title: "minutes from an hour's last trade to its delivery", target: between(5, 60) },
    { id: "orders.busiest", title: "hour before delivery with the most trades, the last is 1", target: between(1, 3) },
    { id: "orders.lastHours", title: "share of an hour's trades in its last three hours" },
    {
      id: "orders.spread",
      title: "an hour's spread in its last hour / 3 to 6 hours before delivery",
      target: above(1),
    },
  ],
  measure,
};

function measure(tape: Tape): Sample[] {
  const { submits, changes, cancels, lifetimes } = tape.orders;
  const trades = [...tape.trades.values()].reduce((sum, { times }) => sum + times.length, 0);
  const lives = [...lifetimes].sort((a, b) => a - b);
  const hours = deliveredHours(tape);
  const before = hours.map((contract) => hoursBefore(tape, contract));
  return [
    { figure: "orders.cancelled", value: cancels / submits },
    { figure: "orders.changed", value: changes / submits },
    { figure: "orders.messages", value: (submits + changes + cancels) / trades },
    { figure: "orders.lifetime", value: quantile(lives, 0.5) / 1_000 },
    { figure: "orders.tail", value: tailExponent(lifetimes, TAIL_SHARE) },
    { figure: "orders.longest", value: quantile(lives, 0.99) / quantile(lives, 0.5) },
    ...hours.map(({ id, deliveryStart }) => ({
      figure: "orders.gate",
      contractId: id,
      value: (deliveryStart - (tape.trades.get(id)?.times.at(-1) ?? NaN)) / MINUTE_MS,
    })),
    { figure: "orders.busiest", value: busiestOf(before) },
    { figure: "orders.lastHours", value: shareOfLast(before, 3) },
    ...hours.map((contract) => ({
      figure: "orders.spread",
      contractId: contract.id,
      value: spreadBefore(tape, contract, NEAR) / spreadBefore(tape, contract, EARLIER),
    })),
  ];
}

/** The single hours that the run shows from six hours before their delivery until it begins. */
function deliveredHours({ contracts, minutes }: Tape): TapeContract[] {
  return [...contracts.values()].filter(({ kind, listedAt, deliveryStart }) =>
    kind === "hour" && deliveryStart <= minutes.end && deliveryStart - EARLIER.from >= Math.max(listedAt, minutes.start)
  );
}

/** Of each trade, how many whole hours before delivery it happened. */
function hoursBefore({ trades }: Tape, { id, deliveryStart }: TapeContract): number[] {
  return [...trades.get(id)?.times ?? []].map((time) => Math.floor((deliveryStart - time) / HOUR_MS));
}

/** Over all contracts, among the hours before delivery that each of them shows; 1 is the last hour. */
function busiestOf(before: readonly (readonly number[])[]): number {
  const counts = new Array<number>(EARLIER.from / HOUR_MS).fill(0);
  for (const hour of before.flat()) if (hour < counts.length) counts[hour]! += 1;
  const most = Math.max(...counts);
  return most > 0 ? counts.indexOf(most) + 1 : NaN;
}

function shareOfLast(before: readonly (readonly number[])[], hours: number): number {
  const all = before.flat();
  return all.filter((hour) => hour < hours).length / all.length;
}

/** The mean spread over the looks with two sides. */
function spreadBefore({ quotes }: Tape, { id, deliveryStart }: TapeContract, { from, until }: typeof NEAR): number {
  const own = quotes.get(id);
  if (own === undefined) return NaN;
  let [sum, looks] = [0, 0];
  for (let time = deliveryStart - from; time <= deliveryStart - until; time += LOOK_MS) {
    const spread = spreadAt(own, time);
    if (Number.isNaN(spread)) continue;
    sum += spread;
    looks += 1;
  }
  return sum / looks;
}

function spreadAt({ times, bids, asks }: Quotes, time: number): number {
  const row = lastAt(times, time);
  return (asks[row] ?? NaN) - (bids[row] ?? NaN);
}
