// From where a call for events goes on, when it waits, and what it says of that.

import { describe, expect, test } from "bun:test";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import type { ToolContext } from "../../../core/tools/context.ts";
import { readPage } from "../../../plugins/monitor/event-page.ts";
import { eventResources } from "../../../plugins/monitor/recent-events.ts";
import { NOW, snapshotOf } from "../support/still-market.ts";

const EPOCH = 100;
const MODULES = { "/CONTRACT/c1": {}, "/CONTRACT/c2": {} };

/** Events 101, 102 and so on, each of a contract. */
function marketWith(...contractIds: string[]) {
  const events = new EventBuffer(3);
  events.begin(EPOCH, EPOCH);
  let newest = EPOCH;
  const add = (contractId: string) =>
    events.push({ sequence: ++newest, type: "new.order", time: NOW, data: { contractId, id: `o${newest}` } });
  for (const contractId of contractIds) add(contractId);
  return { events, add };
}

/** What a call gives if these contracts get events while it waits, and the seconds that it has waited. */
async function asked(
  { events, add }: ReturnType<typeof marketWith>,
  request: { since?: number; waitSeconds?: number; limit?: number },
  { contractId, come = [] }: { contractId?: string; come?: readonly string[] } = {},
) {
  const waits: unknown[] = [];
  const waitForEvent = (filter: object, seconds: number) => {
    waits.push([filter, seconds]);
    for (const id of come) add(id);
    return Promise.resolve(come.length > 0);
  };
  const context = { events, snapshot: snapshotOf(MODULES), waitForEvent } as unknown as ToolContext;
  const page = await readPage({ contractId }, { limit: 50, ...request }, context, (page) => page);
  const { count, latestSequence, missed, waited } = page;
  return { waits, count, latestSequence, missed, waited, shown: page.events.map(({ sequence }) => sequence) };
}

describe("a call for events", () => {
  test.each<[name: string, given: Parameters<typeof asked>[1], come: string[], shown: number[], waited: unknown]>([
    ["that waits has only what comes from now on", { waitSeconds: 5 }, ["c1"], [103], true],
    ["that waits in vain has none of the old events", { waitSeconds: 5 }, [], [], false],
    [
      "that waits after the newest event has what comes",
      { since: 102, waitSeconds: 5 },
      ["c2", "c1"],
      [103, 104],
      true,
    ],
    ["that has an event at once does not wait", { since: 101, waitSeconds: 5 }, ["c1"], [102], undefined],
    ["that does not wait has the newest", {}, ["c1"], [101, 102], undefined],
    ["that waits for no time has the newest", { waitSeconds: 0 }, ["c1"], [101, 102], undefined],
    ["after the newest event that does not wait has none", { since: 102 }, ["c1"], [], undefined],
    ["that waits has as many as it asks for", { waitSeconds: 5, limit: 1 }, ["c1", "c2"], [103], true],
  ])("%s", async (_name, given, come, shown, waited) => {
    const answer = await asked(marketWith("c1", "c2"), given, { come });
    expect([answer.shown, answer.waited, answer.count]).toEqual([shown, waited as never, shown.length]);
    expect(answer.waits).toHaveLength(waited === undefined ? 0 : 1);
  });

  test("that has lost events says so at once, and does not wait for more", async () => {
    const market = marketWith("c2", "c1", "c1", "c1", "c1");
    const answer = await asked(market, { since: 100, waitSeconds: 5 }, { contractId: "c2", come: ["c2"] });
    expect(answer).toMatchObject({ waits: [], shown: [], waited: undefined });
    expect(answer.missed).toBe(1);
  });

  test("that waits for one contract waits with its filter and its time", async () => {
    const answer = await asked(marketWith("c1", "c2"), { waitSeconds: 7 }, { contractId: "c2", come: ["c1", "c2"] });
    expect(answer.waits).toEqual([[{ contractId: "c2" }, 7]]);
    expect(answer.shown).toEqual([104]);
  });
});

test("the resource of a category has a new version with each event of its own, and in each epoch", async () => {
  const { events, add } = marketWith();
  const version = (category: string) => eventResources[0]!.version!({ category }, { events } as never);
  const [orders, market] = [await version("order"), await version("market")];
  add("c1");
  expect(await version("market")).toBe(market);
  const after = await version("order");
  expect(after).not.toBe(orders);
  expect(await version("ORDER")).toBe(after);
  events.begin(200, 200);
  expect(await version("market")).not.toBe(market);
});
