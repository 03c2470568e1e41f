// Compares the answers that an agent got about its orders with the orders that the engine has.

import type { EngineView } from "./engine-view.ts";
import type { Attempt, Trader } from "./trader.ts";

interface OrderCounts {
  readonly confirmed: number;
  readonly rejected: number;
  /** Timeouts whose order the engine has, and timeouts whose order it never received. */
  readonly takenAfterAll: number;
  readonly neverTaken: number;
}

/**
 * Throws if an order is duplicated, a confirmed order is missing, a refused order exists, a confirmed cancel has no effect, or
 * an order arrived later than the answer of a timeout allows.
 */
export function verdictOn({ modules }: EngineView, { attempts, cancelled, options: { userId } }: Trader): OrderCounts {
  const orders = [...modules.get("ORDER")?.values() ?? []].filter((order) => order["userId"] === userId);
  const byId = new Map(orders.map((order) => [order.id, order]));
  const byClientOrderId = new Map(orders.map((order) => [String(order["clientOrderId"]), order]));
  if (byClientOrderId.size !== orders.length) throw new Error(`orders of ${userId} are doubled`);
  const counts = { confirmed: 0, rejected: 0, takenAfterAll: 0, neverTaken: 0 };
  for (const attempt of attempts) {
    const { status, orderId, clientOrderId, idempotencyKey } = attempt;
    const order = byClientOrderId.get(clientOrderId ?? idempotencyKey ?? "");
    if (status === "success") {
      counts.confirmed += 1;
      if (order === undefined || order.id !== orderId) throw new Error(`the engine does not have ${answerIn(attempt)}`);
      if (!isOrderOf(attempt, order)) throw new Error(`${JSON.stringify(order)} is not ${answerIn(attempt)}`);
    } else if (status === "rejected") {
      counts.rejected += 1;
      if (order !== undefined) throw new Error(`the engine has ${order.id} in spite of ${answerIn(attempt)}`);
    } else if (order === undefined) counts.neverTaken += 1;
    else {
      counts.takenAfterAll += 1;
      if (Date.parse(String(order["createdAt"])) > latestEffectOf(attempt)) {
        throw new Error(`${order.id} came after its caller had ${answerIn(attempt)}`);
      }
    }
  }
  const known = counts.confirmed + counts.takenAfterAll;
  if (known !== orders.length) {
    throw new Error(`the engine has ${orders.length} orders of ${userId}, but the answers tell of ${known}`);
  }
  for (const id of cancelled) {
    if (byId.get(id)?.["status"] !== "cancelled") throw new Error(`${id} is not cancelled, as was confirmed`);
  }
  return counts;
}

function isOrderOf(attempt: Attempt, order: Readonly<Record<string, unknown>>): boolean {
  return order["contractId"] === attempt.contractId && order["price"] === attempt.price &&
    order["quantity"] === attempt.quantity && order["side"] === (attempt.side === "BUY" ? 0 : 1);
}

/** Until when an order that timed out may take effect, as its caller was told. */
function latestEffectOf(attempt: Attempt): number {
  const [, time] = /can't take effect after (\d[^\s"]*Z)/.exec(attempt.text) ?? [];
  if (time === undefined) throw new Error(`no limit in ${answerIn(attempt)}`);
  return Date.parse(time);
}

function answerIn({ text }: Attempt): string {
  return `the answer ${text}`;
}
