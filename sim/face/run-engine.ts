// A whole engine process: the engine, its audit trail and its face, as `mkt engine` and `mkt demo` run it.

import type { Logger } from "../../core/logger.ts";
import { MemoryAuditStore } from "../audit/memory-audit-store.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import { Engine } from "../engine/engine.ts";
import { type ServedEngine, serveEngine } from "./serve-engine.ts";

export interface StartEngineOptions {
  readonly definition: MarketDefinition;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The bearer token that clients must bring; null: none. */
  readonly token: string | null;
  /** The engine's STRESS_TEST_SECRET; null: `dev.reset` is not configured. */
  readonly secret: string | null;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface RunningEngine extends ServedEngine {
  readonly engineId: string;
  readonly definition: MarketDefinition;
}

/** Starts an engine with a new history. Throws an Error of one line where the port is taken. */
export function startEngine(options: StartEngineOptions): RunningEngine {
  const { definition, host, port, token, secret, log, now } = options;
  const started = now();
  // A new epoch starts at the clock in microseconds, so that event numbers grow from one history to the next.
  const epoch = started * 1000;
  const engineId = `${definition.markets[0]?.id ?? "market"}-${epoch.toString(36)}`;
  const engine = new Engine(definition, { epoch, now: started, engineId, secret });
  const audit = new MemoryAuditStore({ now });
  const served = serveEngine({ engine, engineId, audit, host, port, token, now, log });
  log.info("engine {engineId} serves {url} and {webSocketUrl}", {
    engineId,
    url: served.url,
    webSocketUrl: served.webSocketUrl,
    contracts: definition.contracts.length,
    users: definition.users.length,
  });
  return { ...served, engineId, definition };
}
