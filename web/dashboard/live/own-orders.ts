// The open orders that the acting entity has in a contract, read again soon after one of them has changed.

import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { OwnOrders } from "../../components/order-book.tsx";
import type { OrderEventData } from "../../contract/events.ts";
import { market, onEvents } from "./market-store.ts";
import { readTool } from "./server.ts";

/** A busy entity's orders are read at most once in this time. */
const READ_MS = 1_000;
const MAX_ORDERS = 1_000;
const NONE: OwnOrders = { bids: new Map(), asks: new Map() };

interface Found {
  readonly modules: readonly {
    readonly side: "BUY" | "SELL";
    readonly price: number;
    readonly remainingQuantity: number;
  }[];
}

export function useOwnOrders(contractId: string): OwnOrders {
  const entityId = market.connection.value?.entityId ?? null;
  const orders = useMemo(() => signal(NONE), [contractId, entityId]);
  useEffect(() => entityId === null ? undefined : watch(contractId, entityId, orders), [orders]);
  return orders.value;
}

function watch(contractId: string, entityId: string, orders: Signal<OwnOrders>): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let hasEnded = false;
  const read = async () => {
    timer = null;
    const found = await openOrders(contractId, entityId);
    if (!hasEnded) orders.value = found;
  };
  const soon = () => void (timer ??= setTimeout(() => void read(), READ_MS));
  const end = onEvents((events, { isWhole }) => {
    if (isWhole || events.some(({ category, data }) => category === "order" && isOwn(data, contractId, entityId))) {
      soon();
    }
  });
  void read();
  return () => {
    hasEnded = true;
    end();
    if (timer !== null) clearTimeout(timer);
  };
}

function isOwn(data: Readonly<Record<string, unknown>>, contractId: string, entityId: string): boolean {
  const order = data as unknown as OrderEventData;
  return order.contractId === contractId && order.entityId === entityId;
}

async function openOrders(contractId: string, entityId: string): Promise<OwnOrders> {
  try {
    const { modules } = await readTool<Found>("mkt_find_modules", {
      moduleType: "ORDER",
      filters: { contractId, entityId, status: { value: ["working", "partial"], operator: "in" } },
      fields: ["side", "price", "remainingQuantity"],
      limit: MAX_ORDERS,
    });
    const own = { bids: new Map<number, number>(), asks: new Map<number, number>() };
    for (const { side, price, remainingQuantity } of modules) {
      const levels = side === "BUY" ? own.bids : own.asks;
      levels.set(price, (levels.get(price) ?? 0) + remainingQuantity);
    }
    return own;
  } catch {
    // Marks in the ladder are an extra: without a connection, or without the right to see orders, there are none.
    return NONE;
  }
}
