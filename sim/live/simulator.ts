// The simulator as it is controlled: whether it runs, and with what.
//
//   stopped -- start --> starting -- everyone connected --> running
//   starting, running -- stop, or a failure --> stopping -- nothing of it is left at the engine --> stopped
//
// A start while it runs changes nothing where all that it asks for is so, and is refused where not. `stopped` is said only
// once a snapshot of the engine has shown that no order of a persona is open; where the engine can't be asked, it goes on
// being `stopping`, says why in `failure`, and asks again until it knows.

import type {
  SimulationState,
  SimulationStatus,
  SpotResponse,
  StartSimulationRequest,
  StartSimulationResponse,
  StopSimulationResponse,
  TriggerEventRequest,
  TriggerEventResponse,
} from "../../protocol/index.ts";
import { DEFAULT_PRESET } from "../../protocol/index.ts";
import { SYSTEM_TIMERS } from "../../common/timers.ts";
import { eventFault } from "../spot/spot-events.ts";
import { spotNodes } from "../spot/market-spot.ts";
import type { SpotPrices } from "../spot/spot-prices.ts";
import type { EngineAccess } from "./engine-access.ts";
import { cancelLeftOrders } from "./left-orders.ts";
import type { MarketFacts } from "./market-facts.ts";
import { spotPricesOf } from "./market-spot.ts";
import { planRun, type RunSettings } from "./run-plan.ts";
import { type RunEnd, type SimulationPlan, SimulationRun } from "./live-run.ts";
import { SimulatorRefusal } from "./simulator-refusal.ts";
import { spotReport } from "./spot-report.ts";
import { type ReportedRun, type RunWork, statusReport } from "./status-report.ts";

export interface SimulatorOptions {
  readonly engine: EngineAccess;
  /** What there is to trade and who may. Throws an Error of one line where it can't be known now. */
  readonly facts: () => MarketFacts | Promise<MarketFacts>;
}

interface Run extends ReportedRun {
  work: RunWork | null;
  endedAt: number | null;
}

/** How long a start may take until everyone is connected. */
const START_PATIENCE_MS = 10_000;
/** How long personas wait for their cancels to be confirmed, and how long the engine may not be there, at a stop. */
const LEAVE_PATIENCE_MS = 3_000;
const LOOK_PATIENCE_MS = 8_000;
const LOOK_AGAIN_MS = 2_000;

export class Simulator {
  readonly #options: SimulatorOptions;
  /** Names this simulator's orders among those of others at the same engine. */
  readonly #mark = `sim-${crypto.randomUUID().slice(0, 8)}.`;
  #state: SimulationState = "stopped";
  #runs = 0;
  #run: Run | null = null;
  /** Of the last run; before the first, prices of their own. */
  #spot: { readonly prices: SpotPrices; readonly nodes: readonly string[] } | null = null;
  /** Why the last run did not start, or ended by itself. */
  #failure: string | null = null;
  /** Why it is not known whether an order is left; null where none is. */
  #doubt: string | null = null;
  #starting: Promise<void> = Promise.resolve();
  #ending: Promise<RunEnd> | null = null;
  #endWait: () => void = () => {};
  #isClosed = false;

  constructor(options: SimulatorOptions) {
    this.#options = options;
  }

  status(): SimulationStatus {
    return statusReport(this.#state, this.#doubt ?? this.#failure, this.#run);
  }

  /** Resolves once everyone is connected. Throws SimulatorRefusal; then nothing is left of it. */
  async start(request: StartSimulationRequest): Promise<StartSimulationResponse> {
    if (this.#state === "stopping" || this.#isClosed) throw stoppingNow();
    if (this.#state === "stopped") {
      this.#starting = this.#begin(request);
      await this.#starting;
      return { ...this.status(), changed: true };
    }
    const difference = this.#run === null ? null : differenceFrom(this.#run.settings, request);
    if (difference !== null) {
      throw new SimulatorRefusal(
        "already_running",
        `a simulation runs that differs in its ${difference}; stop it first`,
      );
    }
    await this.#starting;
    return { ...this.status(), changed: false };
  }

  /** Works in every state. Throws SimulatorRefusal where it can't be known whether an order is left. */
  async stop(): Promise<StopSimulationResponse> {
    if (this.#state === "stopped") {
      return { ...this.status(), changed: false, ordersCancelled: 0, personasDisconnected: 0 };
    }
    const end = await this.#end(this.#failure);
    return { ...this.status(), changed: true, ...end };
  }

  async spot(hours: number): Promise<SpotResponse> {
    if (this.#spot === null) {
      const facts = await this.#facts();
      this.#spot ??= { prices: spotPricesOf(facts, drawnSeed(), this.#options.engine.now()), nodes: spotNodes(facts) };
    }
    return spotReport(this.#state, this.#spot.prices, this.#spot.nodes, hours);
  }

  trigger({ type, node, size, durationHours }: TriggerEventRequest): TriggerEventResponse {
    const work = this.#run?.work;
    if (this.#state !== "running" || work == null) {
      throw new SimulatorRefusal("not_running", `the simulation is ${this.#state}; start it first`);
    }
    const { prices, nodes } = work.plan;
    const request = { type, node: node ?? null, size, durationHours };
    const fault = eventFault(request, nodes, prices.activeEvents.length);
    if (fault !== null) throw new SimulatorRefusal("invalid_payload", fault);
    const { id } = work.simulation.triggerSpotEvent(request);
    const event = spotReport(this.#state, prices, nodes, 0).events.find((active) => active.id === id);
    if (event === undefined) throw new Error(`event ${id} is not among those that act`);
    return { event };
  }

  /** Ends it with its process, as far as the engine lets it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#endQuietly();
    this.#endWait();
  }

  async #begin(request: StartSimulationRequest): Promise<void> {
    const settings = settingsOf(request);
    const former = this.#run;
    const run: Run = { settings, work: null, endedAt: null };
    this.#state = "starting";
    this.#failure = null;
    this.#run = run;
    try {
      const facts = await this.#facts();
      if (this.#isStopped(run)) throw stoppingNow();
      run.work = this.#prepare(settings, facts);
    } catch (error) {
      if (this.#run === run) {
        this.#run = former;
        this.#state = "stopped";
      }
      throw error;
    }
    try {
      await run.work.simulation.start(START_PATIENCE_MS);
    } catch (error) {
      if (this.#isStopped(run)) throw stoppingNow();
      const reason = error instanceof Error ? error.message : String(error);
      await this.#end(reason);
      throw new SimulatorRefusal("engine_unavailable", reason);
    }
    if (this.#isStopped(run)) throw stoppingNow();
    this.#state = "running";
  }

  /** Whether somebody has stopped a run while it was starting. */
  #isStopped(run: Run): boolean {
    return this.#run !== run || this.#state !== "starting";
  }

  #prepare(settings: RunSettings, facts: MarketFacts): RunWork {
    const { engine } = this.#options;
    this.#runs += 1;
    const plan = planRun(settings, facts, `${this.#mark}${this.#runs}-`, engine.now);
    this.#spot = plan;
    return { plan, simulation: new SimulationRun(plan, engine, (reason) => this.#fail(reason)) };
  }

  /** Calls that come while it ends share one end. */
  #end(failure: string | null): Promise<RunEnd> {
    this.#state = "stopping";
    this.#endWait();
    this.#ending ??= this.#leave(failure).finally(() => {
      this.#ending = null;
    });
    return this.#ending;
  }

  async #leave(failure: string | null): Promise<RunEnd> {
    const run = this.#run;
    let end: RunEnd = { ordersCancelled: 0, personasDisconnected: 0 };
    if (run?.work != null) {
      const { plan, simulation } = run.work;
      end = await simulation.stop(LEAVE_PATIENCE_MS);
      run.endedAt ??= plan.clock.time();
      const found = await this.#cancelLeftOrders(plan);
      end = { ...end, ordersCancelled: end.ordersCancelled + found };
    }
    this.#failure = failure;
    this.#doubt = null;
    this.#state = "stopped";
    return end;
  }

  async #cancelLeftOrders(plan: SimulationPlan): Promise<number> {
    try {
      const options = { ...this.#options.engine, watchers: [plan.watchingUserId], mark: this.#mark };
      return await cancelLeftOrders(options, LOOK_PATIENCE_MS);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#doubt = `personas are disconnected; whether orders of theirs are open is unknown: ${reason}`;
      if (!this.#isClosed) this.#endWait = SYSTEM_TIMERS.after(LOOK_AGAIN_MS, () => void this.#endQuietly());
      throw new SimulatorRefusal("engine_unavailable", this.#doubt);
    }
  }

  /** The run can't go on. */
  #fail(reason: string): void {
    if (this.#state !== "running") return;
    this.#failure = reason;
    void this.#endQuietly();
  }

  async #endQuietly(): Promise<void> {
    try {
      await this.stop();
    } catch (error) {
      if (!(error instanceof SimulatorRefusal)) throw error;
      this.#options.engine.log.warn("{reason}", { reason: error.message });
    }
  }

  async #facts(): Promise<MarketFacts> {
    try {
      return await this.#options.facts();
    } catch (error) {
      throw new SimulatorRefusal("engine_unavailable", error instanceof Error ? error.message : String(error));
    }
  }
}

function stoppingNow(): SimulatorRefusal {
  return new SimulatorRefusal("stopping", "the simulation is stopping; start it once it has stopped");
}

function settingsOf({ preset, personas, seed, speed }: StartSimulationRequest): RunSettings {
  return {
    preset: preset ?? DEFAULT_PRESET,
    personas: personas ?? null,
    seed: seed ?? drawnSeed(),
    speed: speed ?? 1,
  };
}

/** The first thing that a request asks for and that is otherwise; null where all is so. */
function differenceFrom(settings: RunSettings, request: StartSimulationRequest): keyof StartSimulationRequest | null {
  for (const name of ["preset", "personas", "seed", "speed"] as const) {
    const asked = request[name];
    if (asked !== undefined && !Bun.deepEquals(asked, settings[name])) return name;
  }
  return null;
}

function drawnSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
