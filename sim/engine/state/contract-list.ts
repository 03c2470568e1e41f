// Which contracts a market has: they are added when the market begins or a listing rule says so, and removed some time
// after their delivery.
//
// Invariants: a contract's key is free again once it is removed, so keys stay as few as there are contracts at a time;
// its serial is never used twice and gives the order of contracts everywhere. A contract that is removed has no open
// order, uses no credit, and no limit names it.

import { contractsListedBy, nextListingOf } from "../../definition/listed-contracts.ts";
import type { MarketDefinition } from "../../definition/market-definition.ts";
import type { LimitTerms } from "../../market/credit-limit.ts";
import { PartyIndexedBook } from "../../market/party-indexed-book.ts";
import { kilowattsOf, minutesOf } from "../../market/units.ts";
import { type ContractState, type EngineState, type EntityState, required } from "./engine-state.ts";

/** A credit limit that goes with the contract that it names. */
export interface DroppedLimit {
  readonly entity: EntityState;
  readonly counterparty: EntityState;
  readonly terms: LimitTerms;
}

/** What a checkpoint says of a contract beside its definition. */
export interface ContractPlace {
  readonly key: number;
  readonly serial: number;
}

/** Adds a contract as of the state's time, after all others; `place`: the one that it had before a restart. */
export function addContract(
  state: EngineState,
  definition: MarketDefinition["contracts"][number],
  place: ContractPlace = { key: freeKey(state), serial: ++state.counters.contract },
): ContractState {
  const product = required(state.products.find(({ id }) => id === definition.productId), "product");
  const market = required(state.markets.get(product.marketId), "market");
  const deliveryStart = Date.parse(definition.deliveryStart);
  const deliveryEnd = Date.parse(definition.deliveryEnd);
  const contract: ContractState = {
    ...place,
    id: definition.id,
    engineId: `ENG-${definition.id}`,
    queueId: `QUE-${definition.id}`,
    definition,
    product,
    market,
    deliveryStart,
    deliveryEnd,
    minutes: minutesOf(definition.hours),
    lot: required(kilowattsOf(product.lot) ?? undefined, "lot in whole kW"),
    book: new PartyIndexedBook(),
    heldOrders: new Map(),
    expired: deliveryStart <= state.now,
    delivered: deliveryEnd <= state.now,
    lastPrice: null,
    tradedQuantity: 0,
    positions: new Map(),
    bookUpdatedAt: state.now,
    queueUpdatedAt: state.now,
  };
  market.contracts.push(contract);
  state.contractList[contract.key] = contract;
  state.contracts.set(contract.id, contract);
  state.contractsByEngine.set(contract.engineId, contract);
  return contract;
}

/** Adds everything that rules list by the state's time and that is not there yet, product by product. */
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
    rule.next = nextListingOf(rule.listing, state.now);
  }
  state.nextListing = Math.min(...state.listings.map(({ next }) => next));
  return listed;
}

/** Removes a contract, and the credit limits that name it. Its closed orders, fills and trades are for the caller. */
export function removeContract(state: EngineState, contract: ContractState): DroppedLimit[] {
  if (contract.book.orderCount + contract.heldOrders.size > 0) throw new Error(`${contract.id} has open orders`);
  const { contracts } = contract.market;
  contracts.splice(contracts.indexOf(contract), 1);
  state.contractList[contract.key] = undefined;
  state.contracts.delete(contract.id);
  state.contractsByEngine.delete(contract.engineId);
  return state.ledger.closeContract(contract.key).map(({ party, counterparty, terms }) => ({
    entity: required(state.parties[party], "entity"),
    counterparty: required(state.parties[counterparty], "entity"),
    terms,
  }));
}

/** Removes all contracts of a new state, whose place those of a checkpoint take. */
export function clearContracts(state: EngineState): void {
  for (const market of state.markets.values()) market.contracts.length = 0;
  state.contractList.length = 0;
  state.contracts.clear();
  state.contractsByEngine.clear();
  state.deadlines.clear();
}

function freeKey({ contractList }: EngineState): number {
  const free = contractList.indexOf(undefined);
  return free < 0 ? contractList.length : free;
}
