// The days and hours of delivery of positions, at their markets: the positions of a day, and sums by day or hour.
//
// A position belongs to the local day and hour in which its delivery ends, because that end makes its profit final. The profit
// of a contract of more than an hour can't be told apart by hours, so such contracts have one sum of their own.
//
// Sums add up amounts of 1/10,000 dollar, as the backend gives them, so they may differ from exact ones by half as much for
// each contract.

import { isoTime } from "../../common/iso-time.ts";
import type { ContractPosition } from "../../protocol/index.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";
import { type Period, periodOf } from "../../core/market/time-period.ts";
import { ToolError } from "../../core/error.ts";

/** What sums are of: a local day (2026-03-01), or the local time at which an hour of delivery begins (17:00). */
export const SUMS_BY = ["day", "hour"] as const;
type SumsBy = (typeof SUMS_BY)[number];

/** Dollars, and MWh. */
interface Sums {
  readonly contracts: number;
  readonly netEnergy: number;
  readonly cash: number;
  readonly realisedProfit: number;
  readonly unrealisedProfit: number;
  readonly profit: number;
}

/** A day or an hour with its sums; the hour is null for contracts that deliver for longer. */
type Row = { readonly day?: string; readonly hour?: string | null } & Sums;

const DECIMALS = 10_000;
const ENERGY_DECIMALS = 1_000_000;

const zoneOf = ({ timezone = "UTC" }: ContractPosition) => timezone;

/**
 * The positions whose delivery ends in a day, month or year, the greatest loss first. `now`: market time. Throws ToolError
 * `invalid_input`.
 */
export function positionsIn(text: string, positions: readonly ContractPosition[], now: number): ContractPosition[] {
  const periods = new Map<string, Period>();
  const periodIn = (timeZone: string) => periods.getOrInsertComputed(timeZone, () => daysMeant(text, timeZone, now));
  periodIn("UTC");
  return positions.filter((position) => {
    const { start, end } = periodIn(zoneOf(position));
    const ended = Date.parse(position.deliveryEnd);
    return ended > start && ended <= end;
  }).sort((one, other) => one.profit - other.profit || (one.contractId < other.contractId ? -1 : 1));
}

/** What a day, month or year is at the markets of positions; empty without positions. */
export function daysNote(text: string, positions: readonly ContractPosition[], now: number): string {
  const zones = [...new Set(positions.map(zoneOf))].map((timeZone) => {
    const { start, end } = daysMeant(text, timeZone, now);
    return `after ${isoTime(start)} and until ${isoTime(end)} (${timeZone})`;
  });
  return zones.length === 0 ? "" : `Deliveries that end ${zones.join(", or ")}.`;
}

/** In the order of time, the sum over long contracts last. */
export function sumsBy(by: SumsBy, positions: readonly ContractPosition[]): Row[] {
  const byKey = Map.groupBy(positions, by === "day" ? dayOf : hourOf);
  const keys = [...byKey.keys()].sort((one, other) => (one ?? "~") < (other ?? "~") ? -1 : 1);
  return keys.map((key) => ({ [by]: key, ...sumsOf(byKey.get(key) ?? []) }));
}

export function sumsOf(positions: readonly ContractPosition[]): Sums {
  const sum = (name: Exclude<keyof Sums, "contracts">, decimals = DECIMALS) =>
    Math.round(positions.reduce((total, position) => total + position[name], 0) * decimals) / decimals;
  return {
    contracts: positions.length,
    netEnergy: sum("netEnergy", ENERGY_DECIMALS),
    cash: sum("cash"),
    realisedProfit: sum("realisedProfit"),
    unrealisedProfit: sum("unrealisedProfit"),
    profit: sum("profit"),
  };
}

/** The last local day of delivery. */
function dayOf(position: ContractPosition): string {
  return localTime(Date.parse(position.deliveryEnd) - 1, position).toPlainDate().toString();
}

function hourOf(position: ContractPosition): string | null {
  const [start, end] = [Date.parse(position.deliveryStart), Date.parse(position.deliveryEnd)];
  if (end - start > HOUR_MS) return null;
  return `${String(localTime(start, position).hour).padStart(2, "0")}:00`;
}

function localTime(time: number, position: ContractPosition): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zoneOf(position));
}

function daysMeant(text: string, timeZone: string, now: number): Period {
  const period = periodOf(text, { timeZone, now });
  if (period !== null && period.end > period.start) return period;
  throw new ToolError(
    "invalid_input",
    `day ${JSON.stringify(text)} is no day.`,
    "Give yesterday, today, tomorrow, a date such as 2026-03-01, or a month such as 2026-03.",
  );
}
