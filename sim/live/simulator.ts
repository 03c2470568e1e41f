// The simulator as the control API controls it: starts and stops runs, one at a time.
//
//   stopped -- start --> starting -- everyone connected --> running
//   starting, running -- stop, or a failure --> stopping -- no order of the run remains at the engine --> stopped
//
// A start during a run succeeds and changes nothing if the run has the requested settings, and is refused otherwise. The
// state becomes `stopped` only once a snapshot of the engine has shown that no order of a persona is open. If the engine
// can't be reached, the state stays `stopping`, `failure` says why, and the simulator keeps trying.

import { errorMessage } from "../../common/error-message.ts";
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
import { SYSTEM_TIMERS } from "../../common/timers.ts";
import { eventFault } from "../spot/spot-events.ts";
import { spotNodes } from "../spot/market-spot.ts";
import type { SpotPrices } from "../spot/spot-prices.ts";
import { LiveRun, type RunEnd } from "./live-run.ts";
import type { MarketFacts } from "./market-facts.ts";
import { cancelRemainingOrders } from "./remaining-orders.ts";
import { planRun, type RunPlan } from "./run-plan.ts";
import { differenceFrom, randomSeed, type RunSettings, settingsOf } from "./run-settings.ts";
import { SimulatorRefusal } from "./simulator-refusal.ts";
import { spotPricesOf, spotReport } from "./spot-report.ts";
import { type PlannedRun, type ReportedRun, statusReport } from "./status-report.ts";
import type { EngineAccess } from "./user-client.ts";

interface SimulatorOptions {
  readonly engine: EngineAccess;
  /** The facts of the market. Throws an Error of one line if they can't be read now. */
  readonly facts: () => MarketFacts | Promise<MarketFacts>;
  /**
   * Whether nobody was told spot prices before this process, so that a simulated past may be told. Otherwise the history begins
   * with this simulator's first prices.
   */
  readonly isNewMarket: boolean;
}

interface Run extends ReportedRun {
  planned: PlannedRun | null;
  endedAt: number | null;
  endSpeed: number | null;
}

/** How long a start may take until everyone is connected. */
const START_PATIENCE_MS = 10_000;
/** How long personas wait at a stop for their cancels to be confirmed. */
const LEAVE_PATIENCE_MS = 3_000;
/** How long a search for remaining orders tries to reach the engine. */
const SEARCH_PATIENCE_MS = 8_000;
const SEARCH_AGAIN_MS = 2_000;
/** How long a clock.advance waits for personas. */
const SETTLE_PATIENCE_MS = 5_000;

export class Simulator {
  /** Unique, so that this simulator's orders differ from those of another one at the same engine. */
  readonly #idPrefix = `sim-${crypto.randomUUID().slice(0, 8)}.`;
  #state: SimulationState = "stopped";
  #runs = 0;
  #run: Run | null = null;
  /** The spot prices of the last run; before the first run, separate ones. */
  #spot: { readonly prices: SpotPrices; readonly nodes: readonly string[] } | null = null;
  /** Market time of the first prices: hours that were over are not told; -Infinity in a new market. */
  #toldFrom = -Infinity;
  /** Why the last run failed to start, or failed while it ran. */
  #failure: string | null = null;
  /** Why it is unknown whether orders remain; null if none remain. */
  #doubt: string | null = null;
  #starting: Promise<void> = Promise.resolve();
  #ending: Promise<RunEnd> | null = null;
  #endWait: () => void = () => {};
  #isClosed = false;

  constructor(private readonly options: SimulatorOptions) {}

  status(): SimulationStatus {
    return statusReport(this.#state, this.#doubt ?? this.#failure, this.#run, this.options.engine.marketTime);
  }

  /** Resolves once everyone is connected. Throws SimulatorRefusal; then nothing of the run remains. */
  async start(request: StartSimulationRequest): Promise<StartSimulationResponse> {
    if (this.#state === "stopping" || this.#isClosed) throw stoppingNow();
    if (this.#state === "stopped") {
      this.#starting = this.#begin(request);
      await this.#starting;
      return { ...this.status(), changed: true };
    }
    const difference = this.#run === null
      ? null
      : differenceFrom({ ...this.#run.settings, speed: this.#speedOf(this.#run.settings) }, request);
    if (difference !== null) {
      const reason = `a simulation with a different ${difference} is running; stop it first`;
      throw new SimulatorRefusal("already_running", reason);
    }
    await this.#starting;
    return { ...this.status(), changed: false };
  }

  /** Speed of market time in the current run. */
  #speedOf({ speed }: RunSettings): number {
    const present = this.options.engine.marketTime.setting?.speed ?? 1;
    return this.#state === "starting" ? speed ?? present : present;
  }

  /** Works in every state. Throws SimulatorRefusal if it can't find out whether orders remain. */
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
      this.#beginTelling();
      this.#spot ??= {
        prices: spotPricesOf(facts, randomSeed(), this.options.engine.marketTime.time()),
        nodes: spotNodes(facts),
      };
    }
    return spotReport(this.#state, this.#spot.prices, this.#spot.nodes, hours, this.#toldFrom);
  }

  trigger({ type, node, size, durationHours }: TriggerEventRequest): TriggerEventResponse {
    const planned = this.#run?.planned;
    if (this.#state !== "running" || planned == null) {
      throw new SimulatorRefusal("not_running", `the simulation is ${this.#state}; start it first`);
    }
    const { prices, nodes } = planned.plan;
    const request = { type, node: node ?? null, size, durationHours };
    const fault = eventFault(request, nodes, prices.activeEvents.length);
    if (fault !== null) throw new SimulatorRefusal("invalid_payload", fault);
    const { id } = planned.live.triggerSpotEvent(request);
    const event = spotReport(this.#state, prices, nodes, 0).events.find((active) => active.id === id);
    if (event === undefined) throw new Error(`the triggered event ${id} is not active`);
    return { event };
  }

  /** In lockstep: resolves once the personas who are due now have acted and were answered, or nobody has acted for a while. */
  async settled(): Promise<void> {
    const { marketTime } = this.options.engine;
    const time = marketTime.time();
    let [acted, overdue] = [-1, 0];
    while (this.#state === "running") {
      const planned = this.#run?.planned;
      if (planned?.live.isSettledAt(time)) return;
      const { ended = 0 } = planned?.plan.clock ?? {};
      if (ended !== acted) [acted, overdue] = [ended, performance.now() + SETTLE_PATIENCE_MS];
      else if (performance.now() > overdue) return;
      await Bun.sleep(1);
    }
  }

  /** Stops the run when the process ends, as far as the engine can be reached. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#endQuietly();
    this.#endWait();
  }

  async #begin(request: StartSimulationRequest): Promise<void> {
    const settings = settingsOf(request);
    const run: Run = { settings, planned: null, endedAt: null, endSpeed: null };
    const { live } = await this.#prepare(run, this.#run);
    if (this.#isStopped(run)) throw stoppingNow();
    try {
      await live.start(START_PATIENCE_MS);
    } catch (error) {
      if (this.#isStopped(run)) throw stoppingNow();
      const reason = errorMessage(error);
      await this.#end(reason);
      throw new SimulatorRefusal("engine_unavailable", reason);
    }
    if (this.#isStopped(run)) throw stoppingNow();
    this.#state = "running";
  }

  /** Makes `run` the current run and plans it. If that fails the previous run is the current one again. */
  async #prepare(run: Run, previous: Run | null): Promise<PlannedRun> {
    this.#state = "starting";
    this.#failure = null;
    this.#run = run;
    try {
      const facts = await this.#facts();
      if (this.#isStopped(run)) throw stoppingNow();
      return run.planned = this.#plan(run.settings, facts);
    } catch (error) {
      if (this.#run === run) {
        this.#run = previous;
        this.#state = "stopped";
      }
      throw error;
    }
  }

  /** Whether somebody has stopped a run while it was starting. */
  #isStopped(run: Run): boolean {
    return this.#run !== run || this.#state !== "starting";
  }

  #plan(settings: RunSettings, facts: MarketFacts): PlannedRun {
    const { engine } = this.options;
    this.#runs += 1;
    this.#beginTelling();
    const earlier = this.#spot?.prices ?? null;
    const plan = planRun(settings, facts, `${this.#idPrefix}${this.#runs}-`, engine.marketTime, earlier);
    this.#spot = plan;
    return { plan, live: new LiveRun(plan, engine, (reason) => this.#fail(reason)) };
  }

  /** Before the first prices are made. */
  #beginTelling(): void {
    if (this.#spot === null && !this.options.isNewMarket) this.#toldFrom = this.options.engine.marketTime.time();
  }

  /** Calls that come while the run ends share one end. */
  #end(failure: string | null): Promise<RunEnd> {
    this.#state = "stopping";
    this.#endWait();
    return this.#ending ??= this.#endRun(failure).finally(() => this.#ending = null);
  }

  async #endRun(failure: string | null): Promise<RunEnd> {
    const run = this.#run;
    let end: RunEnd = { ordersCancelled: 0, personasDisconnected: 0 };
    if (run?.planned != null) {
      const { plan, live } = run.planned;
      run.endSpeed ??= plan.clock.speed;
      end = await live.stop(LEAVE_PATIENCE_MS);
      run.endedAt ??= plan.clock.time();
      // The speed is set back meanwhile: an engine that is gone is waited for once.
      const remaining = await this.#cancelRemainingOrders(plan).finally(() => live.speedSetBack);
      end = { ...end, ordersCancelled: end.ordersCancelled + remaining };
    }
    this.#failure = failure;
    this.#doubt = null;
    this.#state = "stopped";
    return end;
  }

  async #cancelRemainingOrders({ watchingUserId }: RunPlan): Promise<number> {
    try {
      const options = { ...this.options.engine, watcher: watchingUserId, idPrefix: this.#idPrefix };
      return await cancelRemainingOrders(options, SEARCH_PATIENCE_MS);
    } catch (error) {
      this.#doubt = `personas are disconnected; it is unknown whether their orders are open: ${errorMessage(error)}`;
      if (!this.#isClosed) this.#endWait = SYSTEM_TIMERS.after(SEARCH_AGAIN_MS, () => void this.#endQuietly());
      throw new SimulatorRefusal("engine_unavailable", this.#doubt);
    }
  }

  /** Ends a run whose users the engine refuses. */
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
      this.options.engine.log.warn("{reason}", { reason: error.message });
    }
  }

  async #facts(): Promise<MarketFacts> {
    try {
      return await this.options.facts();
    } catch (error) {
      throw new SimulatorRefusal("engine_unavailable", errorMessage(error));
    }
  }
}

function stoppingNow(): SimulatorRefusal {
  return new SimulatorRefusal("stopping", "the simulation is stopping; start it once it has stopped");
}
