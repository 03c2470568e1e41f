// An engine's whole state as a sequence of JSON values, and back.
//
// The definition is not part of it, nor is what follows from the rest: the books and the queues of held orders are built
// from the open orders, used credit from the trades. That gives the same state, exactly: priorities are unique and only
// grow, so orders that are put back by priority stand as they stood, and usage is a sum.
//
// Invariant: an engine restored from an image gives the same executions as the one that was imaged, byte for byte.
//
// Cost: O(orders + fills + trades + operations), a part at a time. Orders are kept as tuples, since there are many.

import type { CloseReason, ModuleData, OrderStatus, Side } from "../../core/modules/registry.ts";
import type { LimitTerms } from "../market/credit-limit.ts";
import type { DocumentationStatus } from "../market/credit-ledger.ts";
import type { Session } from "../market/session-schedule.ts";
import { kilowattsOf } from "../market/units.ts";
import { type EngineState, type EntityState, type Order, type PairNotes, required } from "./engine-state.ts";
import type { OperationLog, OperationsPart } from "./idempotency.ts";
import { restInBook } from "./trading.ts";

export type ImagePart =
  | StatePart
  | { readonly kind: "orders"; readonly orders: readonly OrderTuple[] }
  | { readonly kind: "trades"; readonly trades: readonly ModuleData<"TRADE">[] }
  | { readonly kind: "fills"; readonly fills: readonly ModuleData<"FILL">[] }
  | OperationsPart;

/** Everything whose size the definition gives. Markets, contracts, parties and pairs in the definition's order. */
interface StatePart {
  readonly kind: "state";
  readonly sequence: number;
  readonly now: number;
  readonly counters: EngineState["counters"];
  readonly nextDelivery: number;
  readonly markets: readonly { session: Session | null; halted: boolean; haltReason: string | null }[];
  readonly contracts: readonly {
    expired: boolean;
    lastPrice: number | null;
    tradedQuantity: number;
    bookUpdatedAt: number;
    queueUpdatedAt: number;
  }[];
  readonly creditStatus: readonly EntityState["creditStatus"][];
  readonly connectedUsers: readonly string[];
  readonly pairs: readonly (PairNotes & { documentation: DocumentationStatus; limits: readonly LimitTerms[] })[];
}

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
];

const PART_SIZE = 1000;

export function* imageOf(state: EngineState, operations: OperationLog): Generator<ImagePart, void, undefined> {
  yield statePart(state);
  for (const orders of chunks(state.orders.values())) yield { kind: "orders", orders: orders.map(tupleOf) };
  for (const trades of chunks(state.trades.values())) yield { kind: "trades", trades };
  for (const fills of chunks(state.fills.values())) yield { kind: "fills", fills };
  yield* operations.image();
}

/** Brings a new engine's state to that of an image. */
export function applyImage(state: EngineState, operations: OperationLog, image: Iterable<ImagePart>): void {
  for (const part of image) {
    switch (part.kind) {
      case "state":
        applyState(state, part);
        break;
      case "orders":
        for (const tuple of part.orders) addOrder(state, orderOf(state, tuple));
        break;
      case "trades":
        for (const trade of part.trades) addTrade(state, trade);
        break;
      case "fills":
        for (const fill of part.fills) state.fills.set(fill.id, fill);
        break;
      case "operations":
      case "packedOperations":
        operations.restore(part);
    }
  }
  placeOpenOrders(state);
  for (const { kind, contract } of state.deliveries.slice(0, state.nextDelivery)) {
    if (kind === "end") state.ledger.release(contract.key);
  }
}

function statePart(state: EngineState): StatePart {
  const { sequence, now, counters, nextDelivery, parties, ledger } = state;
  return {
    kind: "state",
    sequence,
    now,
    counters: { ...counters },
    nextDelivery,
    markets: [...state.markets.values()].map(({ session, halted, haltReason }) => ({ session, halted, haltReason })),
    contracts: state.contractList.map(({ expired, lastPrice, tradedQuantity, bookUpdatedAt, queueUpdatedAt }) => ({
      expired,
      lastPrice,
      tradedQuantity,
      bookUpdatedAt,
      queueUpdatedAt,
    })),
    creditStatus: parties.map(({ creditStatus }) => creditStatus),
    connectedUsers: [...state.users.values()].filter(({ connected }) => connected).map(({ id }) => id),
    pairs: state.pairs.map(({ notes, updatedAt }, at) => {
      const [party, counterparty] = [Math.floor(at / parties.length), at % parties.length];
      const documentation = ledger.documentation(party, counterparty);
      return { notes, updatedAt, documentation, limits: ledger.limits(party, counterparty).map(termsOf) };
    }),
  };
}

function applyState(state: EngineState, part: StatePart): void {
  const { parties, ledger } = state;
  state.sequence = part.sequence;
  state.now = part.now;
  state.nextDelivery = part.nextDelivery;
  Object.assign(state.counters, part.counters);
  for (const [market, imaged] of paired([...state.markets.values()], part.markets, "markets")) {
    Object.assign(market, imaged);
  }
  for (const [contract, imaged] of paired(state.contractList, part.contracts, "contracts")) {
    Object.assign(contract, imaged);
  }
  for (const [entity, creditStatus] of paired(parties, part.creditStatus, "entities")) {
    entity.creditStatus = creditStatus;
  }
  for (const userId of part.connectedUsers) required(state.users.get(userId), `user ${userId}`).connected = true;
  for (const [at, [pair, imaged]] of paired(state.pairs, part.pairs, "pairs").entries()) {
    const [party, counterparty] = [Math.floor(at / parties.length), at % parties.length];
    pair.notes = imaged.notes;
    pair.updatedAt = imaged.updatedAt;
    ledger.setDocumentation(party, counterparty, imaged.documentation);
    ledger.replaceLimits(party, counterparty, imaged.limits);
  }
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
  ];
}

function orderOf(state: EngineState, tuple: OrderTuple): Order {
  const [key, clientOrderId, contract, party, userId, side, timeInForce, createdAt, ...changing] = tuple;
  const [price, quantity, filledQuantity, filledValue, priority, status, closeReason, updatedAt] = changing;
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
    priority,
    status,
    closeReason,
    updatedAt,
  };
}

function addOrder(state: EngineState, order: Order): void {
  state.orders.set(order.id, order);
  if (order.closeReason === null) state.openOrders.set(order.key, order);
}

/** Usage of delivered contracts is taken back at the end, as delivery did. */
function addTrade(state: EngineState, trade: ModuleData<"TRADE">): void {
  state.trades.set(trade.id, trade);
  const contract = required(state.contracts.get(trade.contractId), `contract ${trade.contractId}`);
  const [buyer, seller] = [trade.buyEntityId, trade.sellEntityId].map((id) =>
    required(state.entities.get(id), `entity ${id}`).party
  );
  const quantity = required(kilowattsOf(trade.quantity) ?? undefined, "quantity in whole kW");
  state.ledger.use(required(buyer, "buyer"), required(seller, "seller"), contract, trade.price, quantity);
}

function placeOpenOrders(state: EngineState): void {
  for (const order of [...state.openOrders.values()].sort((a, b) => a.priority - b.priority)) {
    if (order.status === "held") order.contract.heldOrders.set(order.key, order);
    else restInBook(order);
  }
}

function paired<One, Other>(ones: readonly One[], others: readonly Other[], what: string): [One, Other][] {
  if (ones.length !== others.length) {
    throw new Error(`the image has ${others.length} ${what}, the market definition ${ones.length}`);
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
