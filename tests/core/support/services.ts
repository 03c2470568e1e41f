// Services of a process that has no backend, for what can be shown without one.

import { readConfiguration } from "../../../core/config/environment.ts";
import { logger } from "../../../common/logger.ts";
import { Snapshot } from "../../../core/market/snapshot.ts";
import type { ConnectionFacts, PubSub, Session } from "../../../core/backend/pubsub.ts";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import type { Services } from "../../../core/tools/context.ts";

export function configurationFor(environment: Record<string, string> = {}) {
  const result = readConfiguration({ MKT_HOST: "localhost:1", MKT_USER_ID: "user-1", ...environment });
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.configuration;
}

/** A connection in the given state; a request on it is a fault of the test. */
export function pubsubThatIs(
  status: PubSub["status"],
  capabilities: readonly string[] = [],
): PubSub {
  const session = status === "disconnected"
    ? null
    : { userId: "user-1", entityId: "entity-1", capabilities, engineId: "engine-1", epoch: 1 };
  return {
    status,
    session,
    isWanted: session !== null,
    incomplete: false,
    marketTime: () => 0,
    connect: () => Promise.reject(new Error("not expected")),
    disconnect: () => Promise.resolve(),
    disconnects: 0,
    request: () => Promise.reject(new Error("not expected")),
    facts: () => factsOf(status, session),
  };
}

/** What a connection without a clock tells of itself. */
export function factsOf(status: PubSub["status"], session: Session | null): ConnectionFacts {
  return {
    status,
    url: "ws://localhost:1/ws",
    userId: session?.userId ?? null,
    entityId: session?.entityId ?? null,
    engineId: session?.engineId ?? null,
    epoch: session?.epoch ?? null,
    marketTime: null,
    clock: null,
    since: null,
    reconnects: 0,
    unreadableMessages: 0,
    incomplete: false,
    lastError: null,
    lastDisconnect: null,
  };
}

/** The parts a test needs; reaching for any other one throws. */
export function servicesWith(parts: Partial<Services> = {}): Services {
  const given: Partial<Services> = {
    configuration: configurationFor(),
    pubsub: pubsubThatIs("disconnected"),
    snapshot: new Snapshot(),
    server: { name: "mkt", version: "1.2.3", instructions: "Be careful.", tools: new Set<string>() },
    advice: NEUTRAL_ADVICE,
    replicas: null,
    redis: () => ({ status: "not_configured" }),
    frozen: () => null,
    now: () => 0,
    log: logger("test"),
    ...parts,
  };
  // Spread, as the dispatcher does it, must not reach for the missing parts: they are simply not there.
  return given as Services;
}
