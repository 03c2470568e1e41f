// One simulated run: an engine's process with its disk, five traders and an operator on a bad network, and accidents. One
// seed decides everything. The same seed gives the same run: the hash of its trace shows that.

import type { ClockSetting } from "../../../protocol/index.ts";
import type { Engine } from "../../../engine/engine.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import type { JournalStore } from "../../../engine/journal/journal.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { USERS } from "../support/market.ts";
import { type ClientTraits, SimulatedClient } from "./client.ts";
import { type DiskAccident, SimulatedDisk, type SimulatedJournal } from "./disk.ts";
import { EngineProcess } from "./engine-process.ts";
import { operatorIntention, traderIntention } from "./intentions.ts";
import { marketOf, TRADERS } from "./market.ts";
import { type End, Link } from "./network.ts";
import { Scheduler } from "./scheduler.ts";
import { judge } from "./verdict.ts";
import { snapshotOf } from "../../support/executions.ts";

export interface SimulationOptions {
  /** The market clock; absent: market time is real time. Real time is then months later. */
  readonly clock?: ClockSetting;
  /** Wraps the simulated journal in a faulty one. */
  readonly journal?: (journal: SimulatedJournal, disk: SimulatedDisk) => JournalStore;
  /** Receives every line of the trace. */
  readonly trace?: (line: string) => void;
}

interface Report {
  readonly seed: number;
  /** Empty if the run passed every check. */
  readonly violations: readonly string[];
  /** Hash of the trace. */
  readonly hash: string;
  readonly counts: Readonly<
    Record<"operations" | "orders" | "fills" | "kills" | "records" | "cuts" | "gaps" | "refusals", number>
  >;
}

const CHAOS_MS = 18_000;
const SETTLING_MS = 60_000;
const QUIET_MS = 8000;
const OPERATIONS = 36;
const MAX_LAG_MS = 5000;
/** Further violations of a run usually follow from the first. */
const VIOLATIONS_KEPT = 8;
const REAL_TIME_AHEAD_MS = 300 * 86_400_000;

export async function simulate(seed: number, options: SimulationOptions = {}): Promise<Report> {
  const run = new Run(seed, options);
  return await run.report();
}

class Run {
  readonly market;
  readonly scheduler: Scheduler;
  readonly disk: SimulatedDisk;
  readonly clients: SimulatedClient[];
  readonly violations: string[] = [];
  readonly #random: SeededRandom;
  readonly #auditRandom: SeededRandom;
  readonly #audit: SqliteAuditStore;
  /** Number of audit records that survive every kill. */
  #syncedAudit = 0;
  readonly #counts = { operations: 0, orders: 0, fills: 0, kills: 0, records: 0, cuts: 0, gaps: 0, refusals: 0 };
  readonly #starts: number[] = [];
  #hash = 0n;
  #process: EngineProcess | null = null;
  #chaos = true;

  constructor(readonly seed: number, readonly options: SimulationOptions) {
    this.market = marketOf(seed);
    this.scheduler = new Scheduler(this.market.start + (options.clock === undefined ? 0 : REAL_TIME_AHEAD_MS));
    this.#random = new SeededRandom(seed);
    this.#auditRandom = new SeededRandom(seed + 1);
    this.#audit = SqliteAuditStore.inMemory({ now: () => this.scheduler.now });
    const sync = this.#audit.sync.bind(this.#audit);
    this.#audit.sync = () => {
      sync();
      this.#syncedAudit = this.#audit.lastPosition;
    };
    this.disk = new SimulatedDisk(this.#fork());
    this.clients = this.#traits().map((traits) =>
      new SimulatedClient(traits, {
        scheduler: this.scheduler,
        random: this.#fork(),
        connect: (end) => this.#connect(end),
        violation: (text) => this.#violation(text),
        trace: (text) => this.#trace(text),
      })
    );
  }

  async report(): Promise<Report> {
    const { scheduler, clients, seed } = this;
    this.#startProcess();
    for (const client of clients) client.start();
    this.#planChaos();
    await scheduler.runUntil(scheduler.now + CHAOS_MS);
    this.#chaos = false;
    this.disk.nextAccident = null;
    for (const client of clients) client.rest();
    const deadline = scheduler.now + SETTLING_MS;
    do await scheduler.runUntil(scheduler.now + QUIET_MS); while (
      !clients.every((client) => client.isSettled) && scheduler.now < deadline
    );
    await this.#judge();
    return { seed, violations: this.violations, hash: this.#hash.toString(16), counts: this.#counts };
  }

  #traits(): ClientTraits[] {
    const traders = TRADERS.map((userId, number) => ({
      name: `${userId}#${number}`,
      userId,
      cancelOnDisconnect: number % 2 === 1,
      operations: OPERATIONS,
      intend: traderIntention,
    }));
    const operator = { cancelOnDisconnect: false, operations: 5, intend: operatorIntention };
    return [...traders, { ...operator, name: "operator", userId: USERS.operator }];
  }

  async #judge(): Promise<void> {
    const { clients, disk, market } = this;
    const process = this.#process;
    if (process === null) return this.#violation("no engine serves at the end");
    for (const { traits, isSettled } of clients) if (!isSettled) this.#violation(`${traits.name} is not settled`);
    const { engine, audit } = process;
    try {
      await judge({
        starts: this.#starts,
        clients,
        engine,
        audit,
        disk,
        market,
        now: this.#marketTime(engine),
        violation: (text) => this.#violation(text),
      });
    } catch (error) {
      this.#violation(`judging failed: ${error instanceof Error ? error.stack : error}`);
    }
    for (const state of snapshotOf(engine, this.#marketTime(engine))) {
      this.#trace(JSON.stringify(state));
      if (state.statePath.startsWith("/ORDER/")) this.#counts.orders += 1;
      if (state.statePath.startsWith("/FILL/")) this.#counts.fills += 1;
    }
    this.#counts.records = disk.history.length;
    for (const client of clients) {
      this.#counts.operations += client.operations.length;
      this.#counts.gaps += client.gaps.length;
      this.#counts.refusals += client.refusals;
    }
  }

  #marketTime(engine: Engine): number {
    return this.options.clock === undefined ? this.scheduler.now : engine.now;
  }

  #startProcess(): void {
    const { scheduler, disk, market, options } = this;
    const lagMs = this.#random.next() < 0.4 ? this.#random.integer(0, MAX_LAG_MS) : 0;
    const now = () => scheduler.now - lagMs;
    this.#starts.push(now());
    try {
      this.#process = new EngineProcess({
        scheduler,
        random: this.#fork(),
        disk,
        audit: this.#audit,
        market,
        clock: options.clock,
        now,
        journal: options.journal,
        sendQueueBytes: 30_000,
        historySize: this.seed % 5 === 0 ? 40 : 100_000,
        died: () => this.#processDied(),
        violation: (text) => this.#violation(text),
      });
      this.#trace("engine started");
    } catch (error) {
      this.#trace(`engine did not start: ${error instanceof Error ? error.message : error}`);
      if (!this.#chaos) this.#violation(`the engine does not start: ${error instanceof Error ? error.stack : error}`);
    }
  }

  #processDied(): void {
    this.#trace("engine died");
    this.#audit.truncate(this.#auditRandom.integer(this.#syncedAudit, this.#audit.lastPosition));
    this.#process = null;
    this.#counts.kills += 1;
    this.scheduler.after(this.#random.integer(50, 1500), () => this.#startProcess());
  }

  #connect(end: End): Link | null {
    if (this.#process === null) return null;
    const random = this.#fork();
    const greatestLatencyMs = random.next() < 0.5 ? 5 : 150;
    const traits = { leastLatencyMs: 1, greatestLatencyMs, greatestDetectionMs: 1500 };
    const link = new Link(this.scheduler, random, traits, end);
    this.#process.accept(link);
    return link;
  }

  #planChaos(): void {
    this.scheduler.after(this.#random.integer(100, 2200), () => {
      if (!this.#chaos) return;
      this.#harm();
      this.#planChaos();
    });
  }

  #harm(): void {
    const random = this.#random;
    const client = this.clients[random.integer(0, this.clients.length - 1)];
    const choice = random.next();
    this.#trace(`harm ${choice} ${client?.traits.name}`);
    if (choice < 0.3) {
      this.#counts.cuts += 1;
      client?.link?.cut();
    } else if (choice < 0.45) client?.link?.stall(random.integer(200, 5000));
    else if (choice < 0.55) client?.disconnect();
    else if (choice < 0.7) this.#process?.kill();
    else if (choice < 0.78) this.#process?.stop();
    else if (choice < 0.95) this.disk.nextAccident = (random.next() < 0.7 ? "kill" : "failure") satisfies DiskAccident;
  }

  /** Each part has its own random numbers, so a change in one part does not change the others. */
  #fork(): SeededRandom {
    return new SeededRandom(this.#random.integer(1, 2 ** 31));
  }

  #violation(text: string): void {
    this.#trace(`VIOLATION ${text}`);
    if (this.violations.length < VIOLATIONS_KEPT) this.violations.push(text);
  }

  #trace(text: string): void {
    const line = `${this.scheduler.now - this.market.start} ${text}`;
    this.#hash = BigInt(Bun.hash(line, this.#hash));
    this.options.trace?.(line);
  }
}
