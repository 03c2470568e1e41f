// What a failed connect says, and what to do next.

import { ToolError } from "../error.ts";
import type { LinkEnd } from "../../protocol/client/engine-link.ts";

/** Codes of a refusal that another attempt would meet again. */
const FINAL_REFUSALS: ReadonlySet<string> = new Set([
  "unauthorized",
  "user_not_covered",
  "unknown_user",
  "unsupported_protocol",
  "wrong_user",
]);

export function isFinal(end: LinkEnd): boolean {
  return end.kind === "refused" && FINAL_REFUSALS.has(end.code);
}

export function connectionError(end: LinkEnd, url: string, userId: string): ToolError {
  if (end.kind === "unreadable") {
    return new ToolError(
      "backend_error",
      `The connection to the engine at ${url} begins anew: ${end.reason}.`,
      "Check that the engine speaks the protocol of this version; mkt_connection_status counts what can't be read.",
    );
  }
  if (end.kind === "lost") {
    return new ToolError(
      "backend_unavailable",
      `There is no connection to the engine at ${url}: ${end.reason}.`,
      "Check that the engine is running and that MKT_WS_URL (or MKT_HOST) names it, then connect again.",
    );
  }
  if (end.code === "unauthorized") {
    return new ToolError(
      "forbidden",
      `The engine at ${url} refused the connection: ${end.message}`,
      "Set MKT_BEARER_TOKEN to the token that the engine was started with.",
    );
  }
  if (end.code === "user_not_covered") {
    return new ToolError(
      "forbidden",
      `The engine at ${url} refused the connection: ${end.message}`,
      `Set MKT_BEARER_TOKEN to a token that may act as ${userId}, or pass the userId of a user that this one covers.`,
    );
  }
  if (end.code === "unknown_user") {
    return new ToolError(
      "not_found",
      `The engine at ${url} does not know user ${userId}.`,
      "Pass the userId of a registered user: mkt_list_users lists them.",
    );
  }
  if (!FINAL_REFUSALS.has(end.code)) {
    return new ToolError(
      "backend_unavailable",
      `The engine at ${url} does not take the connection now (${end.code}): ${end.message}`,
      "Connect again in a while; if it goes on, look into the engine's log.",
    );
  }
  return new ToolError(
    "backend_error",
    `The engine at ${url} refused the connection (${end.code}): ${end.message}`,
    "Check that the engine speaks the protocol of this version, then connect again.",
  );
}

export function alreadyConnected(userId: string): ToolError {
  return new ToolError(
    "already_connected",
    `The connection acts as user ${userId}; one process acts as one user at a time.`,
    "Call mkt_disconnect_pubsub first, then connect as the other user.",
  );
}

export function userNotAllowed(userId: string): ToolError {
  return new ToolError(
    "forbidden",
    `MKT_ALLOWED_USER_IDS does not let this server act as user ${userId}.`,
    "Connect as one of the allowed users, or add the user to MKT_ALLOWED_USER_IDS.",
  );
}

export function disconnectedMeanwhile(): ToolError {
  return new ToolError(
    "not_connected",
    "The connection was ended by a disconnect before it was there.",
    "Call mkt_connect_pubsub again.",
  );
}
