// A slow calendar, the reference for listing rules. It finds the local time of every hour and adds the hour to the periods
// that contain it. Clocks must change by whole hours; the offset from UTC may include half an hour.

import type { DeliveryHours, DeliveryPeriod, PeriodKind } from "../../../engine/market/listing-rule.ts";

const HOUR_MS = 3_600_000;

interface LocalHour {
  readonly time: number;
  readonly date: string;
  readonly weekday: number;
  readonly hour: number;
}

interface Span {
  readonly name: string;
  readonly firstDay: string;
  readonly hours: LocalHour[];
}

export class ReferenceCalendar {
  readonly #hours: LocalHour[] = [];

  constructor(timezone: string, from: number, until: number) {
    const offset = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone).minute * 60_000;
    for (let time = from - offset; time < until; time += HOUR_MS) {
      const local = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timezone);
      this.#hours.push({ time, date: local.toPlainDate().toString(), weekday: local.dayOfWeek, hour: local.hour });
    }
  }

  listing(kind: PeriodKind, hours: DeliveryHours, ahead: number, opening: number): ReferenceListing {
    return new ReferenceListing(this.#spans(kind), this.#hours, kind, hours, ahead, opening);
  }

  #spans(kind: PeriodKind): Span[] {
    const spans = new Map<string, Span>();
    for (const hour of this.#hours) {
      const name = spanName(kind, hour);
      if (name === null) continue;
      const span = spans.get(name);
      if (span === undefined) spans.set(name, { name, firstDay: hour.date, hours: [hour] });
      else span.hours.push(hour);
    }
    // The first and the last period may be incomplete.
    return [...spans.values()].slice(1, -1);
  }
}

class ReferenceListing {
  readonly #offers: { readonly opens: number; readonly periods: DeliveryPeriod[] }[] = [];

  constructor(
    spans: readonly Span[],
    hours: readonly LocalHour[],
    kind: PeriodKind,
    deliveryHours: DeliveryHours,
    ahead: number,
    opening: number,
  ) {
    const openings = new Map<string, number>();
    for (const { date, hour, time } of hours) {
      if (hour >= opening && !openings.has(date)) openings.set(date, time);
    }
    spans.forEach((span, index) => {
      const opensOn = spans[index - ahead]?.firstDay;
      if (opensOn === undefined) return;
      this.#offers.push({ opens: openings.get(opensOn)!, periods: periodsOf(span, kind, deliveryHours) });
    });
  }

  listedAt(time: number): DeliveryPeriod[] {
    return this.#offers.filter(({ opens, periods }) => opens <= time && periods.at(-1)!.start > time)
      .flatMap(({ periods }) => periods)
      .filter(({ start }) => start > time);
  }
}

function periodsOf({ name, hours }: Span, kind: PeriodKind, deliveryHours: DeliveryHours): DeliveryPeriod[] {
  if (kind === "hour") {
    return hours.map(({ time }, index) => ({
      name: `${name}-H${String(index + 1).padStart(2, "0")}`,
      start: time,
      end: time + HOUR_MS,
      hours: 1,
    }));
  }
  const delivered = kind === "peak" || deliveryHours === "peak"
    ? hours.filter(({ weekday, hour }) => weekday <= 5 && hour >= 6 && hour < 22)
    : hours;
  return [{ name, start: delivered[0]!.time, end: delivered.at(-1)!.time + HOUR_MS, hours: delivered.length }];
}

/** Null if the hour is in no period of this kind. */
function spanName(kind: PeriodKind, { date, weekday }: LocalHour): string | null {
  const [year = "", month = ""] = date.split("-");
  switch (kind) {
    case "hour":
    case "base":
      return date;
    case "peak":
      return weekday <= 5 ? date : null;
    case "weekend":
      return weekday > 5 ? `${isoWeek(date, weekday)}-WE` : null;
    case "week":
      return isoWeek(date, weekday);
    case "month":
      return `${year}-${month}`;
    case "quarter":
      return `${year}-Q${Math.ceil(Number(month) / 3)}`;
    case "year":
      return year;
  }
}

/** A week belongs to the year of its Thursday (ISO 8601). */
function isoWeek(date: string, weekday: number): string {
  const thursday = new Date(Date.parse(`${date}T00:00:00Z`) + (4 - weekday) * 24 * HOUR_MS);
  const year = thursday.getUTCFullYear();
  const days = (thursday.getTime() - Date.UTC(year, 0, 1)) / (24 * HOUR_MS);
  return `${year}-W${String(Math.floor(days / 7) + 1).padStart(2, "0")}`;
}
