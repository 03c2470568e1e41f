// One run of the engine's process: it recovers from the disk, serves, and is then killed or stopped. After that none of its
// tasks run, and everything it had not sent is lost.

import type { AuditReader } from "../../../common/audit/audit-store.ts";
import { TokenStore } from "../../../common/http/token-store.ts";
import { logger } from "../../../common/logger.ts";
import type { ClockSetting } from "../../../protocol/index.ts";
import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { Engine } from "../../../engine/engine.ts";
import type { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { AdvanceResponses } from "../../../engine/server/connections/advance-responses.ts";
import { Connection } from "../../../engine/server/connections/connection.ts";
import { EngineHost } from "../../../engine/server/host/engine-host.ts";
import { DEFAULT_ENGINE_LIMITS } from "../../../common/http/guards/engine-limits.ts";
import { EngineFailure } from "../../../engine/server/host/engine-failure.ts";
import { recoverEngine } from "../../../engine/server/recovery/recover-engine.ts";
import { SendQueues } from "../../../engine/server/connections/send-queues.ts";
import { UserRates } from "../../../common/http/guards/user-rates.ts";
import { UnknownMessages } from "../../../engine/server/connections/unknown-messages.ts";
import type { JournalStore } from "../../../engine/journal/journal.ts";
import { CheckpointMakerHere } from "../support/checkpoint-maker.ts";
import { type SimulatedDisk, SimulatedJournal } from "./disk.ts";
import type { SimulatedMarket } from "./market.ts";
import type { Link } from "./network.ts";
import { EngineCounters } from "../../../engine/server/metrics/engine-counters.ts";
import type { Scheduler } from "./scheduler.ts";

interface ProcessWorld {
  readonly scheduler: Scheduler;
  readonly random: SeededRandom;
  readonly disk: SimulatedDisk;
  /** Survives every process, with all its records. */
  readonly audit: SqliteAuditStore;
  readonly market: SimulatedMarket;
  /** The clock of a new market; absent: real time. */
  readonly clock?: ClockSetting | undefined;
  /** The machine's clock, which may be behind the clock of the previous process. */
  readonly now: () => number;
  /** Wraps the simulated journal in a faulty one. */
  readonly journal?: (journal: SimulatedJournal, disk: SimulatedDisk) => JournalStore;
  readonly sendQueueBytes: number;
  readonly historySize: number;
  /** Called when the process has died, whatever the cause. */
  died(): void;
  violation(text: string): void;
}

/** Longest time that calls wait for a common commit. */
const MAX_DEFERRAL_MS = 15;
/** Longest time between two steps of a checkpoint, in the process that makes them the slowest. */
const MAX_STEP_MS = 300;
const HELLO_TIMEOUT_MS = 5000;
const log = logger("simulation");

export class EngineProcess {
  readonly engine: Engine;
  readonly #host: EngineHost;
  readonly #world: ProcessWorld;
  readonly #journal: SimulatedJournal;
  readonly #links = new Set<Link>();
  readonly #connections = new Set<Connection>();
  readonly #rates: UserRates;
  readonly #sendQueues = new SendQueues(DEFAULT_ENGINE_LIMITS.totalSendQueueBytes);
  #isAlive = true;

  /** Throws if the disk fails or the process is killed during the start. */
  constructor(world: ProcessWorld) {
    this.#world = world;
    this.#rates = new UserRates(DEFAULT_ENGINE_LIMITS, () => world.scheduler.now);
    const { scheduler, random, disk, market, now, historySize } = world;
    const timers = scheduler.scope(() => this.#isAlive);
    const stepMs = random.integer(1, MAX_STEP_MS);
    const pause = () => new Promise<void>((resolve) => void timers.after(random.integer(0, stepMs), resolve));
    this.#journal = new SimulatedJournal(disk, () => this.kill());
    const store = world.journal?.(this.#journal, disk) ?? this.#journal;
    try {
      const header = { engineId: "simulated", epoch: market.start * 1000, startedAt: market.start };
      const recovered = recoverEngine({
        store,
        audit: world.audit,
        header: () => ({ ...header, ...(world.clock && { clock: world.clock }), definition: market.definition }),
        secret: null,
        now,
        log,
        historySize,
        checkpointRecords: 1,
        recordsPerPart: 0,
      });
      this.engine = recovered.engine;
      this.#host = new EngineHost({
        ...recovered,
        now,
        log,
        timers,
        defer: (task) => void timers.after(random.integer(0, MAX_DEFERRAL_MS), task),
        checkpointMaker: new CheckpointMakerHere(store, disk, pause),
        onFailure: () => this.kill(),
      });
    } catch (error) {
      this.kill();
      throw error;
    }
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get audit(): AuditReader {
    return this.#host.readAudit();
  }

  accept(link: Link): void {
    this.#links.add(link);
    link.accept((socket) => {
      const timers = this.#world.scheduler.scope(() => this.#isAlive);
      const limits = { ...DEFAULT_ENGINE_LIMITS, sendQueueBytes: this.#world.sendQueueBytes };
      const connection = new Connection(
        {
          send: (text) => this.#isAlive ? socket.send(text) : 0,
          getBufferedAmount: () => socket.getBufferedAmount(),
          close: (code, reason) => this.#isAlive && socket.close(code, reason),
          terminate: () => this.#isAlive && socket.terminate(),
        },
        {
          host: this.#host,
          engineId: "simulated",
          tokens: new TokenStore({ token: null, file: null, variables: { token: "", file: "" }, log }),
          unknown: new UnknownMessages(log),
          log,
          helloTimeoutMs: HELLO_TIMEOUT_MS,
          limits,
          rates: this.#rates,
          sendQueues: this.#sendQueues,
          advances: new AdvanceResponses({ timers, queuedCharacters: () => this.#sendQueues.total }),
          counters: new EngineCounters(),
          timers,
        },
      );
      this.#connections.add(connection);
      return {
        receive: (frame) => this.#guard(() => connection.receive(frame)),
        drained: () => this.#guard(() => connection.drained()),
        closed: () => {
          this.#links.delete(link);
          this.#connections.delete(connection);
          this.#guard(() => connection.closed());
        },
      };
    });
  }

  kill(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    this.#journal.abandon();
    for (const link of this.#links) link.engineKilled();
    this.#world.died();
  }

  /** Stops in order, as SIGTERM does. */
  stop(): void {
    this.#guard(() => {
      for (const connection of this.#connections) connection.refuse("shutting_down", "the engine is shutting down");
      // The host commits at once, and its last checkpoint takes a few microtasks.
      this.#host.stop().then(() => this.kill(), (error) => {
        this.#guard(() => {
          throw error;
        });
      });
    });
  }

  #guard(work: () => void): void {
    if (!this.#isAlive) return;
    try {
      work();
    } catch (error) {
      if (error instanceof EngineFailure || !this.#isAlive) return this.kill();
      this.#world.violation(`the engine threw ${error instanceof Error ? error.stack : error}`);
    }
  }
}
