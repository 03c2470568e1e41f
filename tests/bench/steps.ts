// Counts the steps of core/market by watching the data structures that it uses. The count is the same on every machine, so
// a test can check how a cost grows without a clock.

import { spyOn } from "bun:test";
import { Deque } from "../../core/market/deque.ts";
import { KeyLog } from "../../core/market/key-index.ts";
import { OrderedList, type Ranked } from "../../core/market/ordered-list.ts";

interface Steps {
  /** Reads of an entry in a log of the event buffer. */
  readonly eventsSeen: number;
  /** Modules taken from a list of the snapshot. */
  readonly modulesSeen: number;
}

export async function stepsOf(work: () => unknown): Promise<Steps> {
  let modulesSeen = 0;
  const walked = function* (items: Generator<Ranked>) {
    for (const item of items) {
      modulesSeen += 1;
      yield item;
    }
  };
  const { ascending, descending } = OrderedList.prototype;
  const at = spyOn(Deque.prototype, "at");
  const entryAt = spyOn(KeyLog.prototype, "entryAt");
  const spies = [
    at,
    entryAt,
    spyOn(OrderedList.prototype, "ascending").mockImplementation(function (this: OrderedList<Ranked>, start) {
      return walked(ascending.call(this, start));
    }),
    spyOn(OrderedList.prototype, "descending").mockImplementation(function (this: OrderedList<Ranked>, start) {
      return walked(descending.call(this, start));
    }),
  ];
  try {
    await work();
    return { eventsSeen: at.mock.calls.length + entryAt.mock.calls.length, modulesSeen };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
