// Engines in this process, each on a free port of loopback. Each ends with the test, or with the file, that started it.

import { logger } from "../../common/logger.ts";
import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { type RunningEngine, startEngine, type StartEngineOptions } from "../../engine/server/start-engine.ts";
import { type ServedEngine, serveEngine, type ServeEngineOptions } from "../../engine/server/engine-server.ts";
import { atEnd } from "./at-end.ts";

const SETTINGS = { hostname: "127.0.0.1", port: 0, token: null, log: logger("test"), now: Date.now };

/** As `mkt engine` starts it: by default the built-in market, without a token, a secret or a journal. */
export async function startTestEngine(options: Partial<StartEngineOptions> = {}): Promise<RunningEngine> {
  const engine = await startEngine({ definition: builtInMarket(), secret: null, ...SETTINGS, ...options });
  atEnd(() => engine.stop());
  return engine;
}

/** An engine that the test has made, put on the network. */
export function serveOnFreePort(
  options: Partial<ServeEngineOptions> & Pick<ServeEngineOptions, "engine" | "engineId" | "audit">,
): ServedEngine {
  const served = serveEngine({ ...SETTINGS, ...options });
  atEnd(() => served.stop());
  return served;
}
