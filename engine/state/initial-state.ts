// The state of a new engine, from a checked market definition: no orders and no trades; credit and documents as defined;
// the contracts that are listed at that time. A contract whose delivery has begun is expired from the start. An unknown
// id throws; check-definition.ts has found those before.

import { type ClockSetting, REAL_CLOCK } from "../../protocol/index.ts";
import type { DocumentationStatus } from "../../protocol/modules/registry.ts";
import { contractsAt, listingsOf } from "../definition/listed-contracts.ts";
import { nextListingAfter } from "../market/listing-rule.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import { CreditLedger } from "../market/credit-ledger.ts";
import type { LimitTerms } from "../market/credit-limit.ts";
import { PagedSlots } from "../market/paged-slots.ts";
import { sessionAt } from "../market/session-schedule.ts";
import { audiencesOfEntity } from "../api/visibility.ts";
import { ClosedOrders } from "./closed-orders.ts";
import { ContractDeadlines } from "./contract-deadlines.ts";
import { addContract } from "./contract-list.ts";
import { type EngineState, type PairState, pairState, type Retention, updateCreditStatus } from "./engine-state.ts";
import { type MarketState, UNCHANGED } from "./market-state.ts";
import type { EntityState, UserState } from "./party-state.ts";
import { OpenOrders } from "./open-orders.ts";
import { OrderTable } from "./order-table.ts";
import { Queue } from "./queue.ts";
import { required } from "./required.ts";
import { jsonOf } from "../text/text-writer.ts";

export interface StateOptions {
  /** The clock in microseconds when this history of events began. */
  readonly epoch: number;
  /** Market time, in milliseconds since the epoch. */
  readonly now: number;
  /** REAL_CLOCK if absent. */
  readonly clock?: ClockSetting;
  readonly engineId: string;
  /** DEFAULT_RETENTION if absent. A journal must always be replayed with the same. */
  readonly retention?: Retention;
}

export const DEFAULT_RETENTION: Retention = { closedOrders: 10_000, trades: 10_000 };

export function createState(
  definition: MarketDefinition,
  { engineId, epoch, now, clock = REAL_CLOCK, retention = DEFAULT_RETENTION }: StateOptions,
): EngineState {
  const markets = marketsOf(definition, now);
  const entities = entitiesOf(definition);
  const ledger = new CreditLedger(entities.length);
  const orders = new OrderTable();
  const listings = listingsOf(definition).map((listing) => ({ listing, next: nextListingAfter(listing.rule, now) }));
  const state: EngineState = {
    engineId,
    epoch,
    sequence: epoch,
    now,
    // Real time is unknown until the first call, unless it is market time.
    realNow: clock.mode === "real" ? now : 0,
    clock,
    markets,
    products: definition.products,
    contracts: new Map(),
    contractsByKey: [],
    contractsByBook: new Map(),
    entities: new Map(entities.map((entity) => [entity.definition.id, entity])),
    parties: entities,
    users: usersOf(definition, entities),
    ledger,
    pairs: pairsOf(entities, now),
    transactions: 0,
    orders,
    slots: new PagedSlots(),
    openOrders: new OpenOrders(orders),
    closedOrders: new ClosedOrders(),
    rejections: new Map(),
    retention,
    trades: new Queue(),
    counters: { order: 0, priority: 0, fill: 0, trade: 0, audit: 0, contract: 0 },
    deadlines: new ContractDeadlines(),
    listings,
    nextListing: Math.min(...listings.map(({ next }) => next)),
  };
  for (const contract of contractsAt(definition, now)) state.deadlines.add(addContract(state, contract));
  grantCredit(state, definition);
  updateCreditStatus(state);
  return state;
}

function marketsOf(definition: MarketDefinition, now: number): Map<string, MarketState> {
  return new Map(definition.markets.map((market) => [market.id, {
    definition: market,
    contracts: [],
    session: market.schedule === null ? null : sessionAt(market.schedule, market.timezone, now),
    halted: false,
    haltReason: null,
  }]));
}

function entitiesOf({ entities, users }: MarketDefinition): EntityState[] {
  return entities.map((definition, party) => ({
    party,
    definition,
    userIds: users.filter(({ entityId }) => entityId === definition.id).map(({ id }) => id),
    creditStatus: "none",
    settled: { contracts: 0, cash: 0, profit: 0n },
    idText: jsonOf(definition.id),
    idInString: jsonOf(definition.id).slice(1, -1),
    audiences: audiencesOfEntity(definition.id),
    creditChangedIn: UNCHANGED,
  }));
}

function usersOf({ users }: MarketDefinition, entities: readonly EntityState[]): Map<string, UserState> {
  return new Map(users.map(({ id, name, entityId, permissions }, number) => [id, {
    id,
    name,
    entityId,
    permissions: new Set(permissions),
    connected: false,
    number,
    entity: entities.find(({ definition }) => definition.id === entityId) ?? null,
    exposure: { openOrders: 0, openNotional: 0 },
    ownerText: `${jsonOf(entityId)},"userId":${jsonOf(id)}`,
  }]));
}

function pairsOf(entities: readonly EntityState[], now: number): PairState[] {
  return entities.flatMap((entity) =>
    entities.map((counterparty) => ({
      entity,
      counterparty,
      notes: null,
      updatedAt: now,
      tradable: false,
      changedIn: UNCHANGED,
    }))
  );
}

interface PairCredit {
  readonly limits: MarketDefinition["credit"][number]["limits"];
  readonly documentation: DocumentationStatus;
  readonly notes?: string;
}

function grantCredit(state: EngineState, definition: MarketDefinition): void {
  const defined = new Map(definition.credit.map((credit) => [`${credit.entityId}:${credit.counterpartyId}`, credit]));
  for (const entity of state.parties) {
    for (const counterparty of state.parties) {
      const pair = `${entity.definition.id}:${counterparty.definition.id}`;
      const credit: PairCredit | undefined = defined.get(pair) ?? definition.creditDefaults;
      if (credit === undefined || entity === counterparty) continue;
      const terms = credit.limits.map((limit) => termsOf(state, limit));
      state.ledger.replaceLimits(entity.party, counterparty.party, terms);
      state.ledger.setDocumentation(entity.party, counterparty.party, credit.documentation);
      pairState(state, entity, counterparty).notes = credit.notes ?? null;
    }
  }
}

function termsOf(state: EngineState, limit: PairCredit["limits"][number]): LimitTerms {
  const contract = limit.contractId === undefined
    ? null
    : required(state.contracts.get(limit.contractId), "contract").key;
  return { limitType: limit.limitType, contract, limit: limit.limit, marginPercent: limit.marginPercent };
}
