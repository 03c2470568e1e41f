// What keeps an order from trading with those of one counterparty, as far as a user may see it.
//
// Not visible to a user: without Market.View, whose orders they are, and what is below the levels that a book shows; without
// Scope.Global, documents of two other entities, and limits that other entities grant; without Credit.View, figures of limits.
//
// Invariant: an answer never says more about these than the order shows by not trading. So an unseen reason is named only
// while the market matches, without figures, and only if nothing that the user may know explains the order.
// Otherwise orders that can't trade could be used to search for another entity's limits or orders, at no risk.
//
// Cost: O(limits of the pair) if there is a reason; O(1) otherwise.

import { CREDIT_LIMIT_UNITS } from "../../protocol/modules/registry.ts";
import type { BlockReason, OrderBlock } from "../../protocol/index.ts";
import type { CreditObstacle } from "../market/credit-obstacles.ts";
import type { EngineUser } from "../api/market-engine.ts";
import { maySeeDocumentation, maySeeModule } from "../api/visibility.ts";
import type { EngineState } from "../state/engine-state.ts";
import { isMatching, type Order } from "../state/market-state.ts";
import type { EntityState } from "../state/party-state.ts";

/** A reason, without its quantity and price. */
export type Reason = Omit<OrderBlock, "quantity" | "price" | "contractId">;

interface Question {
  readonly state: EngineState;
  readonly order: Order;
  readonly viewer: EngineUser;
}

/** `price`: of a trade with the counterparty, in cents/MWh. Empty if nothing prevents it, or nothing that may be named. */
export function reasonsAgainst(
  { state: { ledger }, order, viewer }: Question,
  counterparty: EntityState,
  price: number,
): Reason[] {
  const { entity, contract } = order;
  const { lot } = contract;
  const counterpartyId = counterparty.definition.id;
  if (counterparty === entity) return [{ counterpartyId, reason: "self_trade" }];
  if (ledger.availableCredit(entity.party, counterparty.party, contract, price) >= lot) return [];
  const unseen = (reasons: Reason[]) => isMatching(contract) ? reasons : [];
  const isShown = maySeeModule(viewer, "ORDER", { entityId: counterpartyId });
  if (!isShown || !maySeeDocumentation(viewer, entity.definition.id, counterpartyId)) {
    return unseen([{ counterpartyId: isShown ? counterpartyId : null, reason: "documents_or_credit" }]);
  }
  const obstacles = (granter: EntityState, grantee: EntityState) =>
    ledger.obstacles(granter.party, grantee.party, contract, price, lot);
  const sides = [
    new SideReasons("entity", entity, counterpartyId, obstacles(entity, counterparty)),
    new SideReasons("counterparty", counterparty, counterpartyId, obstacles(counterparty, entity)),
  ];
  const visible = [
    ...sides.flatMap((side) => side.documents()),
    ...sides.flatMap((side) => side.maySeeLimits(viewer) ? side.limits() : []),
  ];
  if (visible.length > 0) return visible;
  const blocking = sides.filter((side) => side.limits().length > 0);
  const own = blocking.filter((side) => side.isKnownTo(viewer));
  return unseen((own.length > 0 ? own : blocking).map((side) => side.limitUnseen()));
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

  /** Does not tell a limit that is used up from one that was never set. */
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
