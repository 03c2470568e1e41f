// What a failed connect says, and what to do next.

import type { LinkEnd } from "../../protocol/client/engine-link.ts";
import { isFinal } from "../../protocol/client/reconnection.ts";
import type { Advice } from "../advice.ts";
import { ToolError } from "../error.ts";

export function connectionError(
  end: LinkEnd,
  { url, userId }: { readonly url: string; readonly userId: string },
  advice: Advice,
): ToolError {
  if (end.kind === "unreadable") {
    const message = `The connection to the engine at ${url} is restarted: ${end.reason}.`;
    return new ToolError("backend_error", message, advice.unreadableMessages);
  }
  if (end.kind === "lost") {
    return new ToolError(
      "backend_unavailable",
      `There is no connection to the engine at ${url}: ${end.reason}.`,
      "Check that the engine is running and that MKT_WS_URL (or MKT_HOST) names it, then connect again.",
    );
  }
  if (end.code === "unknown_user") {
    return new ToolError("not_found", `The engine at ${url} does not know user ${userId}.`, advice.unknownUser);
  }
  if (!isFinal(end)) {
    return new ToolError(
      "backend_unavailable",
      `The engine at ${url} does not accept the connection now (${end.code}): ${end.message}`,
      "Connect again in a while. If the engine still refuses, read its log.",
    );
  }
  const forbidden = FORBIDDEN[end.code];
  if (forbidden !== undefined) {
    return new ToolError("forbidden", `The engine at ${url} refused the connection: ${end.message}`, forbidden(userId));
  }
  return new ToolError(
    "backend_error",
    `The engine at ${url} refused the connection (${end.code}): ${end.message}`,
    "Check that the engine speaks the protocol of this version, then connect again.",
  );
}

/** What to do about a refusal of the token, by its code. */
const FORBIDDEN: Readonly<Record<string, (userId: string) => string>> = {
  unauthorized: () => "Set MKT_BEARER_TOKEN to the token that the engine was started with.",
  user_not_covered: (userId) =>
    `Set MKT_BEARER_TOKEN to a token that may act as ${userId}, or pass the userId of a user that this one covers.`,
};

export function alreadyConnected(userId: string, { disconnectFirst }: Advice): ToolError {
  return new ToolError(
    "already_connected",
    `The connection acts as user ${userId}; one process acts as one user at a time.`,
    disconnectFirst,
  );
}

export function userNotAllowed(userId: string): ToolError {
  return new ToolError(
    "forbidden",
    `MKT_ALLOWED_USER_IDS does not let this server act as user ${userId}.`,
    "Connect as one of the allowed users, or add the user to MKT_ALLOWED_USER_IDS.",
  );
}

export function disconnectedMeanwhile({ connectAgain }: Advice): ToolError {
  return new ToolError("not_connected", "A disconnect ended this attempt to connect.", connectAgain);
}
