// A real engine with a simulator that trades on it over real sockets, controlled over HTTP.

import { EngineClock } from "../../../protocol/client/engine-clock.ts";
import { FrameReader } from "../../../protocol/client/frame-reader.ts";
import { logger } from "../../../common/logger.ts";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import {
  ACTING_USER_HEADER,
  type SimulationStatus,
  simulationStatus,
  type StartSimulationRequest,
  startSimulationResponse,
  stopSimulationResponse,
} from "../../../protocol/index.ts";
import { contractsAt } from "../../../engine/definition/listed-contracts.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import type { RunningEngine } from "../../../engine/server/start-engine.ts";
import { embedSimulator, marketTimeOf } from "../../../sim/live/embedded-simulator.ts";
import { readSnapshot } from "../../../sim/live/market-snapshot.ts";
import type { ModuleChange } from "../../../sim/live/module-state.ts";
import type { Simulator } from "../../../sim/live/simulator.ts";
import type { EngineAccess } from "../../../sim/live/user-client.ts";
import { atEnd } from "../../support/at-end.ts";
import { startTestEngine } from "../../support/engines.ts";
import { until } from "../../support/until.ts";

/** Long enough for a busy machine. */
const PATIENCE_MS = 600_000;

/** Embedded as by `mkt engine`. */
export function embedTestSimulator(engine: RunningEngine, now = Date.now): Simulator {
  const simulator = embedSimulator({ engine, log: logger("test"), now });
  atEnd(() => simulator.close());
  return simulator;
}

/** An engine with its simulator, and a client of the control API. */
export async function simulated(
  options?: Parameters<typeof startTestEngine>[0],
): Promise<{ engine: RunningEngine; api: SimulatorApi }> {
  const engine = await startTestEngine(options);
  embedTestSimulator(engine);
  return { engine, api: new SimulatorApi(engine.url) };
}

/** A few personas of different strategies, in few contracts, so they trade a lot. */
export const FEW = {
  preset: "thin",
  speed: 300,
  seed: 7,
  personas: [
    { strategy: "avellaneda-stoikov", count: 2 },
    { strategy: "gvwy", count: 6 },
    { strategy: "zip", count: 4 },
    { strategy: "zic", count: 4 },
  ],
} satisfies StartSimulationRequest;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A client of the control API. */
export class SimulatorApi {
  constructor(readonly url: string, readonly headers: Record<string, string> = { [ACTING_USER_HEADER]: "operator" }) {}

  async get(path: string): Promise<Answer> {
    return await answerOf(await fetch(`${this.url}${path}`, { headers: this.headers }));
  }

  async post(path: string, body?: unknown): Promise<Answer> {
    const init = { method: "POST", headers: this.headers, body: body === undefined ? undefined : JSON.stringify(body) };
    return await answerOf(await fetch(`${this.url}${path}`, init));
  }

  async start(request: unknown = {}) {
    return startSimulationResponse.parse((await this.post("/api/sim/start", request)).body);
  }

  async stop() {
    return stopSimulationResponse.parse((await this.post("/api/sim/stop")).body);
  }

  async status(): Promise<SimulationStatus> {
    return simulationStatus.parse((await this.get("/api/sim/status")).body);
  }

  /** Waits until this much simulated time has passed since a status. */
  async passed({ simulatedTime }: SimulationStatus, ms: number): Promise<void> {
    const end = Date.parse(simulatedTime ?? "") + ms;
    await until(async () => Date.parse((await this.status()).simulatedTime ?? "") > end, `${ms} simulated ms`);
  }
}

async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, body: await response.json() };
}

/** How a simulator reaches an engine without a token. `engine`: whose market time it follows; by default what it hears. */
export function accessTo(url: string, engine: RunningEngine | null = null): EngineAccess {
  const log = logger("test");
  const clock = new EngineClock(Date.now);
  const marketTime = engine === null ? clock.market : marketTimeOf(engine);
  return { url, token: null, reader: new FrameReader(log), now: Date.now, clock, marketTime, log };
}

/** Every module of the market, as an operator sees it. */
export async function modulesOf(engine: { readonly webSocketUrl: string }): Promise<ModuleChange[]> {
  return await readSnapshot(accessTo(engine.webSocketUrl), "operator", PATIENCE_MS);
}

/** Every open order of the market. */
export async function openOrders(engine: { readonly webSocketUrl: string }): Promise<ModuleData<"ORDER">[]> {
  return (await ordersOf(engine)).filter(({ closeReason }) => closeReason === null);
}

/** The orders that the engine has, open or closed. */
export async function ordersOf(engine: { readonly webSocketUrl: string }): Promise<ModuleData<"ORDER">[]> {
  const modules = await modulesOf(engine);
  return modules.flatMap(({ type, data }) => type === "ORDER" && data !== null ? [data] : []);
}

/** Personas leave a day's peak an hour before its delivery, in simulated time, which goes on faster. */
const MIN_TIME_TO_PEAK_MS = 3 * 3_600_000;

/**
 * Of each product, except single hours, the next contract that personas trade. Ask again while a test lasts: delivery may
 * begin.
 */
export function frontContracts(definition: MarketDefinition, now = Date.now()): string[] {
  const contracts = contractsAt(definition, now);
  return definition.products.filter(({ type }) => type !== "hour").flatMap(({ id, type }) => {
    const soonest = type === "peak" ? now + MIN_TIME_TO_PEAK_MS : now;
    const [front] = contracts
      .filter(({ productId, deliveryStart }) => productId === id && Date.parse(deliveryStart) > soonest)
      .sort((a, b) => Date.parse(a.deliveryStart) - Date.parse(b.deliveryStart));
    return front === undefined ? [] : [front.id];
  });
}

export function isSimulated({ clientOrderId }: ModuleData<"ORDER">): boolean {
  return clientOrderId.startsWith("sim-");
}
