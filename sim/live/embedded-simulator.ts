// The simulator of an engine of this process: it trades over the engine's own protocol, as any simulator does, and its
// control API is served on the engine's port.

import { FrameReader } from "../../protocol/client/frame-reader.ts";
import type { Logger } from "../../common/logger.ts";
import type { RunningEngine } from "../server/start-engine.ts";
import { controlRoutes } from "./control-routes.ts";
import { Simulator } from "./simulator.ts";

export interface EmbeddedSimulatorOptions {
  readonly engine: RunningEngine;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Stopped at first; to be closed before the engine is stopped. */
export function embedSimulator({ engine, log, now }: EmbeddedSimulatorOptions): Simulator {
  const simulator = new Simulator({
    engine: { url: engine.webSocketUrl, token: engine.ownToken, reader: new FrameReader(log), now, log },
    facts: () => engine.definition,
  });
  engine.mountSimulator((guard) => controlRoutes(simulator, guard));
  return simulator;
}
