// A simulator in the process of its engine. It trades over the engine's protocol like any simulator, and its control API is
// served on the engine's port.

import { FrameReader } from "../../protocol/client/frame-reader.ts";
import type { RunningEngine } from "../server/start-engine.ts";
import { controlRoutes } from "./control-routes.ts";
import { Simulator } from "./simulator.ts";
import type { EngineAccess } from "./user-client.ts";

/** No simulation runs at first. Close the simulator before the engine is stopped. */
export function embedSimulator(
  { engine, log, now }: Pick<EngineAccess, "log" | "now"> & { readonly engine: RunningEngine },
): Simulator {
  const simulator = new Simulator({
    engine: { url: engine.webSocketUrl, token: engine.ownToken, reader: new FrameReader(log), now, log },
    facts: () => engine.definition,
  });
  engine.mountSimulator((guard) => controlRoutes(simulator, guard));
  return simulator;
}
