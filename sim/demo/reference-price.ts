// A plausible price of a contract before anyone has traded it, in cents per MWh: the mean over the contract's hours of a
// daily shape with a morning and an evening peak, at a discount on weekends and a spread between nodes.
//
// The figures are ours, of the size that power hubs of the plains show; nothing is calibrated.

import type { MarketDefinition } from "../definition/market-definition.ts";

type ContractDefinition = MarketDefinition["contracts"][number];

/** Cents per MWh of each local hour on a weekday. */
const HOUR_SHAPE = [
  2300,
  2150,
  2050,
  2000,
  2100,
  2500,
  3300,
  4100,
  4000,
  3700,
  3500,
  3400, // 00:00 to 11:00
  3350,
  3300,
  3400,
  3650,
  4200,
  5200,
  5900,
  5600,
  4700,
  3900,
  3100,
  2600, // 12:00 to 23:00
] as const;
const WEEKEND_FACTOR = 0.85;
/** The share of the first node's price at each further one. */
const NODE_STEP = 0.93;

/** `node` is the place of the contract's node among those of its market, from 0. */
export function referencePrice(contract: ContractDefinition, timezone: string, node: number, peak: boolean): number {
  const start = Temporal.Instant.from(contract.deliveryStart).toZonedDateTimeISO(timezone);
  const end = Temporal.Instant.from(contract.deliveryEnd);
  let sum = 0;
  let hours = 0;
  // A week shows every hour of every weekday; longer deliveries repeat it.
  const last = start.add({ days: 7 }).toInstant();
  const until = Temporal.Instant.compare(end, last) < 0 ? end : last;
  for (let hour = start; Temporal.Instant.compare(hour.toInstant(), until) < 0; hour = hour.add({ hours: 1 })) {
    const weekend = hour.dayOfWeek > 5;
    if (peak && (weekend || hour.hour < 6 || hour.hour >= 22)) continue;
    sum += (HOUR_SHAPE[hour.hour] ?? 0) * (weekend ? WEEKEND_FACTOR : 1);
    hours += 1;
  }
  return hours === 0 ? mean(HOUR_SHAPE) : Math.round(sum / hours * NODE_STEP ** node);
}

function mean(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
