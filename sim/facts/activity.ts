// Facts about when traders act: evenly over the half-hour, and more in some hours of the day than in others.
//
// A message is a row of the tape's orders: an order, a change or a cancel.

import { MINUTE_MS } from "../../protocol/time-units.ts";
import type { LocalCalendar } from "../spot/local-calendar.ts";
import { NodeCalendars } from "../spot/node-calendars.ts";
import { atLeast, between, type FactGroup, type Sample } from "./figure.ts";
import { medianOfPresent, present } from "./series.ts";
import type { MarketMinutes, Tape } from "./recorded-tape.ts";

const HALF_HOUR = 30;
const HOUR = 60;

export const activityFacts: FactGroup = {
  figures: [
    {
      id: "activity.halfHour",
      title: "messages in the first / last minute of half-hours",
      target: between(0.8, 1.25),
    },
    { id: "activity.halfHourAfterStart", title: "without the run's first half-hour" },
    { id: "activity.halfHourMedian", title: "median over half-hours" },
    { id: "activity.hours", title: "trades in the busiest / quietest hour of the day", target: atLeast(3) },
    { id: "activity.volume", title: "MW in the busiest / quietest hour" },
  ],
  measure,
};

function measure(tape: Tape): Sample[] {
  const messages = countsByMinute(tape.messageTimes, tape.minutes);
  const { trades, volumes } = tradesByHour(tape);
  return [
    { figure: "activity.halfHour", value: firstToLast(messages, tape.minutes) },
    { figure: "activity.halfHourAfterStart", value: firstToLast(messages, tape.minutes, HALF_HOUR) },
    { figure: "activity.halfHourMedian", value: medianFirstToLast(messages, tape.minutes) },
    { figure: "activity.hours", value: busiestToQuietest(trades) },
    { figure: "activity.volume", value: busiestToQuietest(volumes) },
  ];
}

/** The mean number of trades, and of MW, in each hour of the day at their nodes; NaN if the market is closed then. */
export function tradesByHour({ trades, contracts, minutes, definition }: Tape) {
  const calendars = NodeCalendars.of(definition);
  const byCalendar = Map.groupBy(trades, ([id]) => calendars.at(contracts.get(id)?.node ?? ""));
  if (byCalendar.size === 0) byCalendar.set(calendars.at(""), []);
  const means = byCalendar.entries().map(([calendar, traded]) => {
    const times = traded.flatMap(([, each]) => [...each.times]);
    const quantities = traded.flatMap(([, each]) => [...each.quantities]);
    return {
      trades: meansByHour(countsByMinute(times, minutes), minutes, calendar),
      volumes: meansByHour(countsByMinute(times, minutes, quantities), minutes, calendar),
    };
  });
  return means.reduce((sum, each) => ({
    trades: sum.trades.map((mean, hour) => mean + each.trades[hour]!),
    volumes: sum.volumes.map((mean, hour) => mean + each.volumes[hour]!),
  }));
}

/** `weights`: counted instead of 1 for each time. */
function countsByMinute(times: ArrayLike<number>, { start, open }: MarketMinutes, weights?: ArrayLike<number>) {
  const counts = new Float64Array(open.length);
  for (let at = 0; at < times.length; at++) {
    const minute = Math.floor((times[at]! - start) / MINUTE_MS);
    if (minute >= 0 && minute < counts.length) counts[minute]! += weights?.[at] ?? 1;
  }
  return counts;
}

/** Over half-hours in which the market is open in both minutes. */
function firstToLast(counts: Float64Array, minutes: MarketMinutes, from = 0): number {
  const pairs = halfHours(counts, minutes).filter(({ minute }) => minute >= from);
  const sum = (count: (pair: { first: number; last: number }) => number) =>
    pairs.reduce((total, pair) => total + count(pair), 0);
  return sum(({ first }) => first) / sum(({ last }) => last);
}

function medianFirstToLast(counts: Float64Array, minutes: MarketMinutes): number {
  const ratios = halfHours(counts, minutes).filter(({ last }) => last > 0).map(({ first, last }) => first / last);
  return medianOfPresent(ratios);
}

function halfHours(counts: Float64Array, { start, open }: MarketMinutes) {
  const pairs: { minute: number; first: number; last: number }[] = [];
  const offset = (HALF_HOUR - (start / MINUTE_MS) % HALF_HOUR) % HALF_HOUR;
  for (let minute = offset; minute + HALF_HOUR <= open.length; minute += HALF_HOUR) {
    const last = minute + HALF_HOUR - 1;
    if (open[minute] === 1 && open[last] === 1) pairs.push({ minute, first: counts[minute]!, last: counts[last]! });
  }
  return pairs;
}

/** Over the hours in which the market is open throughout. */
function meansByHour(counts: Float64Array, { start, open }: MarketMinutes, calendar: LocalCalendar): Float64Array {
  const [sums, hours] = [new Float64Array(24), new Float64Array(24)];
  const offset = (HOUR - (start / MINUTE_MS) % HOUR) % HOUR;
  for (let minute = offset; minute + HOUR <= open.length; minute += HOUR) {
    if (open.subarray(minute, minute + HOUR).includes(0)) continue;
    calendar.moveTo(start + minute * MINUTE_MS);
    hours[calendar.hour]! += 1;
    for (let each = minute; each < minute + HOUR; each++) sums[calendar.hour]! += counts[each]!;
  }
  return sums.map((sum, hour) => sum / hours[hour]!);
}

function busiestToQuietest(byHour: Float64Array): number {
  const known = present(byHour);
  return known.length < 2 ? NaN : Math.max(...known) / Math.min(...known);
}
