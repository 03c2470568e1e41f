// What every route under /api asks for before it does anything, in this order: the bearer token (401), an acting user that
// the token covers (403 user_not_covered) and the market knows (403 unknown_user), the user's rate (429 rate_limited), the
// permission (403 forbidden), a body of bounded size, time and shape (413, 408, 400), and a query or body that fits (400,
// naming each fault). Whatever is wrong is answered as `{ error: { code, message } }`.

import { type Context, Hono } from "hono";
import { z } from "zod";
import { bearerToken, type Connection } from "../../../common/http/bearer-auth.ts";
import { type RateLimit, TOO_MANY_FAILURES, tooMany } from "../../../common/http/rate-limit.ts";
import { bodyRefusal, readBody } from "../../../common/http/read-body.ts";
import { mayActAs, type TokenHolder, type TokenStore } from "../../../common/http/token-store.ts";
import { parseJson } from "../../../protocol/json.ts";
import type { Logger } from "../../../common/logger.ts";
import { ACTING_USER_HEADER, type errorResponse, type Permission } from "../../../protocol/index.ts";
import { AuditFailure } from "../../../common/audit/audit-failure.ts";
import type { EngineUser } from "../../engine/api/market-engine.ts";
import { ENGINE_LIMITS, type EngineLimits } from "../limits/engine-limits.ts";
import { faultOfShape } from "../limits/message-shape.ts";
import type { UserRates } from "../limits/user-rates.ts";

export interface RouteGuardOptions {
  readonly tokens: TokenStore;
  /** Of 401 answers to each address. */
  readonly failures: RateLimit;
  readonly user: (userId: string) => EngineUser | undefined;
  readonly rates: UserRates;
  readonly limits: EngineLimits;
  readonly log: Logger;
}

export type RefusalStatus = 400 | 401 | 403 | 404 | 408 | 409 | 413 | 429 | 500 | 503;

const BODY_DEADLINE_MS = 10_000;

/** Refuses a request: the one way out of a route but its answer. */
export class Refusal extends Error {
  constructor(
    readonly status: RefusalStatus,
    readonly code: string,
    message: string,
    /** When it may be asked again. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

export class RouteGuard {
  constructor(private readonly options: RouteGuardOptions) {}

  /** Routes whose refusals and failures are answered in one form. */
  routes(): Hono {
    const app = new Hono();
    app.notFound((context) => refused(context, 404, "not_found", `no route ${context.req.method} ${context.req.path}`));
    app.onError(async (error, context) => {
      if (error instanceof Refusal && error.status === 401) {
        const { address } = context.env as Connection;
        if (!await this.options.failures.admits(address)) return tooMany(context, TOO_MANY_FAILURES);
      }
      if (error instanceof Refusal) {
        const { retryAfterMs } = error;
        if (retryAfterMs !== null) context.header("Retry-After", String(Math.ceil(retryAfterMs / 1000)));
        return refused(context, error.status, error.code, error.message);
      }
      if (error instanceof AuditFailure) return refused(context, 400, "invalid_query", error.message);
      this.options.log.error("a route failed", { path: context.req.path, error: error.stack ?? error.message });
      return refused(context, 500, "internal", "the engine failed on this request");
    });
    return app;
  }

  /** Whose token the request brings. */
  holder(context: Context): TokenHolder {
    const holder = this.options.tokens.identify(bearerToken(context.req.header("Authorization")));
    if (holder === null) throw new Refusal(401, "unauthorized", "the bearer token is missing or wrong");
    return holder;
  }

  /** The acting user, who holds `permission`. */
  acting(context: Context, permission: Permission): EngineUser {
    const holder = this.holder(context);
    const { user: find } = this.options;
    const userId = context.req.header(ACTING_USER_HEADER);
    if (userId !== undefined && !mayActAs(holder, userId)) {
      throw new Refusal(403, "user_not_covered", `the token "${holder.name}" may not act as user "${userId}"`);
    }
    const user = userId === undefined ? undefined : find(userId);
    if (user === undefined) {
      const reason = userId === undefined ? `the header ${ACTING_USER_HEADER} is missing` : `no user "${userId}"`;
      throw new Refusal(403, "unknown_user", reason);
    }
    const rate = this.options.rates.of(user.id);
    const bytes = Number(context.req.header("Content-Length") ?? 0) || 0;
    const refusal = rate.takeBytes(bytes) ?? rate.takeMessage();
    if (refusal !== null) throw new Refusal(429, "rate_limited", refusal.message, refusal.retryAfterMs);
    if (!user.permissions.has(permission)) {
      throw new Refusal(403, "forbidden", `user "${user.id}" lacks the permission ${permission}`);
    }
    return user;
  }

  /** The body, JSON; an empty one counts as an empty object. */
  async body<Schema extends z.ZodType>(schema: Schema, context: Context): Promise<z.output<Schema>> {
    const text = await this.#bodyText(context);
    const body = text.trim() === "" ? {} : parseJson(text);
    if (body === undefined) throw new Refusal(400, "invalid_payload", "the body is not JSON");
    const fault = faultOfShape(body, this.options.limits);
    if (fault !== null) throw new Refusal(400, "invalid_payload", `the body ${fault}`);
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    throw new Refusal(400, "invalid_payload", describeFaults(parsed.error, "no such field"));
  }

  async #bodyText(context: Context): Promise<string> {
    const { limits: { frameBytes: maxBytes } } = this.options;
    const limits = { maxBytes, deadlineMs: BODY_DEADLINE_MS, setting: ENGINE_LIMITS.frameBytes.variable };
    const body = await readBody(context.req.raw, limits);
    if (body.kind === "whole") return body.text;
    const { status, code, message } = bodyRefusal(body.kind, limits);
    context.header("Connection", "close");
    throw new Refusal(status, code, message);
  }
}

export function parseQuery<Schema extends z.ZodType>(schema: Schema, context: Context): z.output<Schema> {
  const parsed = schema.safeParse(context.req.query());
  if (parsed.success) return parsed.data;
  throw new Refusal(400, "invalid_query", describeFaults(parsed.error, "no such parameter"));
}

function describeFaults(error: z.ZodError, unknownName: string): string {
  return error.issues.map((issue) => {
    const isUnknown = issue.code === "unrecognized_keys";
    const names = isUnknown ? issue.keys : [];
    const path = [issue.path.map(String).join("."), names.join(", ")].filter((part) => part !== "").join(".");
    return `${path === "" ? "body" : path}: ${isUnknown ? unknownName : issue.message}`;
  }).join("; ");
}

function refused(context: Context, status: RefusalStatus, code: string, message: string): Response {
  if (status === 401) context.header("WWW-Authenticate", "Bearer");
  return context.json({ error: { code, message } } satisfies z.input<typeof errorResponse>, status);
}
