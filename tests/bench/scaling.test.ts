// How costs grow, in counted steps: a page costs in proportion to its size, reading a book costs the same for any number of
// orders, and a filtered list costs in proportion to its matches.

import { describe, expect, test } from "bun:test";
import { filledBuffer, READS } from "../../bench/event-buffer.ts";
import { FEW, FEW_MATCH, makeOrders, stateMessage } from "../../bench/market-data.ts";
import { makeEvent, makeEvents } from "../../bench/market-events.ts";
import { CONTRACT_ID, marketSnapshot } from "../../bench/order-book-read.ts";
import { contextOver, snapshotOf, toolNamed } from "../../bench/tool-context.ts";
import { EventBuffer } from "../../core/market/event-buffer.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import marketTools from "../../plugins/query/market.ts";
import orderTools from "../../plugins/query/orders.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { stepsOf } from "./steps.ts";

const SMALL = 1_000;
const LARGE = 20_000;

function pageSteps(items: number, query: Parameters<EventBuffer["read"]>[0]): Promise<number> {
  const buffer = filledBuffer(makeEvents(items));
  return stepsOf(() => buffer.read(query)).then(({ eventsSeen }) => eventsSeen);
}

describe("the event buffer", () => {
  test.each(READS)("reads the $name with no more steps from 20,000 events than from 1,000", async (read) => {
    const [small, large] = [await pageSteps(SMALL, read.query(SMALL)), await pageSteps(LARGE, read.query(LARGE))];
    expect(small).toBeGreaterThanOrEqual(read.length);
    // A binary search finds the start of a page: seven more steps in each log.
    expect(large).toBeLessThan(small * 1.2 + 50);
  });

  test("reads a page of 500 with ten times the steps of a page of 50", async () => {
    const [short, long] = [await pageSteps(LARGE, { limit: 50 }), await pageSteps(LARGE, { limit: 500 })];
    expect(long / short).toBeGreaterThan(8);
    expect(long / short).toBeLessThan(12);
  });

  test("takes as many steps to push into a full buffer of 20,000 as into one of 1,000", async () => {
    const pushSteps = async (capacity: number) => {
      const random = new SeededRandom(3);
      const events = Array.from({ length: capacity + 1_000 }, (_, index) => makeEvent(index, "new.order", random));
      const buffer = filledBuffer(events.slice(0, capacity));
      return (await stepsOf(() => events.slice(capacity).forEach((event) => buffer.push(event)))).eventsSeen;
    };
    const [small, large] = [await pushSteps(SMALL), await pushSteps(LARGE)];
    expect(small).toBeGreaterThanOrEqual(1_000);
    expect(large).toBeLessThan(small * 1.2);
  });
});

/** A snapshot and the steps taken in it. */
function asked(snapshot: SnapshotReader): { reader: SnapshotReader; questions: string[] } {
  const questions: string[] = [];
  const note = (question: string) => void questions.push(question);
  return {
    questions,
    reader: {
      get: (type, id) => (note(`get ${type}`), snapshot.get(type, id)),
      find: (type, query) => (note(`find ${type}`), snapshot.find(type, query)),
      first: (type) => (note(`first ${type}`), snapshot.first(type)),
      count: (type) => (note(`count ${type}`), snapshot.count(type)),
      revision: (type) => (note(`revision ${type}`), snapshot.revision(type)),
      revisionOf: (type, property, value) => (note(`revision ${type}`), snapshot.revisionOf(type, property, value)),
      asOf: snapshot.asOf,
    },
  };
}

describe("mkt_get_order_book", () => {
  const { handler } = toolNamed("mkt_get_order_book", marketTools);

  test.each([
    [{ contractId: CONTRACT_ID }, ["get CONTRACT", "get ENGINE"]],
    [{}, ["first ENGINE", "get CONTRACT"]],
  ])(
    "with %j asks for the engine alone and looks through no list, among 1,000 orders and 20,000",
    async (input, expected) => {
      for (const size of [SMALL, LARGE]) {
        const { reader, questions } = asked(marketSnapshot(size));
        const { modulesSeen } = await stepsOf(() => handler(input, contextOver(reader)));
        expect({ size, questions, modulesSeen }).toEqual({ size, questions: expected, modulesSeen: 0 });
      }
    },
  );
});

describe("mkt_list_orders", () => {
  const { handler } = toolNamed("mkt_list_orders", orderTools);
  const modulesSeen = async (size: number, input: Record<string, unknown>) => {
    const context = contextOver(snapshotOf(makeOrders(size).map((order) => stateMessage("ORDER", order))));
    const first = await stepsOf(() => handler(input, context));
    const later = await stepsOf(() => handler(input, context));
    return { first: first.modulesSeen, later: later.modulesSeen };
  };

  test("looks at each order once to make the order of the list and its index, in the first call", async () => {
    const { first, later } = await modulesSeen(SMALL, FEW_MATCH);
    expect(first - later).toBe(SMALL);
  });

  test("looks at the orders that match entity and status, and at no other", async () => {
    for (const size of [SMALL, LARGE]) {
      expect((await modulesSeen(size, { ...FEW_MATCH, limit: 100 })).later).toBe(FEW);
    }
  });

  test.each([{ status: "working" }, { entityId: "entity-1" }, {}])(
    "with %j, where many match, looks at as many as it returns and one more",
    async (filter) => {
      for (const size of [SMALL, LARGE]) {
        const { later: seen } = await modulesSeen(size, { ...filter, limit: 50 });
        expect(seen).toBeGreaterThanOrEqual(50);
        expect(seen).toBeLessThanOrEqual(51);
      }
    },
  );

  test("with a cursor looks at its page and one more, in the middle of a list of 20,000 as of 1,000", async () => {
    for (const size of [SMALL, LARGE]) {
      const context = contextOver(snapshotOf(makeOrders(size).map((order) => stateMessage("ORDER", order))));
      const first = await handler({ limit: size / 2 }, context) as { cursor: string };
      const steps = await stepsOf(() => handler({ limit: 50, cursor: first.cursor }, context));
      expect({ size, ...steps }).toMatchObject({ size, modulesSeen: 51 });
    }
  });
});
