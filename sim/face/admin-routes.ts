// The HTTP routes of the engine. Each one but /health asks, in this order, for the bearer token (401), a known acting
// user (403 unknown_user), the permission (403 forbidden) and a query that fits (400, naming each parameter).

import { type Context, Hono } from "hono";
import { z } from "zod";
import type { Logger } from "../../core/logger.ts";
import {
  ACTING_USER_HEADER,
  type AuditPage,
  auditRequest,
  type entitiesResponse,
  type errorResponse,
  type healthResponse,
  orderEventsRequest,
  PATHS,
  type Permission,
  type usersResponse,
} from "../../core/protocol/index.ts";
import { ToolError } from "../../core/tools/error.ts";
import type { EngineUser } from "../engine/execution.ts";
import { mayReadAudit } from "../../core/audit/audit-visibility.ts";
import { bearerToken, tokenFits } from "./bearer.ts";
import type { EngineHost } from "./engine-host.ts";
import type { UnknownMessages } from "./unknown-messages.ts";

export interface AdminRoutesOptions {
  readonly host: EngineHost;
  readonly engineId: string;
  readonly token: string | null;
  readonly unknown: UnknownMessages;
  readonly log: Logger;
}

type Status = 400 | 401 | 403 | 404 | 500;

/** Refuses a request: the one way out of a route but its answer. */
class Refusal extends Error {
  constructor(readonly status: Status, readonly code: string, message: string) {
    super(message);
  }
}

const auditQuery = z.strictObject(auditRequest.shape);
const orderEventsQuery = z.strictObject(orderEventsRequest.shape);

export function adminRoutes({ host, engineId, token, unknown, log }: AdminRoutesOptions): Hono {
  const app = new Hono();

  /** The acting user, who holds `permission`. */
  const acting = (context: Context, permission: Permission): EngineUser => {
    if (!tokenFits(token, bearerToken(context.req.header("Authorization")))) {
      throw new Refusal(401, "unauthorized", "the bearer token is missing or wrong");
    }
    const userId = context.req.header(ACTING_USER_HEADER);
    const user = userId === undefined ? undefined : host.user(userId);
    if (user === undefined) {
      const reason = userId === undefined ? `the header ${ACTING_USER_HEADER} is missing` : `no user "${userId}"`;
      throw new Refusal(403, "unknown_user", reason);
    }
    if (!user.permissions.has(permission)) {
      throw new Refusal(403, "forbidden", `user "${user.id}" lacks the permission ${permission}`);
    }
    return user;
  };

  app.get(PATHS.health, (context) => {
    const facts = { connections: host.connections, unknownMessages: unknown.count };
    return context.json({ status: "ok", engineId, ...facts } satisfies z.input<typeof healthResponse>);
  });

  app.get(PATHS.entities, (context) => {
    acting(context, "Market.View");
    return context.json({ entities: host.entities() } satisfies z.input<typeof entitiesResponse>);
  });

  app.get(PATHS.users, (context) => {
    acting(context, "Market.View");
    return context.json({ users: host.users() } satisfies z.input<typeof usersResponse>);
  });

  app.get(PATHS.audit, async (context) => {
    const user = acting(context, "Market.View");
    const query = parseQuery(auditQuery, context);
    if (query.from > query.to) throw new Refusal(400, "invalid_query", `from: ${query.from} is after to, ${query.to}`);
    const page = await host.audit.query(query, (event) => mayReadAudit(user, event));
    return context.json(page satisfies AuditPage);
  });

  app.get("/api/admin/orders/:orderId/events", async (context) => {
    acting(context, "Market.Operate");
    const query = parseQuery(orderEventsQuery, context);
    const page = await host.audit.orderEvents(context.req.param("orderId"), query);
    return context.json(page satisfies AuditPage);
  });

  app.notFound((context) => refused(context, 404, "not_found", `no route ${context.req.method} ${context.req.path}`));

  app.onError((error, context) => {
    if (error instanceof Refusal) return refused(context, error.status, error.code, error.message);
    if (error instanceof ToolError) return refused(context, 400, "invalid_query", error.message);
    log.error("a route failed", { path: context.req.path, error: error.stack ?? error.message });
    return refused(context, 500, "internal", "the engine failed on this request");
  });

  return app;
}

function parseQuery<Schema extends z.ZodType>(schema: Schema, context: Context): z.output<Schema> {
  const parsed = schema.safeParse(context.req.query());
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    const names = issue.code === "unrecognized_keys" ? issue.keys : issue.path.map(String);
    return `${names.join(", ")}: ${issue.code === "unrecognized_keys" ? "no such parameter" : issue.message}`;
  });
  throw new Refusal(400, "invalid_query", faults.join("; "));
}

function refused(context: Context, status: Status, code: string, message: string): Response {
  if (status === 401) context.header("WWW-Authenticate", "Bearer");
  return context.json({ error: { code, message } } satisfies z.input<typeof errorResponse>, status);
}
