// The values of filters: which ones fit a property, how they compare, and how they are described to a caller.
//
// A value is accepted in every form in which tools print it: a side as BUY, SELL, 0 or 1, a time with an offset or in the
// market's time zone, or as a date.

import { type Property, type PropertyType } from "../../protocol/modules/property.ts";
import type { AnyModuleData } from "../../protocol/modules/registry.ts";
import { BUY, SIDE } from "../../protocol/sides.ts";
import type { SnapshotReader } from "./snapshot-reader.ts";
import { monthNumber, type Period, periodOf } from "./time-period.ts";

/** What the meaning of a filter depends on. */
export interface FilterContext {
  /** Joined properties and time zones of markets are read from it. */
  readonly snapshot: Pick<SnapshotReader, "get" | "first">;
  /** Market time in milliseconds since the epoch: what `today` means. */
  readonly now: number;
}

/** Whether `===` compares such values correctly, so that an index may look the value up. */
export function isIndexable(property: Property, value: unknown): boolean {
  if (property.type === "time" || property.type === "array") return value === null && property.nullable;
  return fits(property, value);
}

/** Whether the value is of the property's type, or null if the property is nullable. Times: see TimeMeaning. */
export function fits(property: Property, value: unknown): boolean {
  if (value === null) return property.nullable;
  return property.schema.safeParse(value).success;
}

/** The value as modules hold it: 0 and 1 for BUY and SELL. */
export function asHeld({ values }: Property, value: unknown): unknown {
  const isSide = values?.[0] === BUY;
  if (!isSide) return value;
  if (Array.isArray(value)) return value.map(heldSide);
  return heldSide(value);
}

function heldSide(value: unknown): unknown {
  return value === "BUY" || value === "SELL" ? SIDE[value] : value;
}

/** A value that is `===` for equal values, and only for those. */
export function comparable(property: Property, value: unknown): unknown {
  return property.type === "array" && value !== null ? JSON.stringify(value) : value;
}

/**
 * What a caller's time means. A period of the calendar depends on the time zone of a module's market; modules without a
 * market count in the first one.
 */
export class TimeMeaning {
  readonly #periods = new Map<string, Period | null>();

  private constructor(private readonly text: string, private readonly context: FilterContext) {}

  /** Null if the value is no time. */
  static of(value: unknown, context: FilterContext): TimeMeaning | null {
    if (typeof value !== "string") return null;
    const meaning = new TimeMeaning(value, context);
    return meaning.period() === null ? null : meaning;
  }

  /** In the first market's time zone. */
  period(): Period | null {
    return this.#periodIn(this.#defaultZone());
  }

  /** Null if the time zone of the module's market is unknown. */
  periodFor(module: AnyModuleData): Period | null {
    const market = this.context.snapshot.get("MARKET", String(module["marketId"]));
    const own = module["timezone"];
    return this.#periodIn(market?.timezone ?? (typeof own === "string" ? own : this.#defaultZone()));
  }

  #defaultZone(): string {
    return this.context.snapshot.first("MARKET")?.timezone ?? "UTC";
  }

  #periodIn(timeZone: string): Period | null {
    const known = this.#periods.get(timeZone);
    if (known !== undefined) return known;
    const period = periodOf(this.text, { timeZone, now: this.context.now });
    this.#periods.set(timeZone, period);
    return period;
  }
}

/** A question that names the next such month, for a month without a year; empty for other values. */
export function monthMeant(value: unknown, { now }: FilterContext): string {
  const month = typeof value === "string" ? monthNumber(value.trim()) : null;
  if (month === null) return "";
  const today = new Date(now);
  const year = today.getUTCFullYear() + (month < today.getUTCMonth() + 1 ? 1 : 0);
  return `Did you mean ${year}-${String(month).padStart(2, "0")}? `;
}

/** A time of a module in milliseconds since the epoch; NaN if it has none. */
export function timeOf(value: unknown): number {
  return typeof value === "string" ? Date.parse(value) : NaN;
}

const TIME =
  "a time with Z or an offset, such as 2030-01-31T08:00Z, or in the market's time zone a time without one, a date, a month " +
  "such as 2030-01, today or tomorrow";

export function describeType({ type, values }: Property): string {
  return values === undefined ? type : `${type} (one of ${listed(values)})`;
}

export function describeValue({ type, values, nullable, unit }: Property): string {
  const kinds: Readonly<Record<PropertyType, string>> = {
    string: "a string",
    number: unit === undefined ? "a number" : `a number (${unit})`,
    boolean: "true or false",
    time: TIME,
    array: "an array of strings",
    object: "an object",
  };
  const value = values === undefined ? kinds[type] : `one of ${listed(values)}`;
  return nullable ? `${value}, or null` : value;
}

function listed(values: readonly (string | number)[]): string {
  return (values[0] === BUY ? [...Object.keys(SIDE), ...values] : values).join(", ");
}
