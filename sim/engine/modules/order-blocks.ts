// Why an open order does not trade with the orders of the other side that its price crosses, as far as a user may see it.
//
// Each crossed order is judged as matching would judge it: the two would trade at the price of the older one (a held order is
// younger than every resting one), and credit must allow one lot at that price.
//
// Not visible to a user: without Market.View, whose orders they are, and what is below the levels that a book shows; without
// Scope.Global, documents of two other entities, and limits that other entities grant; without Credit.View, figures of limits.
//
// Invariant: an answer never says more about these than the order shows by not trading. So an unseen reason is named only
// while the market matches, without figures, and only if nothing that the user may know explains the order.
// Otherwise orders that can't trade could be used to search for another entity's limits or orders, at no risk.
//
// Cost: O(crossed orders), of which MAX_EXAMINED are examined, from the best price on.

import { BOOK_DEPTH, CREDIT_LIMIT_UNITS } from "../../../protocol/modules/registry.ts";
import type { BlockReason, OrderBlock, OrderBlocks } from "../../../protocol/index.ts";
import type { CreditObstacle } from "../../market/credit-obstacles.ts";
import { crosses, opposite, slotsOf } from "../../market/order-book.ts";
import { megawattsOf } from "../../market/units.ts";
import type { EngineUser } from "../api/market-engine.ts";
import { maySeeDocumentation, maySeeModule } from "../api/visibility.ts";
import type { EngineState } from "../state/engine-state.ts";
import { type EntityState, isMatching, marketStatusOf, type Order } from "../state/market-state.ts";
import { required } from "../state/required.ts";

const MAX_EXAMINED = 1_000;
const MAX_COUNTERPARTIES = 20;

/** A reason, without its quantity and price. */
type Reason = Omit<OrderBlock, "quantity" | "price" | "contractId">;

/** Null if there is no such order, or if the user may not see it. */
export function orderBlocks(state: EngineState, orderId: string, viewer: EngineUser): OrderBlocks | null {
  const order = state.orders.get(orderId);
  if (order === undefined || !maySeeModule(viewer, "ORDER", { entityId: order.entity.definition.id })) return null;
  return new BlockSearch(state, order, viewer).result();
}

class BlockSearch {
  readonly #counterparties = new Set<EntityState>();
  readonly #leftOut = new Set<EntityState>();
  /** By reason, in the order in which they were found. */
  readonly #found = new Map<string, { reason: Reason; price: number; kilowatts: number }>();
  readonly #isMatching: boolean;
  #complete = true;

  constructor(readonly state: EngineState, readonly order: Order, readonly viewer: EngineUser) {
    this.#isMatching = isMatching(order.contract);
  }

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
      for (const reason of this.#reasons(counterparty, isOlder ? price : order.price)) {
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

  /** What keeps the order from trading with one of a counterparty; empty if nothing does, or nothing that may be named. */
  #reasons(counterparty: EntityState, price: number): Reason[] {
    const { order: { entity, contract }, state: { ledger }, viewer } = this;
    const counterpartyId = counterparty.definition.id;
    const isShown = maySeeModule(viewer, "ORDER", { entityId: counterpartyId });
    if (counterparty === entity) return [{ counterpartyId, reason: "self_trade" }];
    if (ledger.availableCredit(entity.party, counterparty.party, contract, price) >= contract.lot) return [];
    const isPairShown = isShown && maySeeDocumentation(viewer, entity.definition.id, counterpartyId);
    if (!isPairShown) {
      return this.#unseen([{ counterpartyId: isShown ? counterpartyId : null, reason: "documents_or_credit" }]);
    }
    const sides = [
      new SideReasons("entity", entity, counterpartyId, this.#obstacles(entity, counterparty, price)),
      new SideReasons("counterparty", counterparty, counterpartyId, this.#obstacles(counterparty, entity, price)),
    ];
    const visible = [
      ...sides.flatMap((side) => side.documents()),
      ...sides.flatMap((side) => side.maySeeLimits(viewer) ? side.limits() : []),
    ];
    if (visible.length > 0) return visible;
    const blocking = sides.filter((side) => side.limits().length > 0);
    const own = blocking.filter((side) => side.isKnownTo(viewer));
    return this.#unseen((own.length > 0 ? own : blocking).map((side) => side.limitUnseen()));
  }

  #unseen(reasons: Reason[]): Reason[] {
    return this.#isMatching ? reasons : [];
  }

  #obstacles(granter: EntityState, grantee: EntityState, price: number): CreditObstacle[] {
    const { contract } = this.order;
    return this.state.ledger.obstacles(granter.party, grantee.party, contract, price, contract.lot);
  }
}

/** The reasons in what one side grants to the other. */
class SideReasons {
  constructor(
    readonly name: "entity" | "counterparty",
    readonly granter: EntityState,
    readonly counterpartyId: string,
    readonly obstacles: readonly CreditObstacle[],
  ) {}

  /** Whether the viewer may see that a limit prevents the trade; its figures need Credit.View too. */
  isKnownTo(viewer: EngineUser): boolean {
    return maySeeModule(viewer, "CREDIT", { entityId: this.granter.definition.id });
  }

  maySeeLimits(viewer: EngineUser): boolean {
    return viewer.permissions.has("Credit.View") && this.isKnownTo(viewer);
  }

  documents(): Reason[] {
    return this.obstacles.flatMap((obstacle) =>
      obstacle.kind === "documents" ? [this.#reason("documents", { documentation: obstacle.status })] : []
    );
  }

  limits(): Reason[] {
    return this.obstacles.flatMap((obstacle) => {
      if (obstacle.kind === "documents") return [];
      return [obstacle.kind === "no_limit" ? this.#reason("no_limit") : this.#reason("limit", figuresOf(obstacle))];
    });
  }

  /** Covers a limit that is used up and one that was never set. */
  limitUnseen(): Reason {
    return this.#reason("limit");
  }

  #reason(what: "documents" | "no_limit" | "limit", details: Partial<Reason> = {}): Reason {
    const reason: BlockReason = `${this.name}_${what}`;
    return { counterpartyId: this.counterpartyId, ...details, reason };
  }
}

function figuresOf({ usage, needed }: Extract<CreditObstacle, { kind: "limit" }>): Partial<Reason> {
  const { terms: { limitType, contract, limit }, used, available } = usage;
  const scope = contract === null ? "total" : "per_contract";
  return { limitType, scope, limit, used, available, needed, unit: CREDIT_LIMIT_UNITS[limitType] };
}
