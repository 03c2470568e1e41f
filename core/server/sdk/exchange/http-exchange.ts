// What the HTTP side knows of a request, for the handler of its call. It travels through the SDK beside the message.

import type { AuthInfo, ServerContext } from "@modelcontextprotocol/server";
import type { RawAnswer } from "../../../dispatch/result.ts";

export interface HttpExchange {
  /** The name of the client's token; null without one. */
  readonly caller: string | null;
  /** Whose limits apply: the token or, without one, the address. */
  readonly client: string;
  /** Whether the client's token is still the one of this caller. */
  readonly isAccepted: () => boolean;
  /** Ends the count of the request among the running ones, because its call only waits. */
  readonly freeSlot: () => void;
  /** The answer of a call that has already run, and that the SDK must check. */
  readonly answered?: RawAnswer;
}

/** Carries the exchange through the SDK. The token itself goes nowhere. */
export function authInfoOf(exchange: HttpExchange): AuthInfo {
  return { token: "", clientId: exchange.caller ?? "", scopes: [], extra: { exchange } };
}

/** Null on stdio. */
export function exchangeOf({ http }: ServerContext): HttpExchange | null {
  return (http?.authInfo?.extra?.["exchange"] as HttpExchange | undefined) ?? null;
}
