// The last prices of each contract: those from before the page was opened, then each trade of the stream once.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { SPARK_PRICES } from "../../components/spark-path.ts";
import type { TradeEventData } from "../../contract/events.ts";
import type { FeedEvent } from "../../contract/update.ts";
import { market, onEvents } from "./market-store.ts";
import { sparks } from "./server.ts";

/** After a failed request. */
const RETRY_MS = 3_000;
const NONE: readonly number[] = [];

const prices = new Map<string, Signal<readonly number[]>>();
/** Trades that came while the prices were being asked for; null: they have come. */
let waiting: FeedEvent[] | null = [];
let sequence = 0;
let load = 0;
let isStarted = false;

/** Oldest first. */
export function sparkPrices(contractId: string): ReadonlySignal<readonly number[]> {
  return pricesOf(contractId);
}

/** Called by whatever shows spark lines; they are followed from then on. */
export function startSparks(): void {
  if (isStarted) return;
  isStarted = true;
  onEvents((events, { continues, missed }) => {
    if (!continues || missed !== 0) void reload();
    take(events);
  });
  if (market.isKnown.peek()) void reload();
}

function take(events: readonly FeedEvent[]): void {
  const changed = new Map<string, number[]>();
  for (const event of events) {
    if (event.type !== "new.trade") continue;
    if (waiting !== null) {
      waiting.push(event);
      continue;
    }
    if (event.sequence <= sequence) continue;
    sequence = event.sequence;
    const { contractId, price } = event.data as unknown as TradeEventData;
    const added = changed.get(contractId);
    if (added === undefined) changed.set(contractId, [price]);
    else added.push(price);
  }
  for (const [contractId, added] of changed) {
    const known = pricesOf(contractId);
    known.value = [...known.peek(), ...added].slice(-SPARK_PRICES);
  }
}

async function reload(): Promise<void> {
  // Before the first connection there are no prices. A whole update follows it.
  if (market.connection.peek()?.asOf === null) return;
  const current = ++load;
  waiting = [];
  try {
    const answer = await sparks();
    if (current !== load) return;
    for (const id of prices.keys()) if (!(id in answer.prices)) pricesOf(id).value = NONE;
    for (const [id, list] of Object.entries(answer.prices)) pricesOf(id).value = list;
    sequence = answer.sequence;
    const came: FeedEvent[] = waiting;
    waiting = null;
    take(came);
  } catch {
    // The market is not connected, or the server is away, which the page says elsewhere.
    if (current === load) setTimeout(() => void (current === load && reload()), RETRY_MS);
  }
}

function pricesOf(contractId: string): Signal<readonly number[]> {
  let known = prices.get(contractId);
  if (known === undefined) {
    known = signal(NONE);
    prices.set(contractId, known);
  }
  return known;
}
