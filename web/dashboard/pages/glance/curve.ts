// The curve: what each delivery costs, from single hours to years, as rows of a table and as sections of a picture. Prices are
// cents/MWh, times seconds since 1970.

import type { ContractName, DeliveryKind } from "../../../components/contract-name.ts";
import { contractPrice } from "../../../components/contract-price.ts";
import type { ContractRow } from "../../../contract/market.ts";

interface CurvePrice {
  readonly contractId: string;
  /** Null: neither a book with two sides nor a trade. */
  readonly cents: number | null;
}

/** A delivery, with its price at each node that lists it. */
export interface CurveRow {
  readonly key: string;
  readonly kind: DeliveryKind;
  /** `hour 22 of Nov 22`, `Week 48, Nov 23–29`, `Dec 2026 peak`. */
  readonly name: string;
  /** When it delivers: `20–21 h`, `Nov 23–29`. */
  readonly delivery: string;
  /** `hour`, `day`, `year`: how long it delivers. */
  readonly period: string;
  /** Of delivery, which is the energy in MWh of 1 MW. */
  readonly hours: number;
  /** Whether it skips hours between its begin and its end. */
  readonly isPartial: boolean;
  readonly from: number;
  readonly to: number;
  readonly prices: ReadonlyMap<string, CurvePrice>;
}

export interface CurveSection {
  readonly kind: DeliveryKind;
  readonly title: string;
  readonly from: number;
  readonly to: number;
  readonly rows: readonly CurveRow[];
}

interface Listed {
  readonly row: ContractRow;
  readonly name: ContractName;
}

const KINDS = {
  hours: "Hours",
  days: "Days and weeks",
  months: "Months, quarters, years",
  other: "Other deliveries",
} as const satisfies Record<DeliveryKind, string>;
const ORDER = Object.keys(KINDS) as DeliveryKind[];
const PERIODS: Readonly<Record<string, string>> = { base: "day", peak: "day, peak hours" };
const HOUR = 3_600;

/** From hours to years, the earliest and the shortest first. */
export function curveRows(contracts: readonly Listed[]): CurveRow[] {
  const deliveries = Map.groupBy(
    contracts,
    ({ row, name }) => `${row.productType} ${row.deliveryStart} ${row.deliveryEnd} ${row.hours} ${nameOf(row, name)}`,
  );
  return [...deliveries].map(([key, listed]) => {
    const { row, name } = listed[0]!;
    const { productType, deliveryStart, deliveryEnd, hours } = row;
    const [from, to] = [Date.parse(deliveryStart) / 1_000, Date.parse(deliveryEnd) / 1_000];
    return {
      ...{ key, kind: name.group.kind, name: nameOf(row, name), delivery: name.delivery, hours, from, to },
      period: PERIODS[productType] ?? (productType === "" ? row.productName : productType),
      isPartial: hours * HOUR < to - from,
      prices: new Map(listed.map(({ row }) => [row.node, priceOf(row)])),
    };
  }).sort((a, b) =>
    ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || a.from - b.from || a.to - b.to || a.hours - b.hours
  );
}

/** The contract's name without its node. */
function nameOf({ node }: ContractRow, { full }: ContractName): string {
  return node === "" ? full : full.slice(`${node}, `.length);
}

function priceOf(row: ContractRow): CurvePrice {
  return { contractId: row.contractId, cents: contractPrice(row)?.cents ?? null };
}

/** Each kind of delivery with an axis of its own, because a year would leave no room for hours. */
export function curveSections(rows: readonly CurveRow[]): CurveSection[] {
  return [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, ofKind]) => ({
    kind,
    title: KINDS[kind],
    from: Math.min(...ofKind.map(({ from }) => from)),
    to: Math.max(...ofKind.map(({ to }) => to)),
    rows: ofKind,
  }));
}

/** All nodes of the rows, by name. */
export function nodesOf(rows: readonly CurveRow[]): string[] {
  return [...new Set(rows.flatMap(({ prices }) => [...prices.keys()]))].sort();
}
