// The compiled executable with the market of the tests (support/power-market.ts).

import { MARKET_FILE, NORTH, submit, WEST } from "../../support/power-market.ts";
import { type EngineProcessOptions, type RunningEngineProcess, startEngineProcess } from "../../support/executable.ts";

export { MARKET_FILE, NORTH, submit, WEST };

/** Starts an engine with this market. */
export function startMarket({ args = [], ...options }: EngineProcessOptions = {}): Promise<RunningEngineProcess> {
  return startEngineProcess({ args: ["--market", MARKET_FILE, ...args], ...options });
}
