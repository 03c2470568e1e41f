// What a simulator in the process of its engine needs of the engine, which serves its clients on a port (engine/server).

import type { Connection } from "../../common/http/bearer-auth.ts";
import type { RouteGuard } from "../../common/http/guards/route-guard.ts";
import type { CollectedMetrics } from "../../common/telemetry/collected-metrics.ts";
import type { ClockSetting } from "../../protocol/index.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";

/** Answers HTTP requests. */
export interface RouteHandler {
  readonly fetch: (request: Request, connection: Connection) => Response | Promise<Response>;
}

/** A simulator in the engine's process. */
export interface MountedSimulator {
  /** Its control API, with the checks of the engine's routes. */
  readonly routes: (guard: RouteGuard) => RouteHandler;
  /** Adds its metrics to those of the engine. */
  readonly addMetrics: (metrics: CollectedMetrics) => void;
}

export interface SimulatorHost {
  readonly definition: MarketDefinition;
  readonly webSocketUrl: string;
  /** A token for clients in this process, which may act as every user. Null: no token is needed. */
  readonly ownToken: string | null;
  /** Whether nothing has happened in the market yet. */
  readonly isNew: boolean;
  /** Market time, in milliseconds since the epoch. */
  readonly marketTime: () => number;
  /** How market time follows real time. */
  readonly clock: () => ClockSetting;
  mountSimulator(simulator: MountedSimulator): void;
  /**
   * Confirms no clock.advance before `settled`, which must not reject. It resolves once everything that is due at the present
   * market time has been done, or was waited for long enough.
   */
  holdAdvances(settled: () => Promise<void>): void;
}
