// The revision that each request on stdio names. Protocol 2026-07-28 accepts or refuses each request on its own, but over stdio
// the SDK (2.4.0) checks the revision of the first one only. Here the later ones are checked, and refused as the SDK does it.

import {
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/server";
import { MODERN_VERSION } from "../../messages/plain-message.ts";
import type { WatchedTransport } from "./stdio-subscriptions.ts";

/** Checks the messages of the transport, which the SDK already uses. */
export function checkRevisions(transport: WatchedTransport): void {
  const { onmessage: deliver } = transport;
  /** What the client's requests have chosen so far. A client that has sent `initialize` stays with an older protocol. */
  let chosen: "nothing" | "modern" | "older" = "nothing";
  transport.onmessage = (message) => {
    const requested = requestedRevision(message);
    if (requested === MODERN_VERSION && chosen === "nothing") chosen = "modern";
    if (requested === null && "method" in message && message.method === "initialize") chosen = "older";
    const isRefused = chosen === "modern" && requested !== null && requested !== MODERN_VERSION;
    if (isRefused && "id" in message) void transport.send(refusalOf(message.id, requested));
    else deliver?.(message);
  };
}

/** Null if the message is no request, or names no revision. */
function requestedRevision(message: JSONRPCMessage): string | null {
  if (!("method" in message && "id" in message)) return null;
  const requested = message.params?._meta?.[PROTOCOL_VERSION_META_KEY];
  return typeof requested === "string" ? requested : null;
}

function refusalOf(id: string | number | undefined, requested: string): JSONRPCMessage {
  const { code, message, data } = new UnsupportedProtocolVersionError({ supported: [MODERN_VERSION], requested });
  return { jsonrpc: "2.0", id, error: { code, message, data } };
}
