// Makes sure that no order of a simulator is open at the engine, confirmed or not. Each search takes a new snapshot, after all
// connections of the simulator were closed, and looks for open orders whose clientOrderId begins with the simulator's prefix.
// Each order found is cancelled as the user it belongs to.

import type { ModuleData } from "../../protocol/modules/registry.ts";
import { readSnapshot } from "./market-snapshot.ts";
import { personaFrames } from "./persona-frames.ts";
import { type EngineAccess, userClient } from "./user-client.ts";

interface RemainingOrdersOptions extends EngineAccess {
  /** The user who searches, and sees every order. */
  readonly watcher: string;
  /** What the clientOrderIds of the simulator's orders begin with. */
  readonly idPrefix: string;
}

type Order = ModuleData<"ORDER">;

const MAX_SEARCHES = 5;

/** Returns the number of cancelled orders. Throws an Error of one line if it can't find out that no order remains. */
export async function cancelRemainingOrders(options: RemainingOrdersOptions, patienceMs: number): Promise<number> {
  const deadline = performance.now() + patienceMs;
  const access = { ...options, reader: personaFrames(options.reader, options.idPrefix) };
  let cancelled = 0;
  for (let search = 0; search < MAX_SEARCHES; search++) {
    const remaining = await openOrders(access, deadline);
    if (remaining.length === 0) return cancelled;
    for (const [userId, orders] of Map.groupBy(remaining, (order) => order.userId)) {
      cancelled += await cancelAs(access, userId, orders, deadline);
    }
  }
  throw new Error(`orders of the simulator are still open after they were cancelled ${MAX_SEARCHES} times`);
}

async function openOrders(access: RemainingOrdersOptions, deadline: number): Promise<Order[]> {
  const modules = await readSnapshot(access, access.watcher, leftMs(deadline));
  const orders = modules.flatMap(({ type, data }) => type === "ORDER" && data !== null ? [data] : []);
  return orders.filter((order) => order.closeReason === null && order.clientOrderId.startsWith(access.idPrefix));
}

async function cancelAs(
  access: RemainingOrdersOptions,
  userId: string,
  orders: readonly Order[],
  deadline: number,
): Promise<number> {
  const connected = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const client = userClient(access, {
    userId,
    listener: { state: () => {}, synchronized: () => connected.resolve(), ended: () => ended.resolve() },
  });
  const overdue = setTimeout(ended.resolve, leftMs(deadline));
  client.open();
  await Promise.race([connected.promise, ended.promise]);
  const outcomes = Promise.all(
    orders.map(({ id: orderId }) =>
      client.request("order.cancel", { orderId }, { operationId: `${access.idPrefix}left-${orderId}` })
    ),
  );
  await Promise.race([outcomes, ended.promise]);
  clearTimeout(overdue);
  // Settles the requests that are still pending.
  await client.close();
  return (await outcomes).filter(({ kind }) => kind === "ok").length;
}

function leftMs(deadline: number): number {
  return Math.max(0, deadline - performance.now());
}
