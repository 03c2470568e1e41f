// The audit trail, and the history of one order, from the audit store.

import { z } from "zod";
import { tableStorageOf } from "../../core/audit/audit-reader.ts";
import type { AuditViewer } from "../../common/audit/audit-visibility.ts";
import { marketNow } from "../../core/backend/market-now.ts";
import { actingUserId } from "../../core/backend/acting-user.ts";
import type { AuditPage, AuditQuery, OrderEventsQuery, Permission } from "../../protocol/index.ts";
import { MAX_ID_LENGTH } from "../../protocol/limits.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { ToolError } from "../../core/error.ts";
import { holdersOf, permissionHint } from "../../core/guardrails/requirements.ts";
import { idField, limitField, textField } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { didYouMean, suggestedIds } from "../toolkit/meaning.ts";
import { checkNames, declaredNames, storedText } from "./audit-names.ts";
import { columnsField, commonTerms, detailField, shownEvent, shownEventSchema, shownInHistory } from "./audit-view.ts";
import { emptyHistory } from "./order-history.ts";
import { dayNamed, dayRange } from "./time-range.ts";

/** Events of one order in one answer. The cursor gives the next page. */
const ORDER_EVENTS_PAGE = 50;
/** Characters in the name of a refused order: two ids, the prefix and the separators. */
export const MAX_ORDER_NAME_LENGTH = 2 * MAX_ID_LENGTH + 20;

/** The name of a refused order begins with it. */
export const REFUSED = "refused:";

const VIEW = "Market.View";
const OPERATE = "Market.Operate";
/** How a user without Market.Operate finds the history of an order. */
const AUDIT_LOG_INSTEAD =
  "A user with Market.View reads an order's events with mkt_get_audit_log, moduleType ORDER and the orderId as moduleId, or " +
  "for a refused order event orderRejected and its name as search.";

const cursorField = z.string().min(1).max(2000).regex(/^[\x21-\x7e]+$/, "is not a cursor from an answer").describe(
  "cursor of the previous answer",
);

const pageFields = {
  count: z.int(),
  events: z.array(shownEventSchema),
  hasMore: z.boolean().describe("More events, or days not searched yet"),
  cursor: z.string().nullable(),
  range: z.record(z.string(), z.unknown()),
  note: z.string().optional(),
};

const getAuditLog = defineTool({
  name: "mkt_get_audit_log",
  title: "Audit log",
  description:
    "Searches the audit trail of whole UTC days, newest first: who did what to which module. Needs audit storage " +
    "and Market.View, others' credit Scope.Global, no connection.",
  input: z.strictObject({
    moduleType: idField("Such as ORDER").optional(),
    moduleId: idField("Such as ORD-1").optional(),
    event: idField("Such as orderQueued").optional(),
    startTime: idField("ISO time or date, -30m, -1h, -7d, today; a week if absent").optional(),
    endTime: idField("The same; now if absent").optional(),
    limit: limitField(50, 200),
    search: textField("In details and ids").optional(),
    cursor: cursorField.optional(),
    fields: columnsField.optional(),
    detail: detailField.optional(),
  }),
  output: () => z.looseObject(pageFields),
  annotations: READ_ONLY,
  requires: { permissions: [VIEW] },
  handler: async ({ startTime, endTime, fields, detail, search, ...filters }, context) => {
    const { from, to } = dayRange(startTime, endTime, await marketNow(context));
    const query = { ...declaredNames(filters), ...(search !== undefined && { search: storedText(search) }), from, to };
    const viewer = await viewerWith(VIEW, context);
    const { events, hasMore, cursor, range } = await context.audit.query(query, viewer ?? undefined, context.signal);
    const foundNothing = events.length === 0 && !hasMore && query.cursor === undefined;
    if (foundNothing) checkNames(query);
    return {
      count: events.length,
      hasMore,
      cursor,
      range,
      ...(foundNothing && { note: nothingFound(query, context) }),
      events: events.map((event) => shownEvent(event, { fields, detail })),
    };
  },
});

function nothingFound({ moduleId, from, to }: AuditQuery, { snapshot }: ToolContext): string {
  const isUnknown = moduleId !== undefined && snapshot.get("ORDER", moduleId) === undefined;
  const meant = isUnknown ? didYouMean(suggestedIds(snapshot, "ORDER", moduleId)) : "";
  const refused = moduleId?.startsWith(REFUSED) ? "Give the name of a refused order as search. " : "";
  return `No event from ${from} to ${to} fits. ${refused}${meant}Earlier days are searched with startTime.`;
}

const getOrderEvents = defineTool({
  name: "mkt_get_order_events",
  title: "History of an order",
  description:
    "Gives what happened to one order, newest first, 50 events a page, of one UTC day or the last seven. Needs audit " +
    "storage and Market.Operate, but no connection.",
  input: z.strictObject({
    orderId: idField("For a refused order refused:USERID:CLIENTORDERID", MAX_ORDER_NAME_LENGTH),
    date: idField("UTC day, such as 2026-03-01, today").optional(),
    cursor: cursorField.optional(),
    detail: detailField.optional(),
  }),
  output: () =>
    z.looseObject({
      orderId: z.string(),
      contractId: z.string().optional(),
      entityId: z.string().optional(),
      side: z.string().optional(),
      ...pageFields,
    }),
  annotations: READ_ONLY,
  requires: { permissions: [OPERATE], withoutPermission: AUDIT_LOG_INSTEAD },
  handler: async ({ orderId, date, cursor: after, detail }, context) => {
    const day = date === undefined ? undefined : dayNamed("date", date, await marketNow(context));
    const { events, hasMore, cursor, range } = await orderEvents(orderId, { date: day, cursor: after }, context);
    const foundNothing = events.length === 0 && !hasMore && after === undefined;
    return {
      orderId,
      ...commonTerms(events),
      count: events.length,
      hasMore,
      cursor,
      range,
      ...(foundNothing && { note: await emptyHistory({ orderId, date: day, range }, context) }),
      events: events.map((event) => shownInHistory(event, { detail })),
    };
  },
});

/** Throws ToolError. A refusal for lack of permission names the tool that shows the same events. */
async function orderEvents(
  orderId: string,
  query: Omit<OrderEventsQuery, "limit">,
  context: ToolContext,
): Promise<AuditPage> {
  try {
    await viewerWith(OPERATE, context);
    return await context.audit.orderEvents(orderId, { ...query, limit: ORDER_EVENTS_PAGE }, context.signal);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "forbidden" || !error.message.includes(OPERATE)) throw error;
    throw new ToolError("forbidden", error.message, `${error.hint} ${AUDIT_LOG_INSTEAD}`, { cause: error });
  }
}

/**
 * The acting user, if this process must check permissions: table storage has no users, while a backend checks them
 * itself. Permissions come from the session, or without a connection from the backend's list of users. Null if the
 * backend keeps the trail, or if no store is configured. Throws ToolError `forbidden`, and the errors of the look-up.
 */
async function viewerWith(permission: Permission, context: ToolContext): Promise<AuditViewer | null> {
  const { configuration, pubsub } = context;
  if (configuration.audit.store === "backend" || tableStorageOf(configuration) === null) return null;
  const userId = actingUserId(context);
  const { session } = pubsub;
  const user = session === null
    ? (await context.backend.users(context.signal)).find(({ id }) => id === userId)
    : { entityId: session.entityId, permissions: session.capabilities };
  if (user?.permissions.includes(permission)) {
    return { entityId: user.entityId, permissions: new Set(user.permissions) };
  }
  const missing = `User ${userId} lacks the permission ${permission}.${holdersOf(permission, context)}`;
  throw new ToolError("forbidden", missing, permissionHint(permission, context));
}

export default [getAuditLog, getOrderEvents];
