// Adds and removes contracts. They are added when the market begins and when a listing rule is due, and removed some
// time after their delivery.
//
// Invariants: the key of a removed contract is given to a later one, so there are never more keys than contracts at one
// time. A serial is never used twice; contracts are ordered by it everywhere. A removed contract has no open orders,
// uses no credit, and is named by no limit.

import { contractsListedBy } from "../definition/listed-contracts.ts";
import { nextListingAfter } from "../market/listing-rule.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import type { LimitTerms } from "../market/credit-limit.ts";
import { invariant } from "../market/invariant.ts";
import { PartyIndexedBook } from "../market/party-indexed-book.ts";
import { kilowattsOf, minutesOf, multipleNearestToZero } from "../market/units.ts";
import type { EngineState } from "./engine-state.ts";
import { settlePositions } from "./entity-positions.ts";
import { type ContractState, openOrderCountOf, UNCHANGED } from "./market-state.ts";
import type { EntityState } from "./party-state.ts";
import { required } from "./required.ts";

/** A credit limit that is removed because its contract is. */
export interface DroppedLimit {
  readonly entity: EntityState;
  readonly counterparty: EntityState;
  readonly terms: LimitTerms;
}

/** Adds a contract after all others, expired or delivered if the state's time says so. `numbers`: from before a restart. */
export function addContract(
  state: EngineState,
  definition: MarketDefinition["contracts"][number],
  numbers: Pick<ContractState, "key" | "serial"> = { key: freeKey(state), serial: ++state.counters.contract },
): ContractState {
  const product = required(state.products.find(({ id }) => id === definition.productId), "product");
  const market = required(state.markets.get(product.marketId), "market");
  const deliveryStart = Date.parse(definition.deliveryStart);
  const deliveryEnd = Date.parse(definition.deliveryEnd);
  const contract: ContractState = {
    ...numbers,
    id: definition.id,
    bookId: `ENG-${definition.id}`,
    queueId: `QUE-${definition.id}`,
    definition,
    product,
    market,
    deliveryStart,
    deliveryEnd,
    minutes: minutesOf(definition.hours),
    lot: required(kilowattsOf(product.lot) ?? undefined, "lot in whole kW"),
    book: new PartyIndexedBook(state.slots),
    heldOrders: new Map(),
    expired: deliveryStart <= state.now,
    delivered: deliveryEnd <= state.now,
    lastPrice: null,
    tradedQuantity: 0,
    userPositions: new Map(),
    entityPositions: new Map(),
    spotPrices: { sum: 0, count: 0 },
    bookUpdatedAt: state.now,
    queueUpdatedAt: state.now,
    bookChangedIn: UNCHANGED,
    queueChangedIn: UNCHANGED,
    texts: null,
  };
  market.contracts.push(contract);
  state.contractsByKey[contract.key] = contract;
  state.contracts.set(contract.id, contract);
  state.contractsByBook.set(contract.bookId, contract);
  if (!contract.expired) listForCredit(state, contract);
  return contract;
}

/** A contract without an allowed price can't be traded. */
function listForCredit({ ledger }: EngineState, { key, minutes, lot, product }: ContractState): void {
  const leastPrice = multipleNearestToZero(product.tick, product.minimumPrice, product.maximumPrice);
  if (leastPrice !== null) ledger.listContract({ key, minutes, lot, leastPrice });
}

/** Adds the contracts that the listing rules list by the state's time and that are not listed yet, product by product. */
export function listDue(state: EngineState): ContractState[] {
  const listed: ContractState[] = [];
  for (const rule of state.listings) {
    if (rule.next > state.now) continue;
    for (const definition of contractsListedBy(rule.listing, state.now)) {
      if (state.contracts.has(definition.id)) continue;
      const contract = addContract(state, definition);
      state.deadlines.add(contract);
      listed.push(contract);
    }
    rule.next = nextListingAfter(rule.listing.rule, state.now);
  }
  state.nextListing = Math.min(...state.listings.map(({ next }) => next));
  return listed;
}

/**
 * Removes a contract, which must have no open orders, and the credit limits that name it; returns those limits. Its
 * positions become part of the settled results. The caller removes its closed orders, fills and trades.
 */
export function removeContract(state: EngineState, contract: ContractState): DroppedLimit[] {
  invariant(openOrderCountOf(contract) === 0, "a contract that is removed has no open orders");
  settlePositions(state, contract);
  const { contracts } = contract.market;
  contracts.splice(contracts.indexOf(contract), 1);
  state.contractsByKey[contract.key] = undefined;
  state.contracts.delete(contract.id);
  state.contractsByBook.delete(contract.bookId);
  return state.ledger.closeContract(contract.key).map(({ party, counterparty, terms }) => ({
    entity: required(state.parties[party], "entity"),
    counterparty: required(state.parties[counterparty], "entity"),
    terms,
  }));
}

/** Removes all contracts of a new state, before those of a checkpoint are added. */
export function clearContracts(state: EngineState): void {
  for (const { key } of state.contracts.values()) state.ledger.closeContract(key);
  for (const market of state.markets.values()) market.contracts.length = 0;
  state.contractsByKey.length = 0;
  state.contracts.clear();
  state.contractsByBook.clear();
  state.deadlines.clear();
}

function freeKey({ contractsByKey }: EngineState): number {
  const free = contractsByKey.indexOf(undefined);
  return free < 0 ? contractsByKey.length : free;
}
