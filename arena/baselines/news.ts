// Trades the news of events that raise prices: how large one that has begun will be, or that it was a false alarm. Whoever sees
// it first finds orders at the prices of before. That it begins is no news: it was announced before.

import { z } from "zod";
import type { Desk } from "./desk.ts";
import type { Seat } from "./seat.ts";

/** News come with spot prices, every five minutes. */
const WAIT_MINUTES = 10;
/** A change of the expected sizes of all events that is news; 1 is a normal event. Events also fade, little by little. */
const NEWS = 0.2;
/** How much worse than the middle price of before an order may be that is taken. */
const MOST_WORSE = 0.1;

const event = z.looseObject({ size: z.number(), remaining: z.number() });
const spot = z.looseObject({ events: z.array(event) });

export async function tradeNews(desk: Desk, seat: Seat): Promise<void> {
  const middles = new Map<string, number>();
  /** Null while there is no event. */
  let known: number | null = null;
  while (!desk.isOver) {
    const { events } = spot.parse(await seat.call("mkt_sim_get_spot_prices", { hours: 0 }));
    const expected = events.reduce((sum, { size, remaining }) => sum + size * remaining, 0);
    const change = known === null ? 0 : expected - known;
    for (const { contractId } of desk.contracts) {
      const { bids: [bid], asks: [ask] } = await desk.book(contractId);
      const middle = bid === undefined || ask === undefined ? undefined : (bid.price + ask.price) / 2;
      const before = middles.get(contractId) ?? middle;
      if (before !== undefined && Math.abs(change) > NEWS) await follow(desk, contractId, change > 0, before);
      if (middle !== undefined) middles.set(contractId, middle);
    }
    known = events.length > 0 || known !== null ? expected : null;
    await desk.wait(WAIT_MINUTES, ["spot"]);
  }
  await desk.submit();
}

/** Buys all it may, or sells it. */
async function follow(desk: Desk, contractId: string, isBuying: boolean, middle: number): Promise<void> {
  const { buy, sell } = desk.roomIn(contractId);
  const worse = Math.abs(middle) * MOST_WORSE;
  if (isBuying) await desk.take(contractId, buy, Math.floor(middle + worse));
  else await desk.take(contractId, -sell, Math.ceil(middle - worse));
}
