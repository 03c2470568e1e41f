// What the model of the market is made of: orders, fills, trades and credit limits, and the arithmetic of each.

type Status = "working" | "partial" | "held" | "filled" | "cancelled";

export interface ModelOrder {
  readonly id: string;
  readonly number: number;
  readonly clientOrderId: string;
  readonly userId: string;
  readonly entityId: string;
  readonly contract: Contract;
  readonly side: 0 | 1;
  readonly timeInForce: string;
  price: number;
  /** kW. */
  quantity: number;
  filled: number;
  status: Status;
  closeReason: string | null;
  /** Rank by age in its queue or book; renewed when the order loses its priority. */
  place: number;
  /** Limit, in dollars, on its fills plus the rest at its limit price; null if unlimited. */
  maxNotional: number | null;
}

export interface ModelFill {
  readonly orderId: string;
  readonly price: number;
  readonly quantity: number;
  readonly liquidity: "resting" | "aggressor";
}

/** What an entity has traded of a contract: MW and dollars. */
export interface ModelPosition {
  readonly contractId: string;
  readonly netQuantity: number;
  readonly boughtQuantity: number;
  readonly soldQuantity: number;
  readonly cash: number;
}

export interface ModelAnswer {
  readonly status: "ok" | "rejected";
  readonly code?: string;
}

export interface Contract {
  readonly id: string;
  readonly lot: number;
  readonly tick: number;
  readonly minutes: number;
  readonly minimumPrice: number;
  readonly maximumPrice: number;
}

export interface Limit {
  readonly limitType: string;
  readonly contractId: string | null;
  readonly limit: number;
  readonly marginPercent: number;
}

export interface Trade {
  readonly contract: Contract;
  readonly entityIds: readonly [string, string];
  readonly price: number;
  readonly quantity: number;
}

export interface Pair {
  limits: Limit[];
  documentation: string;
}

export type Payload = Record<string, unknown>;

export function close(order: ModelOrder, reason: string): void {
  order.status = "cancelled";
  order.closeReason = reason;
}

export function boundOf({ bounds }: Payload): number | undefined {
  return (bounds as { maxNotional?: number } | undefined)?.maxNotional;
}

export function isWorking({ status }: ModelOrder): boolean {
  return status === "working" || status === "partial";
}

export function rejected(code: string): ModelAnswer {
  return { status: "rejected", code };
}

export function faultIn(contract: Contract, price: number, quantity: number): string | null {
  if (quantity % contract.lot !== 0) return "invalid_quantity";
  if (price < contract.minimumPrice || price > contract.maximumPrice || price % contract.tick !== 0) {
    return "invalid_price";
  }
  return null;
}

export function kilowatts(megawatts: number): number {
  return Math.round(megawatts * 1000);
}

/** In kW for mw, kW x min for mwh, cents/MWh x kW x min for notional. */
export function usedBy(
  { limitType }: Limit,
  { contract, price, quantity }: Pick<Trade, "contract" | "price" | "quantity">,
) {
  if (limitType === "mw") return quantity;
  return quantity * contract.minutes * (limitType === "mwh" ? 1 : Math.abs(price));
}

export function capacityOf({ limitType, limit, marginPercent }: Limit): number {
  if (limitType === "mw") return limit * 1000;
  return limitType === "mwh" ? limit * 60_000 : limit * 6_000_000 * 100 / marginPercent;
}
