// The connection of a client over HTTP, and whose limits apply to it.

import type { Connection } from "../../../common/http/bearer-auth.ts";
import { type RateLimit, tooMany } from "../../../common/http/rate-limit.ts";
import type { HttpRefusal } from "../../../common/http/refusal.ts";

/** The runtime rounds it up to a multiple of 4. */
export const IDLE_SECONDS = 10;
/** While a call or a route runs: the maximum of the runtime, and longer than any wait for a confirmation. */
export const CALL_IDLE_SECONDS = 255;

/** What a route may know of its connection. */
export interface ClientConnection extends Connection {
  /** Sets the idle timeout of the connection, from now on. */
  setIdleTimeout(seconds: number): void;
}

/** Requests are counted by the name of their token, or by address without a token. */
export function clientName(caller: string | null, connection: Connection): string {
  return caller === null ? `address ${connection.address}` : `token ${caller}`;
}

/** 429 above MCP_RATE_LIMIT. */
export function beyond(rate: RateLimit): HttpRefusal {
  return tooMany(`More than ${rate.perSecond} requests a second: slow down and try again.`);
}
