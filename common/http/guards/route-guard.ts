// What a route of the engine or the simulator requires, in this order: a bearer token (401), an acting user that the
// token covers (403 user_not_covered) and the market knows (403 unknown_user), the user's rate (429), and, unless the
// route shows each user only what that user may see, a permission of that user (403 forbidden). The token is checked
// before the user is looked up, so it doesn't reveal which other users exist.

import { Hono, type MiddlewareHandler } from "hono";
import { every } from "hono/combine";
import { bearerAuth, BearerAuthentication, type Caller, type Connection } from "../bearer-auth.ts";
import { withJsonErrors } from "../http-app.ts";
import type { RateLimit } from "../rate-limit.ts";
import { mayActAs, type TokenHolder, type TokenStore } from "../token-store.ts";
import type { AuditViewer } from "../../audit/audit-visibility.ts";
import type { Logger } from "../../logger.ts";
import { ACTING_USER_HEADER, type Permission } from "../../../protocol/index.ts";
import type { EngineLimits } from "./engine-limits.ts";
import type { UserRates } from "./user-rates.ts";
import { TOKEN_SETTINGS } from "./engine-access.ts";
import { Refusal } from "./route-refusal.ts";

/** In whose name a request comes. */
interface ActingUser extends AuditViewer {
  readonly id: string;
}

interface RouteGuardOptions {
  readonly tokens: TokenStore;
  /** Limit on the 401 answers to each address. */
  readonly failures: RateLimit;
  readonly user: (userId: string) => ActingUser | undefined;
  readonly rates: UserRates;
  readonly limits: EngineLimits;
  readonly log: Logger;
}

export interface GuardedRoutes {
  Bindings: Connection & {
    /** How long the connection may be silent while it gets its answer; absent: the server's own limit holds. */
    readonly setIdleTimeout?: (seconds: number) => void;
  };
  Variables: Caller & { readonly user: ActingUser };
}

export class RouteGuard {
  /** Requires a bearer token. */
  readonly authenticate: MiddlewareHandler;

  constructor(private readonly options: RouteGuardOptions) {
    this.authenticate = bearerAuth(new BearerAuthentication({ ...options, setting: TOKEN_SETTINGS.token }));
  }

  get limits(): EngineLimits {
    return this.options.limits;
  }

  /** An app for guarded routes. */
  routes(): Hono<GuardedRoutes> {
    return withJsonErrors(new Hono<GuardedRoutes>(), this.options.log);
  }

  /**
   * Requires a token and an acting user, with `permission` unless that is null. The handler gets the user as the variable
   * `user`.
   */
  requires(permission: Permission | null): MiddlewareHandler<GuardedRoutes> {
    const actAs: MiddlewareHandler<GuardedRoutes> = async (context, next) => {
      const user = this.#actingUser(context.get("holder"), context.req.header(ACTING_USER_HEADER));
      this.#takeFromRate(user, Number(context.req.header("Content-Length") ?? 0) || 0);
      if (permission !== null && !user.permissions.has(permission)) {
        throw new Refusal(403, "forbidden", `user "${user.id}" lacks the permission ${permission}`);
      }
      context.set("user", user);
      await next();
    };
    return every(this.authenticate, actAs);
  }

  #actingUser(holder: TokenHolder, userId: string | undefined): ActingUser {
    if (userId === undefined) throw new Refusal(403, "unknown_user", `the header ${ACTING_USER_HEADER} is missing`);
    if (!mayActAs(holder, userId)) {
      throw new Refusal(403, "user_not_covered", `the token "${holder.name}" may not act as user "${userId}"`);
    }
    const user = this.options.user(userId);
    if (user === undefined) throw new Refusal(403, "unknown_user", `no user "${userId}"`);
    return user;
  }

  #takeFromRate({ id }: ActingUser, bytes: number): void {
    const rate = this.options.rates.of(id);
    const excess = rate.takeBytes(bytes) ?? rate.takeMessage();
    if (excess === null) return;
    const seconds = Math.ceil(excess.retryAfterMs / 1000);
    throw new Refusal(429, "rate_limited", excess.message, { "Retry-After": String(seconds) });
  }
}
