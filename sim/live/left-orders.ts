// Makes sure that no order of a simulator is open at the engine, whatever was confirmed and whoever was connected: looks
// for orders whose clientOrderId begins with the simulator's mark, and cancels what is open as the user whose order it is.
//
// Each look is a new snapshot, taken after every connection of the simulator was closed.

import type { ModuleData } from "../../protocol/modules/registry.ts";
import { EngineConnection, type EngineConnectionOptions } from "./engine-connection.ts";
import { readSnapshot } from "./market-snapshot.ts";
import { ownFrames } from "./own-frames.ts";

export interface LeftOrdersOptions extends Omit<EngineConnectionOptions, "userId" | "cancelOnDisconnect" | "listener"> {
  /** Who looks: a user who sees every order, or all users whose orders there may be. */
  readonly watchers: readonly string[];
  /** What the clientOrderIds of the simulator's orders begin with. */
  readonly mark: string;
}

type Order = ModuleData<"ORDER">;

const LOOKS = 5;

/** Gives the number of orders that were cancelled. Throws an Error of one line where it can't be known that none is left. */
export async function cancelLeftOrders(options: LeftOrdersOptions, patienceMs: number): Promise<number> {
  const deadline = performance.now() + patienceMs;
  let cancelled = 0;
  for (let look = 0; look < LOOKS; look++) {
    const left = await openOrders(options, deadline);
    if (left.length === 0) return cancelled;
    for (const [userId, orders] of Map.groupBy(left, (order) => order.userId)) {
      cancelled += await cancelAs(options, userId, orders, deadline);
    }
  }
  throw new Error(`orders of the simulator are still open after they were cancelled ${LOOKS} times`);
}

async function openOrders(options: LeftOrdersOptions, deadline: number): Promise<Order[]> {
  const reader = ownFrames(options.reader, options.mark);
  const found = new Map<string, Order>();
  for (const userId of options.watchers) {
    for (const { type, data } of await readSnapshot({ ...options, userId, reader }, leftMs(deadline))) {
      if (type !== "ORDER" || data === null || data.closeReason !== null) continue;
      if (data.clientOrderId.startsWith(options.mark)) found.set(data.id, data);
    }
  }
  return [...found.values()];
}

async function cancelAs(
  options: LeftOrdersOptions,
  userId: string,
  orders: readonly Order[],
  deadline: number,
): Promise<number> {
  const began = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const connection = new EngineConnection({
    ...options,
    userId,
    reader: ownFrames(options.reader, options.mark),
    cancelOnDisconnect: false,
    listener: { state: () => {}, began: began.resolve, ended: () => ended.resolve() },
  });
  const overdue = setTimeout(ended.resolve, leftMs(deadline));
  connection.open();
  await Promise.race([began.promise, ended.promise]);
  let cancelled = 0;
  let waiting = orders.length;
  for (const { id: orderId } of orders) {
    const isSent = connection.send("order.cancel", { orderId }, `${options.mark}left-${orderId}`, ({ kind }) => {
      if (kind === "ok") cancelled += 1;
      waiting -= 1;
      if (waiting === 0) ended.resolve();
    });
    if (!isSent) ended.resolve();
  }
  await ended.promise;
  clearTimeout(overdue);
  await connection.close();
  return cancelled;
}

function leftMs(deadline: number): number {
  return Math.max(0, deadline - performance.now());
}
