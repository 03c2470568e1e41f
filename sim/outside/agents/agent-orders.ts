// The open orders of an agent, and what it may not do: exceed its limits, or lock or cross another order of its company.
//
// The headless market answers each action before the next one, so no two actions are unanswered at a time.
//
// Invariant: the exposure counts the open quantity of every order, so fills can't exceed the position limits. Prices are
// cents/MWh, quantities kW.

import type { Side } from "../../../engine/market/order-book.ts";
import type { EntityOrder, EntityOrders } from "../../personas/entity-orders.ts";
import { ContractExposure, Exposure } from "../../personas/exposure.ts";
import type { PersonaLimits } from "../../personas/limits.ts";
import { megawattsOf } from "../../../engine/market/units.ts";
import type { TradedContract } from "../../personas/traded-contract.ts";

export interface AgentOrder extends EntityOrder {
  readonly reference: number;
  readonly contract: TradedContract;
  price: number;
  /** As ordered, including the filled part. */
  quantity: number;
  filled: number;
  nextPrice: number;
  nextQuantity: number;
  pending: EntityOrder["pending"];
}

interface LimitFault {
  readonly code: "too_many_orders" | "order_too_large" | "position_limit" | "own_order";
  readonly message: string;
}

export class AgentOrders {
  readonly #orders = new Map<number, AgentOrder>();
  readonly #exposure: Exposure;
  /** By the contract's index. */
  readonly #exposures = new Map<number, ContractExposure>();
  #lastReference = 0;

  constructor(private readonly limits: PersonaLimits, private readonly entityOrders: EntityOrders) {
    this.#exposure = new Exposure(limits);
  }

  /** In the order of submission. */
  get all(): Iterable<AgentOrder> {
    return this.#orders.values();
  }

  get size(): number {
    return this.#orders.size;
  }

  get(reference: number): AgentOrder | undefined {
    return this.#orders.get(reference);
  }

  /** A new order, as an unanswered submission, or why it may not be sent. */
  submit(contract: TradedContract, side: Side, price: number, quantity: number): AgentOrder | LimitFault {
    if (this.size >= this.limits.workingOrders) {
      return { code: "too_many_orders", message: `${this.size} orders are open, the most that are allowed.` };
    }
    const fault = this.#faultOf(contract, side, price, quantity, null);
    if (fault !== null) return fault;
    const reference = ++this.#lastReference;
    const next = { nextPrice: price, nextQuantity: quantity };
    const order: AgentOrder = { reference, contract, side, price, quantity, filled: 0, pending: "submit", ...next };
    this.#orders.set(reference, order);
    this.#changed(order);
    return order;
  }

  /** Marks a change as unanswered, or says why it may not be sent. */
  modify(order: AgentOrder, price: number, quantity: number): LimitFault | null {
    const fault = this.#faultOf(order.contract, order.side, price, quantity, order);
    if (fault !== null) return fault;
    order.pending = "modify";
    order.nextPrice = price;
    order.nextQuantity = quantity;
    this.#changed(order);
    return null;
  }

  cancel(order: AgentOrder): void {
    order.pending = "cancel";
  }

  /** The market has carried out the unanswered action. */
  accepted(order: AgentOrder): void {
    if (order.pending === "cancel") return;
    order.price = order.nextPrice;
    order.quantity = order.nextQuantity;
    this.#answered(order);
  }

  /** The market has refused the unanswered action. */
  refused(order: AgentOrder): void {
    if (order.pending === "submit") return this.remove(order);
    order.nextPrice = order.price;
    order.nextQuantity = order.quantity;
    this.#answered(order);
  }

  filled(order: AgentOrder, quantity: number): void {
    order.filled += quantity;
    const exposure = this.exposureOf(order.contract);
    this.#exposure.fill(exposure, order.side, quantity, this.#openOn(order.contract, order.side));
    if (order.pending === null) this.#removeFilled(order);
  }

  /** The order has ended. */
  remove(order: AgentOrder): void {
    this.#orders.delete(order.reference);
    this.entityOrders.of(order.contract).remove(order);
    this.#count(order);
  }

  /** Delivery has begun: the contract no longer counts. */
  end(contract: TradedContract): void {
    const exposure = this.#exposures.get(contract.index);
    if (exposure !== undefined) this.#exposure.end(exposure);
    this.#exposures.delete(contract.index);
    this.entityOrders.forget(contract);
  }

  exposureOf({ index }: TradedContract): ContractExposure {
    let exposure = this.#exposures.get(index);
    if (exposure === undefined) this.#exposures.set(index, exposure = new ContractExposure());
    return exposure;
  }

  /** `own`: the order that changes; null for a new one. */
  #faultOf(
    contract: TradedContract,
    side: Side,
    price: number,
    quantity: number,
    own: AgentOrder | null,
  ): LimitFault | null {
    const { id, lot, tick } = contract;
    const { orderLots } = this.limits;
    const open = quantity - (own?.filled ?? 0);
    if (open > orderLots * lot) return { code: "order_too_large", message: `An order has at most ${orderLots} lots.` };
    const others = this.#openOn(contract, side) - (own === null ? 0 : mostOpen(own));
    if (others + open > this.#exposure.headroom(this.exposureOf(contract), side)) {
      return {
        code: "position_limit",
        message: `If all open orders in ${id} were filled, a position limit would be exceeded.`,
      };
    }
    if (this.entityOrders.of(contract).behind(side, price, tick, null) === price) return null;
    return {
      code: "own_order",
      message: `The price meets an order of the same company in ${id}; it never trades with itself.`,
    };
  }

  #answered(order: AgentOrder): void {
    order.pending = null;
    this.#changed(order);
    this.#removeFilled(order);
  }

  #removeFilled(order: AgentOrder): void {
    if (order.filled >= order.quantity) this.remove(order);
  }

  #changed(order: AgentOrder): void {
    this.entityOrders.of(order.contract).changed(order);
    this.#count(order);
  }

  #count({ contract, side }: AgentOrder): void {
    this.#exposure.setOpen(this.exposureOf(contract), side, this.#openOn(contract, side));
  }

  #openOn(contract: TradedContract, side: Side): number {
    let open = 0;
    for (const order of this.#orders.values()) {
      if (order.contract === contract && order.side === side) open += mostOpen(order);
    }
    return open;
  }
}

/** The most that may still be filled, whatever the market answers. */
function mostOpen({ quantity, nextQuantity, filled }: AgentOrder): number {
  return Math.max(0, Math.max(quantity, nextQuantity) - filled);
}

/** MW. */
export function remainingOf({ quantity, filled }: AgentOrder): number {
  return megawattsOf(quantity - filled);
}

/** By side. */
export const SIDE_NAMES = ["BUY", "SELL"] as const;
