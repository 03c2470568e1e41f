// Host and Origin checks. They stop a web page in a browser from reaching a server on the user's machine by DNS rebinding.
//
// A Host header that is not exactly `name` or `name:port` is malformed: 400 on every route. A Host or Origin that is not
// allowed is answered with 403.

import type { MiddlewareHandler } from "hono";

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
  const hosts = new Set(options.allowedHosts.map((host) => host.toLowerCase()));
  const origins = new Set(options.allowedOrigins.map((origin) => origin.toLowerCase()));
  const { hostExempt, settings } = options;
  return async function hostCheck(context, next) {
    const host = context.req.header("Host");
    const url = hostUrl(host);
    if (url === null || !URL.canParse(context.req.url) || !context.req.url.startsWith("http")) {
      return context.json({ error: { code: "malformed_request", message: "The Host header is malformed." } }, 400);
    }
    if (!hostExempt.includes(context.req.path) && !hosts.has(url.hostname) && !hosts.has(url.host)) {
      return context.json(refusal("Host", url.host, settings.hosts), 403);
    }
    const origin = context.req.header("Origin");
    if (origin !== undefined && !isAllowedOrigin(origin, origins)) {
      return context.json(refusal("Origin", origin, settings.origins), 403);
    }
    await next();
  };
}

function refusal(header: "Host" | "Origin", value: string, setting: string) {
  const message = `The ${header} ${value} is not allowed: an operator can add it to ${setting}.`;
  return { error: { code: `forbidden_${header.toLowerCase()}`, message } };
}

/** Null if the header is missing or is not exactly a host with or without a port. */
function hostUrl(host: string | undefined): URL | null {
  const url = URL.parse(`http://${host}`);
  return url !== null && url.host === host?.toLowerCase().replace(/:80$/, "") ? url : null;
}

function isAllowedOrigin(origin: string, allowed: ReadonlySet<string>): boolean {
  const url = URL.parse(origin);
  return url !== null && (allowed.has(origin.toLowerCase()) || allowed.has(url.hostname));
}
