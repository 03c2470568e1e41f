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
/** After that the others know it, too, and the position is traded away: spot prices may still go either way. */
const HELD_MINUTES = 45;

const spot = z.looseObject({ events: z.array(event) });

export async function tradeNews(desk: Desk, seat: Seat): Promise<void> {
  const middles = new Map<string, number>();
  /** Null while there is no event. */
  let known: number | null = null;
  let flatAt = -Infinity;
  while (!desk.isOver) {
    const { events } = spot.parse(await seat.call("mkt_sim_get_spot_prices", { hours: 0 }));
    const expected = events.reduce((sum, { size, remaining }) => sum + size * remaining, 0);
    const change = known === null ? 0 : expected - known;
    for (const { contractId } of desk.contracts) {
      const { bids: [bid], asks: [ask] } = await desk.book(contractId);
      const middle = bid === undefined || ask === undefined ? undefined : (bid.price + ask.price) / 2;
      const before = middles.get(contractId) ?? middle;
      if (before !== undefined && Math.abs(change) > NEWS) await follow(desk, contractId, change > 0, before);
      if (desk.minutesLeft <= flatAt) await desk.flatten(contractId);
      if (middle !== undefined) middles.set(contractId, middle);
    }
    if (Math.abs(change) > NEWS) flatAt = desk.minutesLeft - HELD_MINUTES;
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
