// The open orders that others send for the entities of a run's personas, such as the demo's first orders or those of people.
// Personas keep their quotes behind these too, so an entity's own orders never lock or cross a book.
//
// They are read from the connection that watches the market, so an order counts once the engine has published it. Orders of
// the run's personas are left out, because the personas count them from their submission on.

import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { Side } from "../../engine/market/order-book.ts";
import type { EntityOrder, EntityOrders } from "../personas/entity-orders.ts";
import type { TradedContract } from "../personas/traded-contract.ts";

interface CountedOrder extends EntityOrder {
  readonly contract: TradedContract;
  readonly orders: EntityOrders;
  price: number;
}

interface OtherOrdersOptions {
  /** What the clientOrderIds of the run begin with. */
  readonly idPrefix: string;
  readonly entityOrders: ReadonlyMap<string, EntityOrders>;
  /** Undefined if personas don't trade the contract. */
  readonly contractOf: (contractId: string) => TradedContract | undefined;
}

export class OtherOrders {
  /** By id. */
  readonly #counted = new Map<string, CountedOrder>();

  constructor(private readonly options: OtherOrdersOptions) {}

  /** An order is new or has changed. */
  changed({ id, clientOrderId, entityId, contractId, side, price, closeReason }: ModuleData<"ORDER">): void {
    if (closeReason !== null) return this.removed(id);
    const counted = this.#counted.get(id);
    if (counted !== undefined) {
      counted.price = price;
      counted.orders.of(counted.contract).changed(counted);
      return;
    }
    const { idPrefix, entityOrders, contractOf } = this.options;
    const orders = entityOrders.get(entityId);
    const contract = contractOf(contractId);
    if (orders === undefined || contract === undefined || clientOrderId.startsWith(idPrefix)) return;
    const order = { contract, orders, side: side as Side, price, nextPrice: price, pending: null };
    this.#counted.set(id, order);
    orders.of(contract).changed(order);
  }

  /** An order has ended. */
  removed(id: string): void {
    const counted = this.#counted.get(id);
    if (counted === undefined) return;
    this.#counted.delete(id);
    counted.orders.of(counted.contract).remove(counted);
  }

  /** A new snapshot follows. */
  forgetAll(): void {
    for (const id of [...this.#counted.keys()]) this.removed(id);
  }
}
