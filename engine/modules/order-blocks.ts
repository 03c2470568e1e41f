// Why an open order does not trade with the orders of the other side that its price crosses, as far as a user may see it.
//
// Each crossed order is judged as matching would judge it: the two would trade at the price of the older one (a held order is
// younger than every resting one), and credit must allow one lot at that price.
//
// block-reasons.ts decides what a user is told.
//
// Cost: O(crossed orders), of which MAX_EXAMINED are examined, from the best price on.

import { BOOK_DEPTH } from "../../protocol/modules/registry.ts";
import type { OrderBlock, OrderBlocks } from "../../protocol/index.ts";
import { crosses, opposite, slotsOf } from "../market/order-book.ts";
import { megawattsOf } from "../market/units.ts";
import type { EngineUser } from "../api/market-engine.ts";
import { maySeeModule } from "../api/visibility.ts";
import type { EngineState } from "../state/engine-state.ts";
import { marketStatusOf, type Order } from "../state/market-state.ts";
import type { EntityState } from "../state/party-state.ts";
import { required } from "../state/required.ts";
import { type Reason, reasonsAgainst } from "./block-reasons.ts";

const MAX_EXAMINED = 1_000;
const MAX_COUNTERPARTIES = 20;

/** Null if there is no such order, or if the user may not see it. */
export function orderBlocks(state: EngineState, orderId: string, viewer: EngineUser): OrderBlocks | null {
  const order = state.orders.withId(orderId);
  if (order === undefined || !maySeeModule(viewer, "ORDER", { entityId: order.entity.definition.id })) return null;
  return new BlockSearch(state, order, viewer).result();
}

class BlockSearch {
  readonly #counterparties = new Set<EntityState>();
  readonly #leftOut = new Set<EntityState>();
  /** By reason, in the order in which they were found. */
  readonly #found = new Map<string, { reason: Reason; price: number; kilowatts: number }>();
  #complete = true;

  constructor(readonly state: EngineState, readonly order: Order, readonly viewer: EngineUser) {}

  result(): OrderBlocks {
    const { order } = this;
    const { contract } = order;
    const marketStatus = marketStatusOf(contract.market);
    if (order.closeReason === null) this.#examine(marketStatus);
    const blockedBy = [...this.#found.values()].map(({ reason: found, price, kilowatts }): OrderBlock => {
      const { counterpartyId, reason, ...details } = found;
      const quantity = megawattsOf(kilowatts);
      return { counterpartyId, reason, quantity, contractId: contract.id, price, ...details };
    });
    return {
      orderId: order.id,
      contractId: contract.id,
      marketStatus,
      blockedBy,
      moreCounterparties: this.#leftOut.size,
      complete: this.#complete,
    };
  }

  #examine(marketStatus: ReturnType<typeof marketStatusOf>): void {
    for (const { slot, price } of this.#crossedOrders()) {
      const { order, state } = this;
      const { book } = order.contract;
      const kilowatts = book.quantityOf(slot);
      if (marketStatus !== "open") {
        this.#add({ counterpartyId: null, reason: `market_${marketStatus}` }, price, kilowatts);
      }
      const counterparty = required(state.parties[book.partyOf(slot)], "entity");
      const isOlder = order.status === "held" || book.priorityOf(slot) < order.priority;
      for (const reason of reasonsAgainst(this, counterparty, isOlder ? price : order.price)) {
        const isAdmitted = reason.counterpartyId === null || this.#isAdmitted(counterparty);
        if (isAdmitted) this.#add(reason, price, kilowatts);
      }
    }
  }

  /**
   * The orders to examine, best price first. If a user without Market.View crosses every level that the book shows, the
   * answer is incomplete whether or not there are more levels.
   */
  *#crossedOrders(): Generator<{ slot: number; price: number }, void, undefined> {
    const { order: { contract: { book }, side, price: limit }, viewer } = this;
    const maxLevels = viewer.permissions.has("Market.View") ? Infinity : BOOK_DEPTH;
    let [examined, levels, level] = [0, 0, NaN];
    for (const slot of slotsOf(book, opposite(side))) {
      const price = book.priceOf(slot);
      if (!crosses(side, limit, price)) break;
      if (price !== level) {
        if (levels === maxLevels) break;
        levels += 1;
        level = price;
      }
      if (examined++ === MAX_EXAMINED) {
        this.#complete = false;
        return;
      }
      yield { slot, price };
    }
    if (levels === maxLevels) this.#complete = false;
  }

  /** Whether entries of the counterparty are still accepted. */
  #isAdmitted(counterparty: EntityState): boolean {
    if (this.#counterparties.has(counterparty)) return true;
    if (this.#counterparties.size === MAX_COUNTERPARTIES) {
      this.#leftOut.add(counterparty);
      return false;
    }
    this.#counterparties.add(counterparty);
    return true;
  }

  #add(reason: Reason, price: number, kilowatts: number): void {
    const name = [reason.counterpartyId, reason.reason, reason.limitType, reason.scope].join();
    const known = this.#found.get(name);
    if (known === undefined) this.#found.set(name, { reason, price, kilowatts });
    else known.kilowatts += kilowatts;
  }
}
