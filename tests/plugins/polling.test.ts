// Polling the monitor tools with `since`: many events in pages of 7 without duplicates or gaps. Evicted events are
// reported.

import { expect, test } from "bun:test";
import { succeed, type TestClient } from "../support/official-client.ts";
import { startPowerMarket, submit } from "../support/power-market.ts";
import { size } from "../support/sizes.ts";
import { until } from "../support/until.ts";

const ORDERS = size(65, 260);

interface Page {
  readonly events: { sequence: number; type: string }[];
  readonly latestSequence: number;
  /** Of mkt_get_recent_events, instead of latestSequence. */
  readonly stats: { readonly latestSequence: number };
  readonly hasMore: boolean;
  readonly missed: number | null;
  readonly epoch: number;
}

const read = async (client: TestClient, tool: string, input: Record<string, unknown>) =>
  await succeed(client, tool, input) as unknown as Page;

/** Each order makes two order events and two book events. */
async function makeEvents(client: TestClient, orders: number): Promise<void> {
  for (let batch = 0; batch < orders; batch += 20) {
    await Promise.all(Array.from({ length: Math.min(20, orders - batch) }, async () => {
      const { orderId } = await submit(client, "BUY", 100, 1);
      await succeed(client, "mkt_cancel_order", { orderId });
    }));
  }
}

const market = await startPowerMarket();
const anna = await market.trader("anna");

test(`reads the events of ${ORDERS} orders in pages of 7 without duplicates or gaps`, async () => {
  const reader = await market.trader("bert");
  const { latestSequence: start } = await read(reader, "mkt_watch_book", { limit: 1 });
  const making = makeEvents(anna, ORDERS);
  const sequences: number[] = [];
  let since = start;
  let made = false;
  void making.then(() => (made = true));
  for (;;) {
    const page = await read(reader, "mkt_get_recent_events", { since, limit: 7 });
    const { latestSequence } = page.stats;
    expect(page.missed).toBe(0);
    expect(latestSequence).toBeGreaterThanOrEqual(since);
    expect(page.events.length).toBeLessThanOrEqual(7);
    sequences.push(...page.events.map(({ sequence }) => sequence));
    since = latestSequence;
    if (made && !page.hasMore && sequences.length >= ORDERS * 4) break;
  }
  await making;
  // The reader may see every event of this market, so the numbers have no gap.
  expect(sequences).toEqual(Array.from({ length: sequences.length }, (_, index) => start + 1 + index));
});

test("reports the exact number of evicted events as missed", async () => {
  const reader = await market.trader("cleo", { MKT_EVENT_BUFFER_SIZE: "10" });
  const { latestSequence: since } = await read(reader, "mkt_watch_orders", {});
  await makeEvents(anna, 20);
  await until(
    () => read(reader, "mkt_watch_orders", { limit: 1000 }),
    (page) => page.events.at(-1)?.type === "cancel.order" && page.latestSequence >= since + 80,
  );
  const page = await read(reader, "mkt_watch_orders", { since, limit: 1000 });
  expect(page.events).toHaveLength(10);
  expect(page.missed).toBe(30);
  const onlyNew = await read(reader, "mkt_watch_orders", { since, limit: 1000, orderTypes: ["new.order"] });
  expect(onlyNew.events.length + (onlyNew.missed ?? NaN)).toBe(20);
  const upToDate = await read(reader, "mkt_watch_orders", { since: page.latestSequence });
  expect(upToDate).toMatchObject({ events: [], missed: 0, hasMore: false, latestSequence: page.latestSequence });
});
