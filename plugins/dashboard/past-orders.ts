// GET /dashboard/past/orders (web/contract/past.ts): what the page goes back from. The orders are those of the snapshot; the
// route asks for Market.View, without which they would be the own ones only. The engine records a change before it tells of it.
// A trail in another store may be behind the snapshot: then the answer is a failure, because a change would be missed.

import { ToolError } from "../../core/error.ts";
import type { RouteContext, RouteRequest } from "../../core/routes/route.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { OpenOrder, PastStart } from "../../web/contract/past.ts";
import { moduleMeant } from "../toolkit/lookup.ts";
import { jsonAnswer } from "./json-answer.ts";
import { Trail } from "./past-trail.ts";

const MAX_ORDERS = 20_000;

/** Throws ToolError `not_found`, `limit_exceeded` or `backend_unavailable`, and what the tool throws. */
export async function pastStart({ url }: RouteRequest, { snapshot, callTool }: RouteContext): Promise<Response> {
  const named = url.searchParams.get("contract") ?? "";
  const equals = named === "" ? {} : { contractId: moduleMeant(snapshot, "CONTRACT", named).id };
  const known = snapshot.find("ORDER", { equals, limit: Infinity }).modules;
  const orders = known.filter(({ closeReason }) => closeReason === null);
  if (orders.length > MAX_ORDERS) {
    throw new ToolError("limit_exceeded", `There are more than ${MAX_ORDERS} open orders.`, "Ask for one contract.");
  }
  const books = snapshot.find("ENGINE", { equals, limit: Infinity }).modules;
  const lastPrices = books.flatMap(({ contractId, lastPrice }) => lastPrice === null ? [] : [[contractId, lastPrice]]);
  const markets = snapshot.find("MARKET", { limit: Infinity }).modules;
  // After the snapshot was looked at, so every change in it is among the events before `to`.
  const trail = new Trail(callTool);
  const { events: [newest] } = await trail.page({ limit: 1 });
  const recorded = newest?.time ?? "";
  if (known.some(({ updatedAt }) => updatedAt > recorded)) {
    throw new ToolError("backend_unavailable", "The audit trail is behind the market.", "Try again in some seconds.");
  }
  const changes = await trail.page({ moduleType: "MARKET" });
  const answer: PastStart = {
    orders: orders.map(openOrder),
    lastPrices: Object.fromEntries(lastPrices) as PastStart["lastPrices"],
    statuses: Object.fromEntries(markets.map(({ id, status }) => [id, status])),
    changes: changes.events,
    isCut: changes.cursor !== null,
    oldest: await trail.wholeSince(),
    to: newest === undefined ? null : new Date(Date.parse(newest.time) + 1).toISOString(),
  };
  return jsonAnswer(answer);
}

function openOrder(order: ModuleData<"ORDER">): OpenOrder {
  const { id, contractId, entityId, side, price, remainingQuantity: quantity, status } = order;
  return { id, contractId, entityId, side, price, quantity, isHeld: status === "held" };
}
