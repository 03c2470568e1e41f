// PubSub clients, each with a snapshot and an event buffer of its own, and the scripted engine behind them. All end with the
// test.

import { PubSubClient } from "../../../../core/backend/pubsub-client.ts";
import type { PubSubOptions } from "../../../../core/backend/pubsub-options.ts";
import type { ToolError } from "../../../../core/error.ts";
import { logger } from "../../../../common/logger.ts";
import { EventBuffer } from "../../../../core/market/event-buffer.ts";
import { Snapshot } from "../../../../core/market/snapshot.ts";
import { atEnd } from "../../../support/at-end.ts";
import { entity, ScriptedEngine } from "../../../support/scripted-engine.ts";

export function clientOf(url: string, overrides: Partial<PubSubOptions> = {}) {
  const { snapshot = new Snapshot(), events = new EventBuffer(10_000) } = overrides;
  const client = new PubSubClient({
    url,
    token: null,
    allowedUserIds: null,
    confirmTimeoutMs: 5_000,
    log: logger("test"),
    now: Date.now,
    ...overrides,
    snapshot,
    events,
    timings: { firstRetryMs: 4, longestRetryMs: 20, closeMs: 100, ...overrides.timings },
  });
  atEnd(() => client.disconnect());
  return { client, snapshot, events };
}

export function scriptedEngine(port = 0): ScriptedEngine {
  const engine = new ScriptedEngine(port);
  atEnd(() => engine.stop());
  return engine;
}

/** A client that has not connected yet. */
export function idle(overrides: Partial<PubSubOptions> = {}) {
  const engine = scriptedEngine();
  return { engine, ...clientOf(engine.url, overrides) };
}

/** A client that is connected as u-1, with the entity north in its snapshot. */
export async function connected(overrides: Partial<PubSubOptions> = {}, welcome: Record<string, unknown> = {}) {
  const parts = idle(overrides);
  const session = parts.client.connect("u-1");
  const connection = await parts.engine.connection();
  await connection.admit([entity("north")], welcome);
  await session;
  return { ...parts, connection };
}

/** What a promise is rejected with. Throws if it is not. */
export async function errorOf(promise: Promise<unknown>): Promise<ToolError> {
  return await promise.then(() => Promise.reject(new Error("it did not fail")), (error) => error);
}
