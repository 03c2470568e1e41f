// The next request of a simulated client. Prices and quantities are few and close together, so that orders match. Some
// requests are invalid on purpose.

import type { Action } from "../../../protocol/index.ts";
import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { ENTITIES } from "./market.ts";

export interface Intention {
  readonly action: Action;
  readonly payload: Record<string, unknown>;
}

/** What a client knows when it chooses a request. */
export interface Knowledge {
  readonly entityId: string | null;
  /** Ids of the entity's orders, open or closed, oldest first. */
  readonly orderIds: readonly string[];
}

export function traderIntention(random: SeededRandom, { entityId, orderIds }: Knowledge): Intention {
  const choice = random.next();
  const orderId = orderIds[Math.max(orderIds.length - random.integer(1, 6), 0)];
  if (choice < 0.16 && orderId !== undefined) return { action: "order.cancel", payload: { orderId } };
  if (choice < 0.34 && orderId !== undefined) return modification(random, orderId);
  if (choice < 0.42 && entityId !== null) return creditChange(random, entityId);
  if (choice < 0.45) return { action: "order.cancel", payload: { orderId: "ORD-1" } };
  return submission(random);
}

export function operatorIntention(random: SeededRandom): Intention {
  const choice = random.next();
  if (choice < 0.35) return { action: "market.halt", payload: { reason: "simulated" } };
  if (choice < 0.9) return { action: "market.resume", payload: {} };
  return { action: "engine.flush", payload: { engineId: random.next() < 0.5 ? "ENG-N-H12" : "ENG-S-PK" } };
}

/** The same request with other content in fields of its action. */
export function conflicting({ action, payload }: Intention): Record<string, unknown> {
  if (action === "order.cancel") return { orderId: "ORD-999999" };
  return { ...payload, reason: "another", price: 11, quantity: 7, limit: 0.5, notes: "another", preview: true };
}

function submission(random: SeededRandom): Intention {
  const half = random.next() < 0.3;
  const wrong = random.next();
  const contractId = wrong < 0.02 ? "NOWHERE" : half ? "S-PK" : "N-H12";
  const off = wrong > 0.97 ? 0.1 : 0;
  const payload = {
    contractId,
    side: random.integer(0, 1),
    price: half ? 5 * random.integer(-1, 3) : random.integer(-2, 3) * 10,
    quantity: (half ? random.integer(1, 12) / 2 : random.integer(1, 8)) + off,
    timeInForce: random.next() < 0.3 ? "day" : "gtc",
    ...bounds(random, half),
  };
  return { action: "order.submit", payload };
}

function modification(random: SeededRandom, orderId: string): Intention {
  if (random.next() < 0.4) return { action: "order.modify", payload: { orderId, quantity: random.integer(1, 3) } };
  const payload: Record<string, unknown> = { orderId, ...bounds(random, random.next() < 0.3) };
  if (random.next() < 0.3) payload["price"] = random.integer(-2, 3) * 10;
  if (random.next() < 0.8) payload["quantity"] = random.integer(1, 7);
  return { action: "order.modify", payload };
}

/** Dollars, close to the notional of an order; `half` is for the longer contract. */
function bounds(random: SeededRandom, half: boolean): { bounds?: { maxNotional: number } } {
  if (random.next() < 0.6) return {};
  return { bounds: { maxNotional: random.integer(0, half ? 60 : 20) / 10 } };
}

function creditChange(random: SeededRandom, entityId: string): Intention {
  const others = ENTITIES.filter((id) => id !== entityId);
  const counterpartyId = others[random.integer(0, others.length - 1)] ?? "";
  if (random.next() < 0.4) {
    const status = ["docs_in_place", "docs_in_place", "pending", "no_docs"][random.integer(0, 3)];
    return { action: "credit.setDocumentation", payload: { entityId, counterpartyId, status } };
  }
  const kind = random.integer(0, 2);
  const contractId = random.next() < 0.5 ? "N-H12" : "S-PK";
  const limits = [
    {
      limitType: "notional",
      scope: "total",
      limit: random.integer(0, 90),
      marginPercent: random.next() < 0.5 ? 50 : 100,
    },
    { limitType: "mw", scope: "per_contract", contractId, limit: random.integer(2, 60) },
    { limitType: "mwh", scope: "total", limit: random.integer(10, 900) },
  ];
  return { action: "credit.setLimit", payload: { entityId, counterpartyId, ...limits[kind] } };
}
