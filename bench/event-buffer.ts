// The event buffer: a push into a full buffer, and a read of a page of 50 as in the monitor tools. The peer is one
// array with push, shift, filter and slice.
//
// Claim: the cost of reading a page depends on the page, not on the buffer.

import { deepStrictEqual } from "node:assert";
import { EventBuffer } from "../core/market/event-buffer.ts";
import type { EventQuery } from "../core/market/event-reader.ts";
import { categoryOf, type EventMessage } from "../protocol/index.ts";
import { SeededRandom } from "../sim/random/seeded-random.ts";
import { cyclic, FEW, locationOf, PRODUCT_CODE } from "./market-data.ts";
import { EPOCH, makeEvent, makeEvents, RARE_TYPE } from "./market-events.ts";
import { type Case, type Prepare, SIZES, type Subject, type Suite } from "./suite.ts";

const PAGE = 50;

export function filledBuffer(events: readonly EventMessage[]): EventBuffer {
  const buffer = new EventBuffer(events.length);
  buffer.begin(EPOCH, EPOCH);
  for (const event of events) buffer.push(event);
  return buffer;
}

function naivePage(
  events: readonly EventMessage[],
  { category, types, productCode, contractId, since, limit }: EventQuery,
) {
  const matches = events.filter((event) =>
    (since === undefined || event.sequence > since) &&
    (category === undefined || categoryOf(event.type) === category) &&
    (types === undefined || types.includes(event.type)) &&
    (productCode === undefined || event.data["productCode"] === productCode) &&
    (contractId === undefined || event.data["contractId"] === contractId)
  );
  return since === undefined ? matches.slice(-limit) : matches.slice(0, limit);
}

/** The query of each case, for a number of events. */
export const READS: readonly { name: string; length: number; query: (items: number) => EventQuery }[] = [
  { name: "newest page", length: PAGE, query: () => ({ limit: PAGE }) },
  {
    name: "page after a number half way",
    length: PAGE,
    query: (items) => ({ since: EPOCH + items / 2, limit: PAGE }),
  },
  { name: "page of one category", length: PAGE, query: () => ({ category: "fill", limit: PAGE }) },
  { name: `page of a rare type (${FEW} events)`, length: FEW, query: () => ({ types: [RARE_TYPE], limit: PAGE }) },
  {
    name: "page of one product's pricing",
    length: PAGE,
    query: () => ({ category: "pricing", productCode: PRODUCT_CODE, limit: PAGE }),
  },
  {
    name: "page of one contract",
    length: FEW,
    query: () => ({ contractId: locationOf(0).contractId, limit: FEW }),
  },
];

function readCase({ name, length, query: queryFor }: (typeof READS)[number]): Case {
  const subject = (items: number, read: (query: EventQuery) => readonly { sequence: number }[]): Subject => {
    const query = queryFor(items);
    const expected = naivePage(makeEvents(items), query).map(({ sequence }) => sequence);
    return {
      run: () => read(query),
      check: () => {
        deepStrictEqual(read(query).map(({ sequence }) => sequence), expected);
        deepStrictEqual(expected.length, length);
      },
    };
  };
  return {
    name,
    peerName: "array filter, slice",
    mkt: (items) => {
      const buffer = filledBuffer(makeEvents(items));
      return subject(items, (query) => buffer.read(query).events);
    },
    peer: (items) => {
      const events = makeEvents(items);
      return subject(items, (query) => naivePage(events, query));
    },
  };
}

/** Pushes order events into a store that keeps the newest `items`; it is filled first. */
function pushing(
  items: number,
  push: (event: EventMessage) => void,
  kept: () => { length: number; newest: readonly { sequence: number }[] },
): Subject {
  const random = new SeededRandom(7);
  const types = ["new.order", "change.order", "cancel.order"] as const;
  const templates = Array.from({ length: 999 }, (_, index) => makeEvent(index, cyclic(types, index), random));
  let pushed = 0;
  const run = () => {
    const template = cyclic(templates, pushed);
    pushed += 1;
    push({ ...template, sequence: EPOCH + pushed });
  };
  for (let count = 0; count < items; count += 1) run();
  return {
    run,
    check: () => {
      run();
      const { length, newest } = kept();
      deepStrictEqual(length, items);
      const expected = Array.from({ length: PAGE }, (_, index) => EPOCH + pushed - PAGE + 1 + index);
      deepStrictEqual(newest.map(({ sequence }) => sequence), expected);
    },
  };
}

const pushToBuffer: Prepare = (items) => {
  const buffer = new EventBuffer(items);
  buffer.begin(EPOCH, EPOCH);
  return pushing(
    items,
    (event) => buffer.push(event),
    () => ({ length: buffer.stats().totalEvents, newest: buffer.read({ limit: PAGE }).events }),
  );
};

const pushToArray: Prepare = (items) => {
  const events: EventMessage[] = [];
  return pushing(
    items,
    (event) => {
      events.push(event);
      if (events.length > items) events.shift();
    },
    () => ({ length: events.length, newest: events.slice(-PAGE) }),
  );
};

export default {
  name: "event-buffer",
  description: "Event buffer, by number of events",
  sizes: SIZES,
  cases: [
    { name: "push into a full buffer", peerName: "array push, shift", mkt: pushToBuffer, peer: pushToArray },
    ...READS.map(readCase),
  ],
} satisfies Suite;
