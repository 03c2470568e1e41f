// What each strategy has earned, by day of trading, day, hour and contract of delivery, summed up from the rows of a tape's
// results as they come. Rows tell how much was earned so far, so what counts is the change since the row before.
//
// Days are local days of the market. A contract belongs to the day on which its delivery ends, and to the hour in which it
// begins if it lasts no longer than an hour.
//
// Memory: two numbers for each persona and contract that is not delivered yet, and a sum for each strategy with each day, hour
// and contract.

import { HOUR_MS } from "../../protocol/time-units.ts";
import type { Cell } from "../tape/tables.ts";

/** Dollars. */
interface Profit {
  realised: number;
  unrealised: number;
}

/** By strategy. */
export type Profits = ReadonlyMap<string, Profit>;

/** What can be told of a contract that is not of one hour. */
export const LONGER = "longer";
export const DELIVERY_HOURS = [...Array.from({ length: 24 }, (_, hour) => hourText(hour)), LONGER];

export class ProfitDigest {
  readonly strategies = new Map<string, Profit>();
  readonly tradingDays = new Map<string, Map<string, Profit>>();
  readonly deliveryDays = new Map<string, Map<string, Profit>>();
  /** By one of DELIVERY_HOURS. */
  readonly deliveryHours = new Map<string, Map<string, Profit>>();
  readonly contracts = new Map<string, Map<string, Profit>>();
  /** The latest row of each persona and contract. */
  readonly #latest = new Map<string, Profit>();
  /** Of the ends of days and deliveries, of which there are few. */
  readonly #locals = new Map<number, Temporal.ZonedDateTime>();

  constructor(private readonly timezone: string) {}

  add(
    time: number,
    [, persona, strategy, contractId, start, end, , , , , realised, unrealised]: readonly Cell[],
  ): void {
    const key = `${persona} ${contractId}`;
    const before = this.#latest.get(key);
    const now = { realised: Number(realised), unrealised: Number(unrealised) };
    const isFinal = Number(end) <= time;
    if (isFinal) this.#latest.delete(key);
    else this.#latest.set(key, now);
    const change = {
      realised: now.realised - (before?.realised ?? 0),
      unrealised: now.unrealised - (before?.unrealised ?? 0),
    };
    const who = String(strategy);
    addTo(this.strategies, who, change);
    for (
      const [table, place] of [
        [this.tradingDays, this.#dayBefore(time)],
        [this.deliveryDays, this.#dayBefore(Number(end))],
        [this.deliveryHours, this.#hourOf(Number(start), Number(end))],
        [this.contracts, String(contractId)],
      ] as const
    ) addTo(table.getOrInsertComputed(place, () => new Map<string, Profit>()), who, change);
  }

  /** The local day that ends at a time, or in which the time is. */
  #dayBefore(time: number): string {
    return this.#local(time - 1).toPlainDate().toString();
  }

  #hourOf(start: number, end: number): string {
    return end - start > HOUR_MS ? LONGER : hourText(this.#local(start).hour);
  }

  #local(time: number): Temporal.ZonedDateTime {
    return this.#locals.getOrInsertComputed(
      time,
      () => Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(this.timezone),
    );
  }
}

function hourText(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}

function addTo(profits: Map<string, Profit>, strategy: string, { realised, unrealised }: Profit): void {
  const sum = profits.getOrInsertComputed(strategy, () => ({ realised: 0, unrealised: 0 }));
  sum.realised += realised;
  sum.unrealised += unrealised;
}
