// The present of the market: the time of the last update, going on at the market's speed until the next one. Ticks once a
// second, so whatever shows an age is drawn once a second. It stands still while what is shown is not live.

import { computed, effect, signal } from "@preact/signals";
import { isAway } from "./liveness.ts";
import { market } from "./market-store.ts";

/** Of the first market: for times that belong to no market. */
export const timezone = computed(() => market.markets.value[0]?.timezone ?? "UTC");

/** Changes only with a time zone, not with each change of a market. */
const zonesText = computed(() => JSON.stringify(market.markets.value.map(({ id, timezone }) => [id, timezone])));

/** By market. Another map only if a time zone is another. */
export const timezones = computed(() => new Map(JSON.parse(zonesText.value) as readonly [string, string][]));

/** The time zone of a market; of the first one if the market is unknown. */
export function timezoneOf(marketId: string | undefined): string {
  return timezones.value.get(marketId ?? "") ?? timezone.value;
}

/** Milliseconds; null if unknown. */
export const marketNow = signal<number | null>(null);

let known: { readonly at: number; readonly received: number; readonly speed: number } | null = null;

effect(() => {
  const { marketTime = null, speed = null } = market.connection.value ?? {};
  known = marketTime === null ? null : { at: Date.parse(marketTime), received: performance.now(), speed: speed ?? 0 };
  if (marketNow.peek() === null) tick();
});

/** Called once a second. */
export function tick(): void {
  // Nobody knows whether the market's time goes on, and what is shown is not of then.
  if (known !== null && isAway.peek() && marketNow.peek() !== null) return;
  marketNow.value = known === null ? null : known.at + (performance.now() - known.received) * known.speed;
}

setInterval(tick, 1_000);
