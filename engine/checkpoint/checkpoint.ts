// Writes the whole state of an engine as a sequence of JSON values, and reads it again.
//
// A checkpoint does not hold the market definition, except for the contracts, which change over time. It does not hold
// state that follows from other state either: books and held orders are filled from the open orders. That restores them
// exactly, since priorities are unique and only grow. A new kind of state gets a row in SECTIONS.
//
// The remembered operations come in parts of their own, after the state with the names that they use. They are most of a
// day's data and never change, so a journal keeps those of earlier checkpoints (journal/checkpoint-files.ts). An engine that
// only replays calls may be restored without them: a journal has no call that repeats another.
//
// Invariant: an engine restored from a checkpoint gives the same executions as the one that wrote it, byte for byte.
//
// Cost: O(orders + trades), a part at a time.

import type { NamesPart, OperationLog, OperationsPart } from "../operations/operation-log.ts";
import { clearContracts } from "../state/contract-list.ts";
import { type EngineState, updateCreditStatus } from "../state/engine-state.ts";
import { restInBook, textsOf } from "../state/market-state.ts";
import { PAIRS, USAGE } from "./credit-sections.ts";
import { CONTRACTS, LISTINGS, MARKETS, NUMBERS, PARTIES, REJECTIONS } from "./market-sections.ts";
import { ORDERS, TRADES } from "./order-sections.ts";
import { ENTITY_POSITIONS, SETTLED, SPOT_PRICES, USER_POSITIONS } from "./position-sections.ts";
import type { Section } from "./section.ts";

/** In the order in which they are written and read: contracts before all that name them, orders before their trades. */
const SECTIONS = {
  numbers: NUMBERS,
  markets: MARKETS,
  listings: LISTINGS,
  contracts: CONTRACTS,
  parties: PARTIES,
  rejections: REJECTIONS,
  pairs: PAIRS,
  orders: ORDERS,
  trades: TRADES,
  usage: USAGE,
  userPositions: USER_POSITIONS,
  entityPositions: ENTITY_POSITIONS,
  spotPrices: SPOT_PRICES,
  settled: SETTLED,
};

type Sections = typeof SECTIONS;
type ItemOf<Name extends keyof Sections> = Sections[Name] extends Section<infer Item> ? Item : never;
type SectionItems = {
  [Name in keyof Sections]: readonly [section: Name, items: readonly ItemOf<Name>[]];
}[keyof Sections];

export type CheckpointPart =
  | { readonly kind: "state"; readonly sections: readonly SectionItems[] }
  | NamesPart
  | OperationsPart;

/** Items in a part, which is written at once. */
const PART_SIZE = 1000;

/** All parts but the operations. */
export function* checkpointOf(
  state: EngineState,
  operations: OperationLog,
): Generator<CheckpointPart, void, undefined> {
  let sections: SectionItems[] = [];
  let size = 0;
  for (const [name, section] of Object.entries<Section<unknown>>(SECTIONS)) {
    let items: unknown[] = [];
    sections.push([name, items] as unknown as SectionItems);
    for (const item of section.write(state)) {
      items.push(item);
      if (++size < PART_SIZE) continue;
      yield { kind: "state", sections };
      sections = [[name, items = []] as unknown as SectionItems];
      size = 0;
    }
  }
  yield { kind: "state", sections };
  yield operations.names();
}

/** Restores a checkpoint into the state of a new engine. Throws if the checkpoint belongs to another definition. */
export function applyCheckpoint(
  state: EngineState,
  operations: OperationLog,
  checkpoint: Iterable<CheckpointPart>,
): void {
  clearContracts(state);
  for (const part of checkpoint) {
    if (part.kind === "operations") operations.restore(part);
    else if (part.kind === "names") operations.restoreNames(part);
    else for (const section of part.sections) readSection(state, section);
  }
  updateCreditStatus(state);
  sortOrders(state);
  placeOpenOrders(state);
}

function readSection(state: EngineState, [name, items]: SectionItems): void {
  const section: Section<unknown> = SECTIONS[name];
  for (const item of items) section.read(state, item);
}

/** Orders are written in the order in which they were closed; the state has them in the order of acceptance. */
function sortOrders({ orders }: EngineState): void {
  const inOrder = [...orders].sort((a, b) => a.key - b.key);
  orders.clear();
  for (const order of inOrder) orders.add(order);
}

function placeOpenOrders({ openOrders, contracts }: EngineState): void {
  for (const order of [...openOrders].sort((a, b) => a.priority - b.priority)) {
    if (order.status === "held") order.contract.heldOrders.set(order.key, order);
    else restInBook(order);
  }
  for (const contract of contracts.values()) textsOf(contract).book.read(contract.book);
}
