// The orders that were open at an earlier time, from those that are open now and the events since.
//
// An event of the audit trail tells the terms of its order as the event left them. So an order was what its newest event up to
// the time says. If that is older than the events that are known, its oldest event after the time tells what it was before;
// and if there is none, the order has not changed and is what it is now.
//
// An order of which only the end is known was in the book if its market matched. Otherwise it may have waited (`isHeld`) or
// rested: it counts as unsure.

import { BUY, SELL } from "../../../../protocol/sides.ts";
import type { OpenOrder, PastEvent } from "../../../contract/past.ts";
import { amount, text } from "../event-words.ts";

interface OrdersThen {
  readonly orders: readonly OpenOrder[];
  /** Orders of which it is unknown whether they were in the book. They are none of `orders`. */
  readonly unsure: readonly OpenOrder[];
}

/** What an order was. */
type State =
  | { readonly kind: "open" | "unsure"; readonly order: OpenOrder }
  | { readonly kind: "none" };

const NONE: State = { kind: "none" };

/**
 * `events`: newest first, all that there were after `at` (milliseconds), and perhaps some before it. `hasMatched`: whether the
 * market of a contract matched then; null if unknown.
 */
export function ordersThen(
  at: number,
  now: readonly OpenOrder[],
  events: readonly PastEvent[],
  hasMatched: (contractId: string) => boolean | null,
): OrdersThen {
  const states = new Map<string, State>();
  const later = new Map<string, PastEvent>();
  const isSettled = new Set<string>();
  for (const event of events) {
    const { orderId } = event;
    if (orderId === null || !isOfOrder(event) || isSettled.has(orderId)) continue;
    if (Date.parse(event.time) > at) {
      states.set(orderId, before(event, later.get(orderId)));
      later.set(orderId, event);
    } else {
      states.set(orderId, after(event));
      isSettled.add(orderId);
    }
  }
  const orders = now.filter(({ id }) => !states.has(id));
  const unsure: OpenOrder[] = [];
  for (const state of states.values()) {
    if (state.kind === "none") continue;
    const isSure = state.kind === "open" || hasMatched(state.order.contractId) === true;
    (isSure ? orders : unsure).push(state.order);
  }
  return { orders, unsure };
}

function isOfOrder({ event }: PastEvent): boolean {
  return event !== "orderRejected" && event.startsWith("order");
}

function after(event: PastEvent): State {
  const { details } = event;
  const order = orderOf(event, amount(details, "price"), amount(details, "quantity"), filledOf(event));
  const status = text(details, "status");
  return status === "cancelled" || order.quantity === 0 ? NONE : open(order, status === "held");
}

/** `later`: the next event of the order, if it is known. */
function before(event: PastEvent, later: PastEvent | undefined): State {
  const { details } = event;
  const [price, quantity, filled] = [amount(details, "price"), amount(details, "quantity"), filledOf(event)];
  switch (event.event) {
    case "orderQueued":
      return NONE;
    case "orderFilled":
      return open(orderOf(event, price, quantity, filled - (amount(details, "fillQuantity") ?? 0)), false);
    case "orderReleased":
      return open(orderOf(event, price, quantity, filled), true);
    case "orderModified": {
      const order = orderOf(event, amount(details, "previousPrice"), amount(details, "previousQuantity"), filled);
      // A change that makes an order wait is followed by orderHeld.
      return open(order, text(details, "status") === "held" && later?.event !== "orderHeld");
    }
    case "orderHeld":
      return open(orderOf(event, price, quantity, filled), false);
    default:
      return { kind: "unsure", order: orderOf(event, price, quantity, filled) };
  }
}

function open(order: OpenOrder, isHeld: boolean): State {
  return { kind: "open", order: { ...order, isHeld } };
}

function filledOf({ details }: PastEvent): number {
  return amount(details, "filledQuantity") ?? 0;
}

function orderOf(
  { orderId, entityId, details }: PastEvent,
  price: number | null,
  quantity: number | null,
  filled: number,
): OpenOrder {
  return {
    id: orderId ?? "",
    contractId: text(details, "contractId") ?? "",
    entityId: entityId ?? "",
    side: text(details, "side") === "BUY" ? BUY : SELL,
    price: price ?? 0,
    quantity: toKilowatts((quantity ?? 0) - filled),
    isHeld: false,
  };
}

/** As the market counts. */
export function toKilowatts(megawatts: number): number {
  return Math.round(megawatts * 1_000) / 1_000;
}
