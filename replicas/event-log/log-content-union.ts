// What two processes know of one history, put together. Pure.
//
// A content covers the numbers after its start and up to its top, without its gaps. For a number that it covers it knows
// whether there was an event that the user may see; the event itself may be evicted.
//
// The union is built on the content that reaches further back (the base). The other one adds what comes after the base's top,
// and fills gaps of the base, but only above its own `wholeAfter`: below, some of its events are evicted, and nobody could
// say which of them were in the gap. There its buffered events are kept, unless the base has evicted later ones.

import {
  countsOf,
  type EventContent,
  type Gap,
  type HistoryItem,
  isGap,
  sequenceOf,
} from "../../core/market/event-content.ts";
import type { BufferedEvent } from "../../core/market/event-reader.ts";
import { EVENT_CATEGORIES, type EventCategory } from "../../protocol/index.ts";

export type Coverage = Pick<EventContent, "start" | "top" | "gaps">;

/** The numbers that a content covers, ascending. */
export function covered({ start, top, gaps }: Coverage): Gap[] {
  return without([{ from: start + 1, to: top }], gaps);
}

/** What of `ranges` is not in `removed`. Both ascending and disjoint. */
export function without(ranges: readonly Gap[], removed: readonly Gap[]): Gap[] {
  const rest: Gap[] = [];
  let next = 0;
  for (const { from, to } of ranges) {
    let first = from;
    while (next < removed.length && removed[next]!.to < first) next += 1;
    for (let at = next; at < removed.length && removed[at]!.from <= to; at += 1) {
      if (removed[at]!.from > first) rest.push({ from: first, to: removed[at]!.from - 1 });
      first = Math.max(first, removed[at]!.to + 1);
    }
    if (first <= to) rest.push({ from: first, to });
  }
  return rest;
}

/** What of the ranges is after one number and up to another. */
export function between(ranges: readonly Gap[], after: number, upTo: number): Gap[] {
  return ranges
    .map(({ from, to }) => ({ from: Math.max(from, after + 1), to: Math.min(to, upTo) }))
    .filter(({ from, to }) => from <= to);
}

/** The lowest number after which the content surely has every event that it covers. */
export function wholeAfter({ start, top, events, forgotten }: EventContent): number {
  const missing = EVENT_CATEGORIES.filter((category) => forgotten[category] > 0);
  return missing.reduce((last, category) => Math.max(last, (firstOf({ events }, category) ?? top + 1) - 1), start);
}

/** The oldest event of a category. */
function firstOf({ events }: Pick<EventContent, "events">, category: EventCategory): number | undefined {
  return events.find((event) => event.category === category)?.sequence;
}

function isIn(ranges: readonly Gap[], sequence: number): boolean {
  return ranges.some(({ from, to }) => from <= sequence && sequence <= to);
}

/** The content as it was at this number, which must not be below `wholeAfter`. */
export function upTo(content: EventContent, last: number): EventContent {
  if (last >= content.top) return content;
  return {
    ...content,
    top: Math.max(last, content.start),
    gaps: between(content.gaps, 0, last),
    events: content.events.filter(({ sequence }) => sequence <= last),
  };
}

/** Both of one epoch. Neither is changed. */
export function union(one: EventContent, other: EventContent): EventContent {
  const [base, second] = isBase(one, other) ? [one, other] : [other, one];
  const whole = wholeAfter(second);
  // Nobody knows what was evicted between the base's top and the other one's first events.
  if (whole > base.top && whole > second.start) return second;
  const top = Math.max(base.top, second.top);
  const known = covered(base);
  const added = between(covered(second), whole, top);
  // An event from before the base's evicted ones would stand alone: nobody has what followed it.
  const firsts = countsOf((category) => base.forgotten[category] === 0 ? 0 : firstOf(base, category) ?? base.top + 1);
  const later = second.events.filter(({ sequence }) => sequence > base.start);
  const dropped = later.filter(({ category, sequence }) => sequence < firsts[category]);
  const events = unionOf(base.events, later.filter(({ category, sequence }) => sequence >= firsts[category]));
  const lost = without(without([{ from: base.start + 1, to: top }], known), added);
  return {
    epoch: base.epoch,
    start: base.start,
    top,
    gaps: without(lost, events.map(({ sequence }) => ({ from: sequence, to: sequence }))),
    events,
    forgotten: countsOf((category) => {
      const isNew = (sequence: number) => !isIn(known, sequence) && isIn(added, sequence);
      const more = dropped.filter((event) => event.category === category && isNew(event.sequence));
      return base.forgotten[category] + more.length;
    }),
  };
}

/** Events and gaps in one ascending order; each list is ascending. */
export function inOrder(lists: readonly (readonly HistoryItem[])[]): HistoryItem[] {
  return lists.flat().sort((one, other) => sequenceOf(one) - sequenceOf(other));
}

/** Whether `one` is the base: it reaches further back, or as far back with less in gaps. */
function isBase(one: EventContent, other: EventContent): boolean {
  if (one.start !== other.start) return one.start < other.start;
  return lengthOf(one.gaps) <= lengthOf(other.gaps);
}

function lengthOf(gaps: readonly Gap[]): number {
  return gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

/** Each event once; of two copies the one that knows its book. */
function unionOf(one: readonly BufferedEvent[], other: readonly BufferedEvent[]): BufferedEvent[] {
  const merged: BufferedEvent[] = [];
  for (const item of inOrder([one, other])) {
    if (isGap(item)) continue;
    const last = merged.at(-1);
    if (last?.sequence !== item.sequence) merged.push(item);
    else if (last.book === null) merged[merged.length - 1] = item;
  }
  return merged;
}
