// What a failed connect says, and what to do next.

import type { LinkEnd } from "../../protocol/client/engine-link.ts";
import { isFinal } from "../../protocol/client/reconnection.ts";
import type { Advice } from "../advice.ts";
import { ToolError } from "../error.ts";

interface ConnectionAttempt {
  readonly url: string;
  readonly userId: string;
  /** The user of MKT_USER_ID; no user if absent. */
  readonly configuredUserId?: string | undefined;
  /** Where the token is set; TOKEN_SETTING if absent. */
  readonly tokenSetting?: string | undefined;
}

/** The variable with the token. */
export const TOKEN_SETTING = "MKT_BEARER_TOKEN";

export function connectionError(
  end: LinkEnd,
  { url, userId, configuredUserId, tokenSetting = TOKEN_SETTING }: ConnectionAttempt,
  advice: Advice,
): ToolError {
  const engine = `engine at ${url}`;
  if (end.kind === "unreadable") {
    const message = `The connection to the ${engine} is restarted: ${end.reason}.`;
    return new ToolError("backend_error", message, advice.unreadableMessages);
  }
  if (end.kind === "lost") {
    const check = "Check that the engine is running and that MKT_WS_URL (or MKT_HOST) names it, then connect again.";
    return new ToolError("backend_unavailable", `There is no connection to the ${engine}: ${end.reason}.`, check);
  }
  const { code, message } = end;
  if (code === "wrong_engine") {
    return new ToolError("backend_unavailable", `The ${engine} has another market: ${message}.`, RIGHT_ENGINE);
  }
  if (!isFinal(end)) {
    const wait = "Connect again in a while. If the engine still refuses, read its log.";
    return new ToolError("backend_unavailable", `The ${engine} refuses connections now (${code}): ${message}`, wait);
  }
  const refused = `The ${engine} refused the connection`;
  switch (code) {
    case "unknown_user":
      return userId === configuredUserId
        ? new ToolError("not_found", `The ${engine} does not know user ${userId} (MKT_USER_ID).`, setUser("engine"))
        : new ToolError("not_found", `The ${engine} does not know user ${userId}.`, advice.unknownUser);
    case "unauthorized":
      return new ToolError("forbidden", `${refused}: ${message}`, setToken(tokenSetting));
    case "user_not_covered":
      return new ToolError("forbidden", `${refused}: ${message}`, setTokenFor(userId, tokenSetting));
    default:
      return new ToolError("backend_error", `${refused} (${code}): ${message}`, CHECK_PROTOCOL);
  }
}

const RIGHT_ENGINE =
  "Start the engine that MKT_ENGINE_ID names, with its data, or set MKT_ENGINE_ID to the engine that this " +
  "server is to work with; until then the server keeps trying.";
const CHECK_PROTOCOL = "Check that the engine speaks the protocol of this version, then connect again.";

/** An unknown user can't be told which users there are, so no tool helps. */
export function setUser(peer: string): string {
  return `Set MKT_USER_ID to a user that the ${peer} knows, or connect with the userId of one. A user that it does not know ` +
    "can't list the others: ask the operator of the engine, whose market file names them.";
}

function setToken(setting: string): string {
  return `Set ${setting} to the token that the engine was started with.`;
}

function setTokenFor(userId: string, setting: string): string {
  return `Set ${setting} to a token that may act as ${userId}, or pass the userId of a user that this one covers.`;
}

export function alreadyConnected(userId: string, { disconnectFirst }: Advice): ToolError {
  return new ToolError(
    "already_connected",
    `The connection acts as user ${userId}; one process acts as one user at a time.`,
    disconnectFirst,
  );
}

/** Allowed users that a hint names. */
const MAX_NAMED = 10;

export function userNotAllowed(userId: string, allowed: readonly string[]): ToolError {
  const named = allowed.slice(0, MAX_NAMED).join(", ");
  const more = allowed.length > MAX_NAMED ? ` and ${allowed.length - MAX_NAMED} more` : "";
  return new ToolError(
    "forbidden",
    `MKT_ALLOWED_USER_IDS does not let this server act as user ${userId}.`,
    `Connect as one of the allowed users (${named}${more}), or ask the operator to add this one to MKT_ALLOWED_USER_IDS.`,
  );
}

export function disconnectedMeanwhile({ connectAgain }: Advice): ToolError {
  return new ToolError("not_connected", "A disconnect ended this attempt to connect.", connectAgain);
}
