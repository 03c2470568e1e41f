// Makes sure that one process works with one engine. MKT_BASE_URL (HTTP) and MKT_WS_URL or MKT_HOST (WebSocket) are separate
// settings, so they could name two engines. Entities, users and the audit log would then belong to another market than the
// orders. Both sides report an engine id, and a WebSocket connection to another engine than the HTTP side's is ended.
//
// If /health reports no id, or does not answer within HEALTH_LIMIT_MS, the check is skipped.

import type { Configuration } from "../config/configuration.ts";
import type { Logger } from "../../common/logger.ts";
import { unlessAborted } from "../../common/unless-aborted.ts";
import { ToolError } from "../error.ts";
import type { PubSub, Session } from "./pubsub.ts";
import type { StateClient } from "./state-client.ts";

const HEALTH_LIMIT_MS = 3_000;

interface BothSides {
  readonly pubsub: PubSub;
  readonly backend: StateClient;
  readonly configuration: Configuration;
  readonly log: Logger;
}

/** Checks in progress. A call that connects meanwhile waits for the outcome too. */
const checks = new WeakMap<PubSub, Promise<void>>();

/**
 * Connects as `PubSub.connect` does, and checks the engine. Throws what `PubSub.connect` throws, ToolError
 * `not_configured` if the two sides are different engines, and the reason of `signal` if that aborts first.
 */
export async function connectToOneEngine(sides: BothSides, userId: string, signal?: AbortSignal): Promise<Session> {
  const { pubsub } = sides;
  const isNew = pubsub.session === null && pubsub.checksEngine !== true;
  const session = await pubsub.connect(userId, signal);
  let check = checks.get(pubsub);
  if (isNew && check === undefined) {
    // The check goes on after the caller has cancelled its call, since the connection outlasts the call.
    check = checkOneEngine(sides, session).finally(() => checks.delete(pubsub));
    checks.set(pubsub, check);
  }
  if (check !== undefined) await unlessAborted(check, signal);
  return session;
}

async function checkOneEngine({ pubsub, backend, configuration, log }: BothSides, session: Session): Promise<void> {
  const engineId = await httpEngineId(backend);
  if (engineId === null || engineId === session.engineId) return;
  // An engine that has just restarted has a new id, and has ended the connection.
  if (pubsub.status !== "connected" || pubsub.session !== session) return;
  const { baseUrl, webSocketUrl } = configuration.backend;
  const fault = new ToolError(
    "not_configured",
    `The backend's two addresses belong to two engines: MKT_BASE_URL (${baseUrl}) to ${engineId}, MKT_WS_URL or MKT_HOST ` +
      `(${webSocketUrl}) to ${session.engineId}. The connection was ended, so two markets are not mixed.`,
    "Set MKT_BASE_URL, and MKT_HOST or MKT_WS_URL, to the same engine, and start this server again; mkt doctor checks it.",
  );
  log.error("{error}", { error: fault.message });
  await pubsub.disconnect({ isFault: true });
  throw fault;
}

/** Null if the HTTP side does not report it. */
async function httpEngineId(backend: StateClient): Promise<string | null> {
  const limit = AbortSignal.timeout(HEALTH_LIMIT_MS);
  try {
    return (await backend.health(limit)).engineId;
  } catch (error) {
    // The tools that use the HTTP side report its errors.
    if (limit.aborted || error instanceof ToolError) return null;
    throw error;
  }
}
