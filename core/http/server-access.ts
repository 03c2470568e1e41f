// Who may reach a server over HTTP: the Hosts and Origins that it lets in, and its tokens.

import { LOOPBACK_NAMES } from "./host-check.ts";

export interface ServerAccess {
  /** The bearer token, good for every user; null: none. */
  readonly token: string | null;
  /** Path of a file of named tokens; null or absent: there is none. Without it and `token`, none is asked for. */
  readonly tokenFile?: string | null;
  /** Loopback names if absent. */
  readonly allowedHosts?: readonly string[];
  /** Loopback names if absent. */
  readonly allowedOrigins?: readonly string[];
}

/** What hostCheck needs of it; `own`: the address by which the process reaches its own server. */
export function lettingIn({ allowedHosts, allowedOrigins }: ServerAccess, own: readonly string[] = []) {
  return {
    allowedHosts: [...allowedHosts ?? LOOPBACK_NAMES, ...own],
    allowedOrigins: allowedOrigins ?? LOOPBACK_NAMES,
  };
}
