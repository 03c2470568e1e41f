// The contracts of the built-in market: which deliveries are on offer at one node at a given moment.
//
// Delivery follows the local calendar of the market, so a day has 23 or 25 hours when the clocks change. Peak hours are
// 06:00 to 22:00 on weekdays; public holidays are not taken out. "Next" is counted from one hour after `now`, so that no
// contract is listed less than an hour before its delivery starts.

import type { MarketDefinition } from "./market-definition.ts";

type ContractDefinition = MarketDefinition["contracts"][number];
type ProductDefinition = MarketDefinition["products"][number];

/** Products of one node, in the order in which they are listed; `suffix` completes the product's id and code. */
export const PRODUCTS = [
  { suffix: "DA-BASE", name: "Day-ahead base", type: "base" },
  { suffix: "DA-PEAK", name: "Day-ahead peak", type: "peak" },
  { suffix: "DA-HOUR", name: "Day-ahead hour", type: "hour" },
  { suffix: "WK-BASE", name: "Week base", type: "week" },
  { suffix: "MO-BASE", name: "Month base", type: "month" },
  { suffix: "MO-PEAK", name: "Month peak", type: "month" },
  { suffix: "QU-BASE", name: "Quarter base", type: "quarter" },
] as const satisfies readonly { suffix: string; name: string; type: ProductDefinition["type"] }[];

type ProductSuffix = (typeof PRODUCTS)[number]["suffix"];

interface Delivery {
  readonly product: ProductSuffix;
  /** Completes the contract's id: `2026-03-08`, `2026-03-08-H01`, `2026-W11`, `2026-04`, `2026-Q2`. */
  readonly period: string;
  readonly start: Temporal.ZonedDateTime;
  readonly end: Temporal.ZonedDateTime;
  readonly hours: number;
}

const PEAK_START = Temporal.PlainTime.from("06:00");
const PEAK_END = Temporal.PlainTime.from("22:00");
const LISTING_MARGIN_MS = 3_600_000;

/** The contracts of `node` at `now` (milliseconds since the epoch), delivering by the calendar of `timezone`. */
export function contractsOf(node: string, timezone: string, now: number): ContractDefinition[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now + LISTING_MARGIN_MS)
    .toZonedDateTimeISO(timezone).toPlainDate();
  return deliveries(today, timezone).map(({ product, period, start, end, hours }) => {
    const id = `${node}-${product}-${period}`;
    const name = PRODUCTS.find(({ suffix }) => suffix === product)?.name;
    return {
      id,
      productId: `${node}-${product}`,
      code: id,
      name: `${node} ${name} ${period}`,
      deliveryStart: start.toInstant().toString(),
      deliveryEnd: end.toInstant().toString(),
      hours,
    };
  });
}

function deliveries(today: Temporal.PlainDate, timezone: string): Delivery[] {
  const tomorrow = today.add({ days: 1 });
  const monday = today.add({ days: 8 - today.dayOfWeek });
  const months = [1, 2, 3].map((count) => today.with({ day: 1 }).add({ months: count }));
  const quarter = today.with({ day: 1, month: today.month - (today.month - 1) % 3 });
  const quarters = [3, 6].map((count) => quarter.add({ months: count }));
  const base = (product: ProductSuffix, period: string, from: Temporal.PlainDate, to: Temporal.PlainDate) =>
    baseDelivery(product, period, from, to, timezone);
  return [
    base("DA-BASE", tomorrow.toString(), tomorrow, tomorrow.add({ days: 1 })),
    dayAheadPeak(tomorrow, timezone),
    ...dayAheadHours(tomorrow, timezone),
    base("WK-BASE", weekName(monday), monday, monday.add({ days: 7 })),
    ...months.map((month) => base("MO-BASE", monthName(month), month, month.add({ months: 1 }))),
    ...months.map((month) =>
      peakDelivery("MO-PEAK", monthName(month), weekdays(month, month.add({ months: 1 })), timezone)
    ),
    ...quarters.map((start) => base("QU-BASE", quarterName(start), start, start.add({ months: 3 }))),
  ];
}

function baseDelivery(
  product: ProductSuffix,
  period: string,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
  timezone: string,
): Delivery {
  const start = from.toZonedDateTime(timezone);
  const end = to.toZonedDateTime(timezone);
  return { product, period, start, end, hours: hoursBetween(start, end) };
}

/** The peak hours of the given weekdays. */
function peakDelivery(
  product: ProductSuffix,
  period: string,
  days: readonly Temporal.PlainDate[],
  timezone: string,
): Delivery {
  const blocks = days.map((day) => ({
    start: day.toZonedDateTime({ timeZone: timezone, plainTime: PEAK_START }),
    end: day.toZonedDateTime({ timeZone: timezone, plainTime: PEAK_END }),
  }));
  const first = blocks[0];
  const last = blocks.at(-1);
  if (first === undefined || last === undefined) throw new Error(`no weekday in ${period}`);
  const hours = blocks.reduce((sum, { start, end }) => sum + hoursBetween(start, end), 0);
  return { product, period, start: first.start, end: last.end, hours };
}

/** The next weekday's peak: on Friday and Saturday that is Monday's. */
function dayAheadPeak(tomorrow: Temporal.PlainDate, timezone: string): Delivery {
  const day = weekdays(tomorrow, tomorrow.add({ days: 3 })).slice(0, 1);
  return peakDelivery("DA-PEAK", String(day[0]), day, timezone);
}

/** Every hour of one local day, numbered from H01; H25 or no H24 on the days when the clocks change. */
function dayAheadHours(day: Temporal.PlainDate, timezone: string): Delivery[] {
  const start = day.toZonedDateTime(timezone);
  const count = hoursBetween(start, day.add({ days: 1 }).toZonedDateTime(timezone));
  return Array.from({ length: count }, (_, index): Delivery => ({
    product: "DA-HOUR",
    period: `${day}-H${String(index + 1).padStart(2, "0")}`,
    start: start.add({ hours: index }),
    end: start.add({ hours: index + 1 }),
    hours: 1,
  }));
}

function weekdays(from: Temporal.PlainDate, to: Temporal.PlainDate): Temporal.PlainDate[] {
  const days: Temporal.PlainDate[] = [];
  for (let day = from; Temporal.PlainDate.compare(day, to) < 0; day = day.add({ days: 1 })) {
    if (day.dayOfWeek <= 5) days.push(day);
  }
  return days;
}

function hoursBetween(start: Temporal.ZonedDateTime, end: Temporal.ZonedDateTime): number {
  return (end.epochMilliseconds - start.epochMilliseconds) / 3_600_000;
}

function weekName(monday: Temporal.PlainDate): string {
  return `${monday.yearOfWeek}-W${String(monday.weekOfYear).padStart(2, "0")}`;
}

function monthName(month: Temporal.PlainDate): string {
  return month.toPlainYearMonth().toString();
}

function quarterName(start: Temporal.PlainDate): string {
  return `${start.year}-Q${(start.month + 2) / 3}`;
}
