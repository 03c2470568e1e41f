// The hours of delivery as a map: for each local day a row for each node, and a column for each hour, of which a day has 23 or
// 25 when clocks change. If no contract is listed there is a gap.

import { beginOfDay, beginOfNextDay } from "../../../components/local-day.ts";
import { time } from "../../../components/time-format.ts";
import type { ContractRow } from "../../../contract/market.ts";

export interface GridHour {
  /** Seconds since 1970. */
  readonly from: number;
  /** From 1 to 25, as in the contract's name. */
  readonly number: number;
  /** When it begins: `20:00`. */
  readonly clock: string;
}

export interface GridRow {
  readonly key: string;
  /** The node, with its product if it has several of hours. */
  readonly name: string;
  readonly node: string;
  /** The contract of each hour of the day; null: none is listed. */
  readonly contractIds: readonly (string | null)[];
}

export interface GridDay {
  readonly key: string;
  /** `Tue, Nov 24`. */
  readonly title: string;
  readonly timezone: string;
  readonly hours: readonly GridHour[];
  readonly rows: readonly GridRow[];
}

type HourContract = Pick<
  ContractRow,
  "contractId" | "productId" | "productName" | "productType" | "node" | "marketId" | "deliveryStart" | "deliveryEnd"
>;

const HOUR = 3_600;

/** Days with contracts of single hours, the earliest first; those of markets in another time zone are days of their own. */
export function hourGrid(contracts: readonly HourContract[], timezoneOf: (marketId: string) => string): GridDay[] {
  const hours = contracts.filter(isHour).map((contract) => ({
    ...contract,
    from: Date.parse(contract.deliveryStart) / 1_000,
    timezone: timezoneOf(contract.marketId),
  }));
  const days = Map.groupBy(hours, ({ from, timezone }) => `${beginOfDay(from, timezone)} ${timezone}`);
  const products = Map.groupBy(hours, ({ node }) => node);
  const hasSeveral = (node: string) => new Set(products.get(node)?.map(({ productId }) => productId)).size > 1;
  return [...days].map(([key, ofDay]) => {
    const { timezone, from } = ofDay[0]!;
    const columns = hoursOfDay(from, timezone);
    const rows = [...Map.groupBy(ofDay, ({ node, productId }) => `${node} ${productId}`)].sort(([a], [b]) =>
      a < b ? -1 : 1
    );
    return {
      key,
      title: time(from * 1_000, timezone, "date"),
      timezone,
      hours: columns,
      rows: rows.map(([key, ofRow]) => {
        const { node, productName } = ofRow[0]!;
        const ids = new Map(ofRow.map(({ from, contractId }) => [from, contractId]));
        return {
          key,
          node,
          name: hasSeveral(node) ? `${node}, ${productName}` : node,
          contractIds: columns.map(({ from }) => ids.get(from) ?? null),
        };
      }),
    };
  }).sort((a, b) => a.hours[0]!.from - b.hours[0]!.from);
}

/** The day without the hours before its first contract and after its last one. */
export function trimmed(day: GridDay): GridDay {
  const isListed = day.hours.map((_, index) => day.rows.some(({ contractIds }) => contractIds[index] !== null));
  const [first, last] = [isListed.indexOf(true), isListed.lastIndexOf(true)];
  const part = <Each>(all: readonly Each[]) => all.slice(first, last + 1);
  const rows = day.rows.map((row) => ({ ...row, contractIds: part(row.contractIds) }));
  return { ...day, hours: part(day.hours), rows };
}

/** Contracts of quarters of an hour, or of several hours, have no column. */
function isHour({ productType, deliveryStart, deliveryEnd }: HourContract): boolean {
  return productType === "hour" && Date.parse(deliveryEnd) - Date.parse(deliveryStart) === HOUR * 1_000;
}

/** All hours of the local day of `at`, in order. */
function hoursOfDay(at: number, timezone: string): GridHour[] {
  const begin = beginOfDay(at, timezone);
  const count = Math.round((beginOfNextDay(at, timezone) - begin) / HOUR);
  return Array.from({ length: count }, (_, index) => {
    const from = begin + index * HOUR;
    return { from, number: index + 1, clock: time(from * 1_000, timezone, "minutes") };
  });
}
