// The audit trail of an order. Who may not read it by the order's id finds its events in the audit log, as far as they may.

import type { OrderAuditEvent, OrderEventsResult } from "../../../contract/tool-results.ts";
import { readTool, RequestError } from "../../live/server.ts";

/** Of 50 events. */
const MAX_PAGES = 6;

/** The newest events, newest first. Throws what `readTool` throws. */
export async function readOrderTrail(orderId: string, signal: AbortSignal): Promise<OrderEventsResult> {
  try {
    return await readPages("mkt_get_order_events", { orderId, detail: "full" }, orderId, signal);
  } catch (error) {
    if (!(error instanceof RequestError) || error.report.code !== "forbidden") throw error;
    const given = { moduleType: "ORDER", moduleId: orderId, limit: 50, detail: "full" };
    return await readPages("mkt_get_audit_log", given, orderId, signal);
  }
}

async function readPages(
  tool: string,
  given: Readonly<Record<string, unknown>>,
  orderId: string,
  signal: AbortSignal,
): Promise<OrderEventsResult> {
  const events: OrderAuditEvent[] = [];
  let page = await readTool<OrderEventsResult>(tool, given, signal);
  events.push(...page.events);
  for (let pages = 1; page.cursor !== null && page.hasMore && pages < MAX_PAGES; pages++) {
    page = await readTool<OrderEventsResult>(tool, { ...given, cursor: page.cursor }, signal);
    events.push(...page.events);
  }
  return { ...page, orderId, events };
}
