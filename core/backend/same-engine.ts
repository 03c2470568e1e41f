// One process works with one engine. MKT_BASE_URL (HTTP) and MKT_WS_URL or MKT_HOST (WebSocket) are set apart, so they can
// name two: then entities, users and the audit log would be those of another market than the orders. Both sides tell an
// engine id, and a connection to another engine than the HTTP side's is refused.
//
// An engine whose /health tells no id, or does not answer within HEALTH_LIMIT_MS, is taken as it is.

import type { Configuration } from "../config/configuration.ts";
import type { Logger } from "../../common/logger.ts";
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

/** Checks under way: whoever connects meanwhile waits for their outcome too. */
const checks = new WeakMap<PubSub, Promise<void>>();

/**
 * Connects as `PubSub.connect` does. A connection that was made to another engine than the HTTP side's is ended. Throws what
 * `PubSub.connect` throws, and ToolError `not_configured`.
 */
export async function connectToOneEngine(sides: BothSides, userId: string, signal?: AbortSignal): Promise<Session> {
  const { pubsub } = sides;
  const isNew = pubsub.session === null;
  const session = await pubsub.connect(userId, signal);
  let check = checks.get(pubsub);
  if (isNew && check === undefined) {
    // Not ended by the caller's signal: the connection outlasts the call.
    check = checkOneEngine(sides, session).finally(() => checks.delete(pubsub));
    checks.set(pubsub, check);
  }
  await check;
  return session;
}

async function checkOneEngine(sides: BothSides, session: Session): Promise<void> {
  const fault = await twoEngines(sides, session);
  if (fault === null) return;
  sides.log.error("{error}", { error: fault.message });
  await sides.pubsub.disconnect();
  throw fault;
}

/** What to say if the two sides are two engines; null if they are one, or the HTTP side does not tell. */
async function twoEngines(
  { pubsub, backend, configuration }: BothSides,
  session: Session,
): Promise<ToolError | null> {
  const engineId = await httpEngineId(backend);
  if (engineId === null || engineId === session.engineId) return null;
  // An engine that has just restarted has another id, and has ended the connection.
  if (pubsub.status !== "connected" || pubsub.session !== session) return null;
  const { baseUrl, webSocketUrl } = configuration.backend;
  return new ToolError(
    "not_configured",
    `The backend's two addresses are two engines: MKT_BASE_URL (${baseUrl}) is engine ${engineId}, MKT_WS_URL or MKT_HOST ` +
      `(${webSocketUrl}) is engine ${session.engineId}. The connection was ended, so that no two markets are mixed.`,
    "Set MKT_BASE_URL, and MKT_HOST or MKT_WS_URL, to the same engine, and start this server again; mkt doctor checks it.",
  );
}

async function httpEngineId(backend: StateClient): Promise<string | null> {
  const limit = AbortSignal.timeout(HEALTH_LIMIT_MS);
  try {
    return (await backend.health(limit)).engineId;
  } catch (error) {
    // It does not tell; the tools that need it say why.
    if (limit.aborted || error instanceof ToolError) return null;
    throw error;
  }
}
