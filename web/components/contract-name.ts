// What people call a contract: by its delivery, in the market's time zone.

import type { ContractRow } from "../contract/market.ts";
import { zoneOffset } from "./chart-time.ts";
import { time } from "./time-format.ts";

/** What a name is made of. A contract of another `productType` than those of a ContractRow is shown by its product's name. */
type Delivery = Pick<
  ContractRow,
  "contractId" | "productName" | "productType" | "node" | "deliveryStart" | "deliveryEnd" | "hours"
>;

export interface ContractName {
  /** In a list of its group: `Hour 22`. */
  readonly short: string;
  /** Alone: `NORTH, hour 22 of Nov 22`. */
  readonly full: string;
  /** When it delivers: `20–21 h`, `20:15–20:30`, `Nov 23–29`. */
  readonly delivery: string;
  /** The group to which it belongs. */
  readonly group: ContractGroup;
}

export interface ContractGroup {
  /** The same for all contracts of a group, at any node. */
  readonly key: string;
  /** `Hours of Mon, Nov 23`. */
  readonly title: string;
  readonly kind: DeliveryKind;
}

export type DeliveryKind = "hours" | "days" | "months" | "other";

const HOUR = 3_600;
const DAY = 86_400;

export function contractName(delivery: Delivery, timezone: string): ContractName {
  const { node, productType, productName, hours } = delivery;
  const start = Date.parse(delivery.deliveryStart) / 1_000;
  const end = Date.parse(delivery.deliveryEnd) / 1_000;
  const local = start + zoneOffset(start, timezone);
  const parts = namesOf(productType, { start, end, local, timezone, productName, hours });
  return { ...parts, full: `${node === "" ? "" : `${node}, `}${parts.full}` };
}

interface Times {
  /** Seconds since 1970. */
  readonly start: number;
  readonly end: number;
  /** The start as the clocks of the market show it, as seconds of UTC. */
  readonly local: number;
  readonly timezone: string;
  readonly productName: string;
  /** Of delivery. */
  readonly hours: number;
}

function namesOf(type: string, times: Times): ContractName {
  const { start, end, local, timezone } = times;
  const day = time(start * 1_000, timezone, "dayMonth");
  const year = new Date(local * 1_000).getUTCFullYear();
  const shape = shapeOf(times);
  switch (type) {
    case "hour":
      return hourName(times, day);
    case "base":
    case "peak":
      return dayName(type === "base" ? "Base" : "Peak", time(start * 1_000, timezone, "date"));
    case "weekend":
      return dayName("Weekend", days(start, end, timezone));
    case "week":
      return dayName(`Week ${weekOf(local)}${shape}`, days(start, end, timezone));
    case "month":
      return named(`${monthOf(local)} ${year}${shape}`, times, MONTHS);
    case "quarter":
      return named(`Q${Math.floor(new Date(local * 1_000).getUTCMonth() / 3) + 1} ${year}${shape}`, times, MONTHS);
    case "year":
      return named(`Year ${year}${shape}`, times, MONTHS);
    default:
      return named(`${times.productName}, ${day}`, times, { key: "other", title: "Other contracts", kind: "other" });
  }
}

/** What tells a delivery in certain hours from one in all hours of the same days. */
function shapeOf({ start, end, hours, productName }: Times): string {
  if (hours * HOUR >= end - start) return "";
  return /(?<!off-? ?)\bpeak$/i.test(productName) ? " peak" : ` (${productName})`;
}

const DAYS: ContractGroup = { key: "days", title: "Days and weeks", kind: "days" };
const MONTHS: ContractGroup = { key: "months", title: "Months, quarters, years", kind: "months" };

function dayName(short: string, delivery: string): ContractName {
  return { short, full: `${short}, ${delivery}`, delivery, group: DAYS };
}

function named(full: string, { start, end, timezone }: Times, group: ContractGroup): ContractName {
  return { short: full, full, delivery: days(start, end, timezone), group };
}

function hourName({ start, end, local, timezone }: Times, day: string): ContractName {
  const midnight = local - local % DAY;
  // The offset at midnight is another one on days when clocks change.
  const begin = midnight - zoneOffset(midnight - zoneOffset(start, timezone), timezone);
  const number = Math.floor((start - begin) / HOUR) + 1;
  const delivery = hours(time(start * 1_000, timezone, "minutes"), time(end * 1_000, timezone, "minutes"));
  const isHour = end - start === HOUR;
  return {
    short: isHour ? `Hour ${number}` : delivery,
    full: isHour ? `hour ${number} of ${day}` : `${delivery} of ${day}`,
    delivery,
    group: {
      key: `hours ${midnight}`,
      title: `Hours of ${time(start * 1_000, timezone, "date")}`,
      kind: "hours",
    },
  };
}

/** `20–21 h`; `20:15–20:30` if it does not begin and end with an hour. */
function hours(start: string, end: string): string {
  const [from, to] = [start, end].map((clock) => clock.endsWith(":00") ? clock.slice(0, 2) : null);
  return from === null || to === null ? `${start}–${end}` : `${from}–${to} h`;
}

/** `Nov 23`, `Nov 23–29`, `Nov 28 – Dec 4`: the days on which it delivers. */
function days(start: number, end: number, timezone: string): string {
  const first = time(start * 1_000, timezone, "dayMonth");
  const last = time(end * 1_000 - 1, timezone, "dayMonth");
  if (first === last) return first;
  const [month, day] = last.split(" ");
  return first.startsWith(`${month} `) ? `${first}–${day}` : `${first} – ${last}`;
}

function monthOf(local: number): string {
  return new Intl.DateTimeFormat("en-US", { month: "short", timeZone: "UTC" }).format(local * 1_000);
}

/** ISO 8601: weeks begin on Monday, and week 1 has the first Thursday of the year. */
function weekOf(local: number): number {
  const weekday = (new Date(local * 1_000).getUTCDay() + 6) % 7;
  const thursday = new Date((local - local % DAY + (3 - weekday) * DAY) * 1_000);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return Math.floor((thursday.getTime() - first) / 1_000 / DAY / 7) + 1;
}
