// What is asked of the event buffer for recent events, by the tool and by the resource of a category.

import { expect, test } from "bun:test";
import * as pages from "../../../plugins/monitor/event-page.ts";
import recentEvents, { eventResources } from "../../../plugins/monitor/recent-events.ts";
import { replaced } from "../../support/replaced.ts";

const [tool] = recentEvents;
const [resource] = eventResources;

function listening() {
  const read = replaced(
    pages,
    "readPage",
    (_filter, _request, _context, shown) => shown({ latestSequence: 9, count: 1 } as never),
  );
  const checked = replaced(pages, "checkEventTypes", () => {});
  const newest: unknown[] = [];
  const events = {
    epoch: 7,
    stats: () => ({ totalEvents: 5, latestSequence: 8, byCategory: { order: 5 } }),
    newestOf: (category: string) => (newest.push(category), 33),
  };
  return { read, checked, newest, events, context: { events } as never };
}
const STATS = { totalBuffered: 5, latestSequence: 9, byCategory: { order: 5 } };

test.each([["all", undefined], ["fill", "fill"]])(
  "events of category %s are read of %p",
  async (category, filtered) => {
    const { read, checked, events, context } = listening();
    const named = { contractId: "c", entityId: "e", orderId: "o" };
    const polled = { limit: 7, since: 3 };
    const search = { category, eventTypes: ["new.fill"], ...named, ...polled };
    const answer = await tool!.handler({ ...search, waitSeconds: 5, detail: "full" } as never, context);
    expect<unknown>(checked).toEqual([["eventTypes", ["new.fill"], filtered, events]]);
    const [[filter, request] = expect.unreachable()] = read;
    expect<unknown>(filter).toEqual({ ...named, category: filtered, types: ["new.fill"] });
    expect<unknown>(request).toEqual({ ...polled, waitSeconds: 5, detail: "full" });
    expect<unknown>(answer).toEqual({ latestSequence: 9, count: 1, stats: STATS, filters: search });
    expect(tool!.requires).toEqual({ connection: "read" });
  },
);

test("the resource of a category in any case has its 50 newest, and another version with each event and epoch", async () => {
  const { read, newest, events, context } = listening();
  const parameters = { category: "Order" } as never;
  const answer = await resource!.read(parameters, context);
  const [[filter, request] = expect.unreachable()] = read;
  expect<unknown>([filter, request]).toEqual([{ category: "order" }, { limit: 50 }]);
  expect<unknown>(answer).toMatchObject({ stats: STATS, filters: { category: "order", limit: 50 } });
  const version = () => resource!.version!(parameters, { events } as never);
  expect([version(), newest]).toEqual(["7 33", ["order"]]);
  events.epoch = 8;
  expect(version()).toBe("8 33");
  for (const fail of [() => resource!.read({ category: "all" } as never, context)]) {
    expect(fail).toThrow(expect.objectContaining({ code: "not_found", message: 'There is no event category "all".' }));
  }
});
