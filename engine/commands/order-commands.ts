// order.submit, order.modify, order.cancel.
//
// The order of the checks: the user's entity, existence, the order's entity, then its state. A rejected submission
// creates no order; rejected-orders.ts says what it leaves. A rejected change or cancel leaves nothing.
//
// A change that only lowers the quantity keeps the order's time priority. Any other change counts as arriving now: the
// order is matched, or, while matching pauses, held behind all others. `quantity` is the whole ordered quantity, so it
// must exceed what is filled.

import type { ActionPayload } from "../../protocol/index.ts";
import { kilowattsOf, megawattsOf } from "../market/units.ts";
import type { OpenOrderLimits } from "../api/market-engine.ts";
import { notFound, rejected, type Rejection } from "../api/outcome.ts";
import { isoTime } from "../../common/iso-time.ts";
import {
  type ClosedOrderCode,
  type ClosedOrderRefusal,
  confirmed,
  type OperationOutcome,
} from "../operations/operation-outcome.ts";
import { type ContractState, marketStatusOf, type Order, type OrderTerms } from "../state/market-state.ts";
import { orderKeyOf } from "../state/ids.ts";
import type { UserState } from "../state/party-state.ts";
import { checkBounds, maxNotionalAfter } from "../trading/order-bounds.ts";
import { acceptOrder, closeOrder, reduceOrder, replaceOrder } from "../trading/order-lifecycle.ts";
import type { Transaction } from "../transaction/transaction.ts";
import type { CommandContext } from "./command-context.ts";
import { checkOpenOrders } from "./open-order-limits.ts";
import { marketClosed, ofAnotherEntity } from "./refusals.ts";
import { recordRejection, refusedTerms } from "./rejected-orders.ts";

type SubmitPayload = ActionPayload<"order.submit">;
type ModifyPayload = ActionPayload<"order.modify">;

export function submitOrder(
  transaction: Transaction,
  payload: SubmitPayload,
  context: CommandContext,
): OperationOutcome {
  return outcomeOf(placeOrder(transaction, payload, context));
}

export function modifyOrder(
  transaction: Transaction,
  payload: ModifyPayload,
  { user }: CommandContext,
): OperationOutcome {
  return outcomeOf(changeOrder(transaction, payload, user));
}

/** As `order.submit`, but gives the order itself. */
export function placeOrder(
  transaction: Transaction,
  payload: SubmitPayload,
  { user, operationId, limits }: Omit<CommandContext, "secret">,
): Order | Rejection {
  const clientOrderId = payload.clientOrderId ?? operationId;
  const submission = checkSubmission(transaction, user, payload, clientOrderId, limits);
  if ("code" in submission) {
    recordRejection(transaction, user, refusedTerms(payload, operationId), submission);
    return submission;
  }
  return acceptOrder(transaction, submission);
}

/** As `order.modify`, but gives the order itself. */
export function changeOrder(
  transaction: Transaction,
  payload: ModifyPayload,
  user: UserState,
): Order | Rejection | ClosedOrderRefusal {
  const order = transaction.state.orders.withId(payload.orderId);
  if (order === undefined) return orderNotFound(transaction, payload.orderId, "not_modifiable");
  if (order.entity !== user.entity) return ofAnotherEntity(order, user, "changed");
  if (payload.price === undefined && payload.quantity === undefined) {
    return rejected("invalid_payload", "Give a new price, a new quantity, or both.");
  }
  if (order.closeReason !== null) return alreadyClosed(order, "not_modifiable");
  if (marketStatusOf(order.contract.market) === "closed") return marketClosed(order.contract);
  const price = payload.price ?? order.price;
  const quantity = payload.quantity === undefined ? order.quantity : kilowattsOf(payload.quantity);
  const terms = checkTerms(order.contract, price, quantity);
  if ("code" in terms) return terms;
  if (terms.quantity <= order.filledQuantity) {
    const filled = megawattsOf(order.filledQuantity);
    return rejected("invalid_quantity", `${filled} MW of order ${order.id} are filled: give more, or cancel the rest.`);
  }

  if (price === order.price && terms.quantity <= order.quantity) {
    if (terms.quantity < order.quantity) reduceOrder(transaction, order, terms.quantity);
    return order;
  }
  const { contract, entity, user: owner, side } = order;
  const changed = { contract, entity, user: owner, side, ...terms };
  const exceeded = checkBounds(changed, payload.bounds, order);
  if (exceeded !== null) return exceeded;
  replaceOrder(transaction, order, terms.price, terms.quantity, maxNotionalAfter(payload.bounds, order));
  return order;
}

export function cancelOrder(
  transaction: Transaction,
  { orderId }: ActionPayload<"order.cancel">,
  { user }: CommandContext,
): OperationOutcome {
  const order = transaction.state.orders.withId(orderId);
  if (order === undefined) return orderNotFound(transaction, orderId, "not_cancellable");
  if (order.entity !== user.entity && !user.permissions.has("Market.Operate")) {
    return ofAnotherEntity(order, user, "cancelled");
  }
  if (order.closeReason !== null) return alreadyClosed(order, "not_cancellable");
  closeOrder(transaction, order, "cancelled");
  return confirmed(order);
}

function alreadyClosed(order: Order, code: ClosedOrderCode): ClosedOrderRefusal {
  return { status: "rejected", code, order };
}

function outcomeOf(order: Order | Rejection | ClosedOrderRefusal): OperationOutcome {
  return "code" in order ? order : confirmed(order);
}

function checkSubmission(
  transaction: Transaction,
  user: UserState,
  payload: SubmitPayload,
  clientOrderId: string,
  limits: OpenOrderLimits,
): OrderTerms | Rejection {
  if (user.entity === null) return rejected("no_entity", `User ${user.id} belongs to no entity and can't trade.`);
  const contract = transaction.state.contracts.get(payload.contractId);
  if (contract === undefined) return notFound("contract", payload.contractId);
  const terms = checkTerms(contract, payload.price, kilowattsOf(payload.quantity));
  if ("code" in terms) return terms;
  if (contract.expired) {
    return rejected("contract_expired", `Delivery of ${contract.id} began at ${isoTime(contract.deliveryStart)}.`);
  }
  if (marketStatusOf(contract.market) === "closed") return marketClosed(contract);
  const submission: OrderTerms = {
    clientOrderId,
    contract,
    entity: user.entity,
    user,
    side: payload.side,
    price: terms.price,
    quantity: terms.quantity,
    timeInForce: payload.timeInForce,
    maxNotional: maxNotionalAfter(payload.bounds, null),
  };
  return checkOpenOrders(limits, contract, user) ??
    checkBounds(submission, payload.bounds, null) ?? submission;
}

/** Checks price and quantity (kW) against the contract. `quantity` null: not a whole number of kW. */
function checkTerms(
  { id, lot, product }: ContractState,
  price: number,
  quantity: number | null,
): { price: number; quantity: number } | Rejection {
  if (quantity === null || quantity % lot !== 0) {
    const given = quantity === null ? "is not a whole number of kW" : `is ${megawattsOf(quantity)} MW`;
    const near = quantity === null ? "" : `: ${nearestMultiples(quantity, lot, lot, Infinity, megawattsOf)}`;
    return rejected(
      "invalid_quantity",
      `The quantity ${given}; it must be a multiple of ${product.lot} MW, the lot of ${id}${near}.`,
    );
  }
  const { tick, minimumPrice, maximumPrice } = product;
  const isInRange = price >= minimumPrice && price <= maximumPrice;
  if (!isInRange || price % tick !== 0) {
    const near = isInRange ? `: ${nearestMultiples(price, tick, minimumPrice, maximumPrice)}` : "";
    return rejected(
      "invalid_price",
      `The price is ${price} cents/MWh; ${id} takes prices from ${minimumPrice} to ${maximumPrice} in multiples of ` +
        `${tick}, its tick${near}.`,
    );
  }
  return { price, quantity };
}

/** The multiples of a step next to a value, within bounds, as text such as "for example 5 or 10". */
function nearestMultiples(
  value: number,
  step: number,
  least: number,
  most: number,
  shown: (value: number) => number = (one) => one,
): string {
  const below = Math.floor(value / step) * step;
  const near = [below, below + step].filter((one) => one >= least && one <= most);
  return `for example ${near.map(shown).join(" or ")}`;
}

/** `code`: if the order existed. It has then been closed and forgotten. */
function orderNotFound({ state }: Transaction, orderId: string, code: ClosedOrderCode): Rejection {
  if (orderKeyOf(orderId) > state.counters.order) return notFound("order", orderId);
  return rejected(code, `Order ${orderId} has been closed; its history is in the audit trail.`);
}
