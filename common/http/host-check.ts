// Host and Origin checks: a page in a browser must not reach a server on the user's own machine by DNS rebinding.
//
// A Host header that is not exactly `name` or `name:port` is malformed: 400, on every route. One that is not let in: 403.

import type { MiddlewareHandler } from "hono";

export const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

export interface HostCheckOptions {
  /** Hosts that may be asked for: a name stands for each of its ports, `name:port` for one. */
  readonly allowedHosts: readonly string[];
  /** Host names, or whole origins such as https://desk.example:8443, that a browser may call from. */
  readonly allowedOrigins: readonly string[];
  /** Paths that any Host may ask for, for probes. */
  readonly hostExempt: readonly string[];
  /** Names of the settings, for whoever is refused. */
  readonly settings: { readonly hosts: string; readonly origins: string };
}

/** Answers 400 or 403. A missing Origin passes: only browsers send one. */
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
  const message = `The ${header} ${value} is not let in: an operator can add it to ${setting}.`;
  return { error: { code: `forbidden_${header.toLowerCase()}`, message } };
}

/** Null if the header is missing, or holds more or something else than a host and a port. */
function hostUrl(host: string | undefined): URL | null {
  const url = URL.parse(`http://${host}`);
  return url !== null && url.host === host?.toLowerCase().replace(/:80$/, "") ? url : null;
}

function isAllowedOrigin(origin: string, allowed: ReadonlySet<string>): boolean {
  const url = URL.parse(origin);
  return url !== null && (allowed.has(origin.toLowerCase()) || allowed.has(url.hostname));
}
