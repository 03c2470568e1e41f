// What the acting user's entity has in the market: open orders, fills, and its position in a contract. Each is read again soon
// after an event of the entity, since the market's events don't have all of it.

import { useEffect, useRef } from "preact/hooks";
import type { OrderEventData, TradeEventData } from "../../contract/events.ts";
import type { PositionRow, PositionsResult } from "../../contract/tool-results.ts";
import { market, onEvents } from "../live/market-store.ts";
import { readAllPages } from "../live/paged-reads.ts";
import { usePolled } from "../live/polled.ts";
import { readTool } from "../live/server.ts";
import type { FeedEvent } from "../../contract/update.ts";
import type { OpenOrder, TradeSide } from "./deed.ts";

/** A busy entity's rows are read at most once in this time. */
const READ_MS = 1_000;
/** Without an event. Profit changes with prices. */
const QUIET_MS = 10_000;
const FILLS = 20;
/** Contracts of the entity among which that of the page is looked for. */
const POSITIONS = 1_000;

const ORDER_FIELDS: readonly (keyof OpenOrder)[] = [
  "contractId",
  "userId",
  "side",
  "price",
  "quantity",
  "filledQuantity",
  "remainingQuantity",
  "status",
];
const OPEN = { value: ["working", "partial", "held"], operator: "in" };

/** An execution of an order of the entity: cents/MWh, MW. */
export interface OwnFill {
  readonly id: string;
  readonly orderId: string;
  readonly contractId: string;
  readonly counterpartyId: string;
  readonly side: TradeSide;
  readonly price: number;
  readonly quantity: number;
  readonly time: string;
}

const FILL_FIELDS: readonly (keyof OwnFill)[] = [
  "orderId",
  "contractId",
  "counterpartyId",
  "side",
  "price",
  "quantity",
  "time",
];

/** All open orders that fit, newest first. Throws as readTool. */
export async function openOrders(
  filters: { readonly entityId?: string; readonly userId?: string; readonly contractId?: string },
  signal?: AbortSignal,
): Promise<readonly OpenOrder[]> {
  const given = {
    moduleType: "ORDER",
    filters: { ...filters, status: OPEN },
    fields: ORDER_FIELDS,
    sort: "-createdAt",
  };
  return await readAllPages<OpenOrder>("mkt_find_modules", "modules", given, signal);
}

/** Open orders of the entity; `contractId` null: in every contract. */
export function useOwnOrders(entityId: string, contractId: string | null) {
  return useOwn(
    entityId,
    contractId,
    (signal) => openOrders({ entityId, ...(contractId !== null && { contractId }) }, signal),
  );
}

/** The newest fills of the entity, newest first. */
export function useOwnFills(entityId: string, contractId: string | null) {
  return useOwn(entityId, contractId, async (signal) => {
    const filters = { entityId, ...(contractId !== null && { contractId }) };
    const given = { moduleType: "FILL", filters, fields: FILL_FIELDS, sort: "-time", limit: FILLS };
    return (await readTool<{ readonly modules: readonly OwnFill[] }>("mkt_find_modules", given, signal)).modules;
  });
}

/** The entity's position in the contract; `position` null: it has never traded it. */
export function useOwnPosition(entityId: string, contractId: string) {
  return useOwn(entityId, contractId, async (signal): Promise<{ readonly position: PositionRow | null }> => {
    const given = { entityId, positions: true, limit: POSITIONS };
    const { positions } = await readTool<PositionsResult>("mkt_get_entity", given, signal);
    return { position: positions.find((each) => each.contractId === contractId) ?? null };
  });
}

function useOwn<Value>(entityId: string, contractId: string | null, read: (signal: AbortSignal) => Promise<Value>) {
  const isConnected = market.connection.value?.status === "connected";
  const polled = usePolled(read, `${entityId} ${contractId} ${isConnected}`, QUIET_MS);
  const reload = useRef(polled.reload);
  reload.current = polled.reload;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = null;
        reload.current();
      }, READ_MS);
    };
    const end = onEvents((events, { isWhole }) => {
      if (isWhole || events.some((event) => concerns(event, entityId, contractId))) soon();
    });
    return () => {
      end();
      if (timer !== null) clearTimeout(timer);
    };
  }, [entityId, contractId]);
  return polled;
}

/** Whether an order or a trade of the entity has changed; `contractId` null: of any contract. */
function concerns({ type, category, data }: FeedEvent, entityId: string, contractId: string | null): boolean {
  const { contractId: of, entityId: owner } = data as unknown as OrderEventData;
  if (contractId !== null && of !== contractId) return false;
  if (type !== "new.trade") return (category === "order" || category === "fill") && owner === entityId;
  const { buyEntityId, sellEntityId } = data as unknown as TradeEventData;
  return buyEntityId === entityId || sellEntityId === entityId;
}
