// Host and Origin checks. They stop a web page in a browser from reaching a server on the user's machine by DNS rebinding.
//
// A Host header that is not exactly `name` or `name:port` is malformed: 400 on every route. A Host or Origin that is
// not allowed is answered with 403. The MCP SDK's checks (2.4) are not used: they take `evil@localhost` and
// `2130706433` for local, and their lists have neither ports nor whole origins.

import type { MiddlewareHandler } from "hono";
import { type HttpRefusal, refused } from "./refusal.ts";

export const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

export interface HostCheckOptions {
  /** Allowed Host headers: `name` allows every port, `name:port` only that port. */
  readonly allowedHosts: readonly string[];
  /** Allowed Origin headers: host names, or whole origins such as https://desk.example:8443. */
  readonly allowedOrigins: readonly string[];
  /** Paths that allow any Host, for probes. */
  readonly hostExempt: readonly string[];
  /** The names of the settings, for the refusals. */
  readonly settings: { readonly hosts: string; readonly origins: string };
}

/** Answers 400 or 403. A request without an Origin passes, since only browsers send one. */
export function hostCheck(options: HostCheckOptions): MiddlewareHandler {
  const check = new HostCheck(options);
  return async function hostCheck(context, next) {
    const refusal = check.refusal(context.req.raw, context.req.path);
    if (refusal !== null) return refused(context, refusal);
    await next();
  };
}

export class HostCheck {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  /** Host and URL of the last request that passed without an Origin. The next one is often the same. */
  #passedHost: string | null = null;
  #passedUrl = "";

  constructor(private readonly options: HostCheckOptions) {
    this.#hosts = new Set(options.allowedHosts.map((host) => host.toLowerCase()));
    this.#origins = new Set(options.allowedOrigins.map((origin) => origin.toLowerCase()));
  }

  /** Null if the request may pass. */
  refusal({ headers, url: requested }: Request, path: string): HttpRefusal | null {
    const { hostExempt, settings } = this.options;
    const host = headers.get("Host");
    const origin = headers.get("Origin");
    if (host !== null && host === this.#passedHost && requested === this.#passedUrl && origin === null) return null;
    const url = hostUrl(host);
    if (url === null || !URL.canParse(requested) || !requested.startsWith("http")) {
      return { status: 400, code: "malformed_request", message: "The Host header is malformed." };
    }
    if (!hostExempt.includes(path) && !this.#hosts.has(url.hostname) && !this.#hosts.has(url.host)) {
      return forbidden("Host", url.host, settings.hosts);
    }
    if (origin !== null) {
      return this.#isAllowedOrigin(origin) ? null : forbidden("Origin", origin, settings.origins);
    }
    this.#passedHost = host;
    this.#passedUrl = requested;
    return null;
  }

  #isAllowedOrigin(origin: string): boolean {
    const url = URL.parse(origin);
    return url !== null && (this.#origins.has(origin.toLowerCase()) || this.#origins.has(url.hostname));
  }
}

function forbidden(header: "Host" | "Origin", value: string, setting: string): HttpRefusal {
  const message = `The ${header} ${value} is not allowed: an operator can add it to ${setting}.`;
  return { status: 403, code: `forbidden_${header.toLowerCase()}`, message };
}

/** Null if the header is missing or is not exactly a host with or without a port. */
function hostUrl(host: string | null): URL | null {
  const url = URL.parse(`http://${host}`);
  return url !== null && url.host === host?.toLowerCase().replace(/:80$/, "") ? url : null;
}
