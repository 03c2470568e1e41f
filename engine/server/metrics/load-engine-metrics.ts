// The engine's metrics, made when they are first asked for: until then neither prom-client nor engine-metrics.ts is loaded.

import type { Registry } from "prom-client";
import type { EngineMetricsOptions } from "./engine-metrics.ts";

/** The result always gives the same registry. */
export function engineMetricsOnDemand(options: EngineMetricsOptions): () => Promise<Registry> {
  let made: Promise<Registry> | null = null;
  const make = async () => {
    const { engineRegistry } = await import("./engine-metrics.ts");
    return engineRegistry(options);
  };
  return () => made ??= make();
}
