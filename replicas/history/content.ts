// What a process knows of one history, as a value, and what two processes know of it together. Pure.
//
// A content covers the numbers after its start and up to its top, without its gaps. For a number that it covers it knows
// whether there was an event that the user may see; the event itself may be evicted.

import { type CategoryCounts, countsOf, type EventContent, type Gap } from "../../core/market/event-content.ts";
import type { ReplicaBuffer } from "../../core/market/event-content.ts";
import type { BufferedEvent } from "../../core/market/event-reader.ts";
import { EVENT_CATEGORIES, type EventCategory } from "../../protocol/index.ts";
import { between, isIn, type Range, sizeOf, without } from "./ranges.ts";

/** An entry of a history. */
export type HistoryItem = BufferedEvent | Gap;

export function isGap(item: HistoryItem): item is Gap {
  return "from" in item;
}

/** The number at which an item belongs: an event's own, the end of a gap. */
export function sequenceOf(item: HistoryItem): number {
  return isGap(item) ? item.to : item.sequence;
}

/** In one ascending order. */
export function inOrder<Item extends HistoryItem>(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => sequenceOf(one) - sequenceOf(other));
}

/** How many of each category. */
export function countsIn(events: readonly BufferedEvent[]): CategoryCounts {
  return countsOf((category) => events.reduce((count, event) => count + (event.category === category ? 1 : 0), 0));
}

/** What the buffer has; the events are its own, not copies. Throws before the first connect. */
export function contentOf(buffer: ReplicaBuffer): EventContent {
  const { epoch, start, latestSequence: top, gaps, added } = buffer;
  if (epoch === null) throw new Error("there is no content before the first epoch");
  const { events } = buffer.read({ since: start, limit: Infinity });
  const forgotten = countsOf((category) => added[category] - buffer.count(category));
  return { epoch, start, top, gaps, events, forgotten };
}

/** All that the buffer has after a number, in order. A gap that contains the number is cut. Null: some of it is evicted. */
export function itemsAfter(buffer: ReplicaBuffer, sequence: number): HistoryItem[] | null {
  if (sequence < buffer.wholeAfter) return null;
  const { events } = buffer.read({ since: sequence, limit: Infinity });
  return inOrder([...events, ...between(buffer.gaps, sequence, Infinity)]);
}

/** The numbers that a content covers. */
export function covered({ start, top, gaps }: Pick<EventContent, "start" | "top" | "gaps">): Range[] {
  return without([{ from: start + 1, to: top }], gaps);
}

/** The lowest number after which the content surely has every event that it covers. */
export function wholeAfter({ start, top, events, forgotten }: EventContent): number {
  const missing = EVENT_CATEGORIES.filter((category) => forgotten[category] > 0);
  return missing.reduce((last, category) => Math.max(last, (firstOf(events, category) ?? top + 1) - 1), start);
}

/** The oldest event of a category. */
function firstOf(events: readonly BufferedEvent[], category: EventCategory): number | undefined {
  return events.find((event) => event.category === category)?.sequence;
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

/**
 * What two contents of one epoch know together. Neither is changed.
 *
 * The union is built on the content that reaches further back (the base). The other one adds what comes after the base's top,
 * and fills gaps of the base, but only above its own `wholeAfter`: below, some of its events are evicted, and nobody could
 * say which of them were in the gap. There its buffered events are kept, unless the base has evicted later ones.
 */
export function union(one: EventContent, other: EventContent): EventContent {
  const [base, second] = isBase(one, other) ? [one, other] : [other, one];
  const whole = wholeAfter(second);
  // Nobody knows what was evicted between the base's top and the other one's first events.
  if (whole > base.top && whole > second.start) return second;
  const top = Math.max(base.top, second.top);
  const filled = without(between(covered(second), whole, top), covered(base));
  const lost = without(without([{ from: base.start + 1, to: top }], covered(base)), filled);
  // An event from before the base's evicted ones would stand alone: nobody has what followed it.
  const firsts = countsOf((category) =>
    base.forgotten[category] === 0 ? 0 : firstOf(base.events, category) ?? base.top + 1
  );
  const isAlone = ({ category, sequence }: BufferedEvent) => sequence < firsts[category];
  const more = second.events.filter(({ sequence }) => sequence > base.start);
  const events = unionOf(base.events, more.filter((event) => !isAlone(event)));
  const dropped = countsIn(more.filter((event) => isAlone(event) && isIn(filled, event.sequence)));
  return {
    ...{ epoch: base.epoch, start: base.start, top, events },
    gaps: without(lost, events.map(({ sequence }) => ({ from: sequence, to: sequence }))),
    forgotten: countsOf((category) => base.forgotten[category] + dropped[category]),
  };
}

/** Whether `one` is the base: it reaches further back, or as far back with less in gaps. */
function isBase(one: EventContent, other: EventContent): boolean {
  return one.start === other.start ? sizeOf(one.gaps) <= sizeOf(other.gaps) : one.start < other.start;
}

/** Each event once; of two copies the one that knows its book. */
function unionOf(one: readonly BufferedEvent[], other: readonly BufferedEvent[]): BufferedEvent[] {
  const merged: BufferedEvent[] = [];
  for (const event of inOrder([...one, ...other])) {
    const last = merged.at(-1);
    if (last?.sequence !== event.sequence) merged.push(event);
    else if (last.book === null) merged[merged.length - 1] = event;
  }
  return merged;
}
