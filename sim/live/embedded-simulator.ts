// A simulator in the process of its engine. It trades over the engine's protocol like any simulator, and its control API is
// served on the engine's port.

import { EngineClock } from "../../protocol/client/engine-clock.ts";
import { FrameReader } from "../../protocol/client/frame-reader.ts";
import type { SimulatorHost } from "../../engine/embedded/simulator-host.ts";
import { controlRoutes } from "./control-routes.ts";
import type { MarketTimeSource } from "./followed-clock.ts";
import { Simulator } from "./simulator.ts";
import { addSimulatorMetrics } from "./simulator-metrics.ts";
import type { EngineAccess } from "./user-client.ts";

/** No simulation runs at first. Close the simulator before the engine is stopped. */
export function embedSimulator(
  { engine, log, now, onOrder }: Pick<EngineAccess, "log" | "now" | "onOrder"> & { readonly engine: SimulatorHost },
): Simulator {
  const { webSocketUrl: url, ownToken: token } = engine;
  const clock = new EngineClock(now);
  const simulator = new Simulator({
    isNewMarket: engine.isNew,
    engine: { url, token, reader: new FrameReader(log), now, clock, marketTime: marketTimeOf(engine), log, onOrder },
    facts: () => engine.definition,
  });
  engine.holdAdvances(() => simulator.settled());
  engine.mountSimulator({
    routes: (guard) => controlRoutes(simulator, guard),
    addMetrics: (metrics) => addSimulatorMetrics(metrics, simulator),
  });
  return simulator;
}

/** The market time of an engine in this process. */
export function marketTimeOf({ marketTime: time, clock }: SimulatorHost): MarketTimeSource {
  return {
    time,
    get setting() {
      return clock();
    },
  };
}
