// An engine's whole state as a sequence of JSON values, and back.
//
// The definition is not part of it but for the contracts, which come and go; nor is what follows from the rest: the books and the queues of held orders are built
// from the open orders. That gives the same state, exactly: priorities are unique and only grow, so orders that are put
// back by priority stand as they stood. Closed orders come in the order in which they were closed, before the open ones.
//
// Invariant: an engine restored from a checkpoint gives the same executions as the one that was checkpointed, byte for byte.
//
// Cost: O(orders + fills + trades + operations), a part at a time. Orders are kept as tuples, since there are many.

import type { CloseReason, ModuleData, OrderStatus, Side } from "../../../protocol/modules/registry.ts";
import type { LimitTerms } from "../../market/credit-limit.ts";
import type { DocumentationStatus } from "../../market/credit-terms.ts";
import type { Session } from "../../market/session-schedule.ts";

import { addContract, clearContracts } from "../state/contract-list.ts";
import {
  type ContractState,
  type EngineState,
  type EntityState,
  type Order,
  type PairNotes,
  required,
} from "../state/engine-state.ts";
import { noteOpened, restorePosition } from "../state/open-orders.ts";
import type { OperationLog, OperationsPart } from "../operations/operation-log.ts";
import type { RecordedRefusals } from "../commands/refused-orders.ts";
import { restInBook } from "../trading/matching.ts";

export type CheckpointPart =
  | StatePart
  | { readonly kind: "orders"; readonly orders: readonly OrderTuple[] }
  | { readonly kind: "trades"; readonly trades: readonly ModuleData<"TRADE">[] }
  | { readonly kind: "fills"; readonly fills: readonly ModuleData<"FILL">[] }
  | { readonly kind: "usage"; readonly usage: readonly UsageTuple[] }
  | { readonly kind: "positions"; readonly positions: readonly PositionTuple[] }
  | OperationsPart;

/** A contract with its place and what has become of it, in the order of listing. */
interface CheckpointContract {
  readonly key: number;
  readonly serial: number;
  readonly definition: ContractState["definition"];
  readonly figures: ContractFigures;
}

type ContractFigures = Pick<
  ContractState,
  "expired" | "delivered" | "lastPrice" | "tradedQuantity" | "bookUpdatedAt" | "queueUpdatedAt"
>;

/** Everything whose size the definition gives. Markets, listings, parties and pairs in the definition's order. */
interface StatePart {
  readonly kind: "state";
  readonly epoch: number;
  readonly sequence: number;
  readonly now: number;
  readonly counters: EngineState["counters"];
  /** When each listing rule lists next. */
  readonly listings: readonly number[];
  readonly contracts: readonly CheckpointContract[];
  readonly markets: readonly { session: Session | null; halted: boolean; haltReason: string | null }[];
  readonly creditStatus: readonly EntityState["creditStatus"][];
  readonly connectedUsers: readonly string[];
  readonly refusals: readonly (readonly [userId: string, RecordedRefusals])[];
  readonly pairs: readonly (PairNotes & { documentation: DocumentationStatus; limits: readonly LimitTerms[] })[];
}

/** What the open trades of a contract use between two parties: kW, kW x min and cents/MWh x kW x min. */
type UsageTuple = readonly [
  contract: number,
  party: number,
  counterparty: number,
  quantity: string,
  energy: string,
  notional: string,
];

/** A user's net position in a contract, in kW. */
type PositionTuple = readonly [contract: number, userId: string, net: number];

type OrderTuple = readonly [
  key: number,
  clientOrderId: string,
  contract: number,
  party: number,
  userId: string,
  side: Side,
  timeInForce: Order["timeInForce"],
  createdAt: number,
  price: number,
  quantity: number,
  filledQuantity: number,
  filledValue: string,
  priority: number,
  status: OrderStatus,
  closeReason: CloseReason | null,
  updatedAt: number,
  filledNotional: string,
  maxNotional: string | null,
];

const PART_SIZE = 1000;

export function* checkpointOf(
  state: EngineState,
  operations: OperationLog,
): Generator<CheckpointPart, void, undefined> {
  yield statePart(state);
  for (const orders of chunks(ordersByClosing(state))) yield { kind: "orders", orders: orders.map(tupleOf) };
  for (const trades of chunks(state.trades.values())) yield { kind: "trades", trades };
  for (const fills of chunks(state.fills.values())) yield { kind: "fills", fills };
  for (const usage of chunks(usageOf(state))) yield { kind: "usage", usage };
  for (const positions of chunks(positionsOf(state))) yield { kind: "positions", positions };
  yield* operations.checkpoint();
}

/** Brings a new engine's state to that of a checkpoint. */
export function applyCheckpoint(
  state: EngineState,
  operations: OperationLog,
  checkpoint: Iterable<CheckpointPart>,
): void {
  clearContracts(state);
  for (const part of checkpoint) {
    switch (part.kind) {
      case "state":
        applyState(state, part);
        break;
      case "orders":
        for (const tuple of part.orders) addOrder(state, orderOf(state, tuple));
        break;
      case "trades":
        for (const trade of part.trades) state.trades.set(trade.id, trade);
        break;
      case "fills":
        for (const fill of part.fills) addFill(state, fill);
        break;
      case "usage":
        for (const tuple of part.usage) addUsage(state, tuple);
        break;
      case "positions":
        for (const tuple of part.positions) addPosition(state, tuple);
        break;
      case "operations":
      case "refusedOperations":
      case "packedOperations":
        operations.restore(part);
    }
  }
  const inOrder = [...state.orders.values()].sort((a, b) => a.key - b.key);
  state.orders.clear();
  for (const order of inOrder) state.orders.set(order.id, order);
  placeOpenOrders(state);
}

function statePart(state: EngineState): StatePart {
  const { epoch, sequence, now, counters, listings, parties, ledger } = state;
  return {
    kind: "state",
    epoch,
    sequence,
    now,
    counters: { ...counters },
    listings: listings.map(({ next }) => next),
    contracts: [...state.contracts.values()].map(checkpointedContract),
    markets: [...state.markets.values()].map(({ session, halted, haltReason }) => ({ session, halted, haltReason })),
    creditStatus: parties.map(({ creditStatus }) => creditStatus),
    connectedUsers: [...state.users.values()].filter(({ connected }) => connected).map(({ id }) => id),
    refusals: [...state.refusals],
    pairs: state.pairs.map(({ notes, updatedAt }, at) => {
      const [party, counterparty] = [Math.floor(at / parties.length), at % parties.length];
      const documentation = ledger.documentation(party, counterparty);
      return { notes, updatedAt, documentation, limits: ledger.limits(party, counterparty).map(termsOf) };
    }),
  };
}

function applyState(state: EngineState, part: StatePart): void {
  const { parties, ledger } = state;
  state.epoch = part.epoch;
  state.sequence = part.sequence;
  state.now = part.now;
  Object.assign(state.counters, part.counters);
  for (const [market, checkpointed] of paired([...state.markets.values()], part.markets, "markets")) {
    Object.assign(market, checkpointed);
  }
  for (const [listing, next] of paired(state.listings, part.listings, "listings")) listing.next = next;
  state.nextListing = Math.min(Infinity, ...part.listings);
  for (const contract of part.contracts) restoreContract(state, contract);
  for (const [entity, creditStatus] of paired(parties, part.creditStatus, "entities")) {
    entity.creditStatus = creditStatus;
  }
  for (const [userId, recorded] of part.refusals) state.refusals.set(userId, { ...recorded });
  for (const userId of part.connectedUsers) required(state.users.get(userId), `user ${userId}`).connected = true;
  for (const [at, [pair, checkpointed]] of paired(state.pairs, part.pairs, "pairs").entries()) {
    const [party, counterparty] = [Math.floor(at / parties.length), at % parties.length];
    pair.notes = checkpointed.notes;
    pair.updatedAt = checkpointed.updatedAt;
    ledger.setDocumentation(party, counterparty, checkpointed.documentation);
    ledger.replaceLimits(party, counterparty, checkpointed.limits);
  }
}

function checkpointedContract(contract: ContractState): CheckpointContract {
  const { key, serial, definition } = contract;
  const { expired, delivered, lastPrice, tradedQuantity, bookUpdatedAt, queueUpdatedAt } = contract;
  const figures = { expired, delivered, lastPrice, tradedQuantity, bookUpdatedAt, queueUpdatedAt };
  return { key, serial, definition, figures };
}

function restoreContract(state: EngineState, { key, serial, definition, figures }: CheckpointContract): void {
  const contract = addContract(state, definition, { key, serial });
  state.deadlines.add(Object.assign(contract, figures));
}

function termsOf({ limitType, contract, limit, marginPercent }: LimitTerms): LimitTerms {
  return { limitType, contract, limit, marginPercent };
}

function tupleOf(order: Order): OrderTuple {
  return [
    order.key,
    order.clientOrderId,
    order.contract.key,
    order.entity.party,
    order.userId,
    order.side,
    order.timeInForce,
    order.createdAt,
    order.price,
    order.quantity,
    order.filledQuantity,
    String(order.filledValue),
    order.priority,
    order.status,
    order.closeReason,
    order.updatedAt,
    String(order.filledNotional),
    order.maxNotional === null ? null : String(order.maxNotional),
  ];
}

function orderOf(state: EngineState, tuple: OrderTuple): Order {
  const [key, clientOrderId, contract, party, userId, side, timeInForce, createdAt, ...changing] = tuple;
  const [price, quantity, filledQuantity, filledValue, priority, status, closeReason, updatedAt, ...bound] = changing;
  const [filledNotional, maxNotional] = bound;
  return {
    clientOrderId,
    contract: required(state.contractList[contract], `contract ${contract}`),
    entity: required(state.parties[party], `entity ${party}`),
    userId,
    side,
    price,
    quantity,
    timeInForce,
    key,
    id: `ORD-${key}`,
    createdAt,
    filledQuantity,
    filledValue: BigInt(filledValue),
    filledNotional: BigInt(filledNotional),
    maxNotional: maxNotional === null ? null : BigInt(maxNotional),
    fillIds: [],
    priority,
    status,
    closeReason,
    updatedAt,
  };
}

function addOrder(state: EngineState, order: Order): void {
  state.orders.set(order.id, order);
  if (order.closeReason === null) noteOpened(state, order);
  else state.closedOrders.add(order);
}

function addFill(state: EngineState, fill: ModuleData<"FILL">): void {
  state.fills.set(fill.id, fill);
  required(state.orders.get(fill.orderId), `order ${fill.orderId}`).fillIds.push(fill.id);
}

function* positionsOf({ contractList }: EngineState): Generator<PositionTuple, void, undefined> {
  for (const contract of contractList) {
    if (contract === undefined) continue;
    const { key, positions } = contract;
    const held = [...positions].filter(([, { net }]) => net !== 0).sort(([a], [b]) => a < b ? -1 : 1);
    for (const [userId, { net }] of held) yield [key, userId, net];
  }
}

function addPosition({ contractList }: EngineState, [contract, userId, net]: PositionTuple): void {
  restorePosition(required(contractList[contract], `contract ${contract}`), userId, net);
}

function* ordersByClosing(state: EngineState): Generator<Order, void, undefined> {
  yield* state.closedOrders;
  yield* state.openOrders.values();
}

function* usageOf({ contractList, ledger }: EngineState): Generator<UsageTuple, void, undefined> {
  for (const contract of contractList) {
    if (contract === undefined) continue;
    const { key } = contract;
    for (const { party, counterparty, usage } of ledger.contractUsage(key)) {
      yield [key, party, counterparty, String(usage.quantity), String(usage.energy), String(usage.notional)];
    }
  }
}

function addUsage({ ledger }: EngineState, [contract, party, counterparty, ...sums]: UsageTuple): void {
  const [quantity, energy, notional] = sums;
  const usage = { quantity: BigInt(quantity), energy: BigInt(energy), notional: BigInt(notional) };
  ledger.addUsage(party, counterparty, contract, usage);
}

function placeOpenOrders(state: EngineState): void {
  for (const order of [...state.openOrders.values()].sort((a, b) => a.priority - b.priority)) {
    if (order.status === "held") order.contract.heldOrders.set(order.key, order);
    else restInBook(order);
  }
}

function paired<One, Other>(ones: readonly One[], others: readonly Other[], what: string): [One, Other][] {
  if (ones.length !== others.length) {
    throw new Error(`the checkpoint has ${others.length} ${what}, the market definition ${ones.length}`);
  }
  return ones.map((one, at) => [one, required(others[at], what)]);
}

function* chunks<Value>(values: Iterable<Value>): Generator<Value[], void, undefined> {
  let chunk: Value[] = [];
  for (const value of values) {
    chunk.push(value);
    if (chunk.length < PART_SIZE) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
