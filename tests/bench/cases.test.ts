import { describe, expect, test } from "bun:test";
import bookOperations from "../../bench/book-operations.ts";
import credit from "../../bench/credit.ts";
import dispatch from "../../bench/dispatch.ts";
import eventBuffer from "../../bench/event-buffer.ts";
import { makeContracts, makeEngines, makeOrders } from "../../bench/market-data.ts";
import { makeEvents } from "../../bench/market-events.ts";
import { checked } from "../../bench/measurement.ts";
import orderBookRead from "../../bench/order-book-read.ts";
import snapshot from "../../bench/snapshot.ts";
import type { Suite } from "../../bench/suite.ts";
import { moduleSchema } from "../../protocol/modules/registry.ts";
import { EVENTS, type EventType } from "../../protocol/index.ts";

const ITEMS = 400;
/** So many that every category, product and contract has events. */
const EVENTS_KEPT = 1_000;
const SUITES: readonly (readonly [Suite, number])[] = [
  ...[bookOperations, orderBookRead, snapshot].map((suite: Suite) => [suite, ITEMS] as const),
  [eventBuffer, EVENTS_KEPT],
  // Whole calls, over a client too.
  [dispatch, 50],
  // By number of entities.
  [credit, 8],
];
/** Each reads the same page. */
const READS_OF_A_PAGE = 20;
/** Enough repetitions for a case that cycles through its items to start over. */
const operationsOn = (items: number) => 2 * items + 7;

describe.each(SUITES)("bench $name", ({ cases }, items) => {
  test.each(cases)(
    "$name: mkt and peer are right, before they are measured and after",
    async ({ name, mkt, peer, operations }) => {
      const runs = name.includes("page") ? READS_OF_A_PAGE : operationsOn(items) / (operations?.(items) ?? 1);
      for (const prepare of [mkt, peer]) {
        const { run, check, end } = await prepare(items);
        await check();
        for (let count = 0; count < runs; count += 1) await run();
        await check();
        await end?.();
      }
    },
  );
});

describe("a subject that is measured", () => {
  const prepare = (answers: number[], ended: () => void) => () => ({
    run: () => answers.shift(),
    check: () => expect(answers[0]).toBe(1),
    end: () => Promise.resolve(ended()),
  });

  test.each([[[2]], [[1, 2]]])(
    "fails before or after it is measured, and ends, if its results are %j",
    async (answers) => {
      let ends = 0;
      const measured = checked(prepare([...answers], () => ends += 1), ITEMS);
      if (answers.length > 1) {
        const { value: run } = await measured.next();
        expect((run as () => unknown)()).toBe(1);
      }
      await expect(measured.next()).rejects.toThrow();
      expect(ends).toBe(1);
    },
  );
});

test("the market of the benches fits the schemas of modules and events, and is the same every time", () => {
  const [orders, events] = [makeOrders(ITEMS), makeEvents(ITEMS)];
  for (const order of orders) moduleSchema("ORDER").parse(order);
  for (const engine of makeEngines(orders)) moduleSchema("ENGINE").parse(engine);
  for (const contract of makeContracts()) moduleSchema("CONTRACT").parse(contract);
  for (const { type, data } of events) EVENTS[type as EventType].parse(data);
  expect([makeOrders(ITEMS), makeEvents(ITEMS)]).toEqual([orders, events]);
});
