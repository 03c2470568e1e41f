// Runs an engine: executes calls (engine-calls.ts) and scheduled changes, then commits and publishes their results in
// groups (group-commit.ts).
//
// Order of one execution: journal, audit trail, event history, entities and users, then every subscriber.
//
// Invariants: everything due by the clock is executed before a call, so no request meets a session that has ended.
// State is shown to clients only after a flush. After a failure every method that needs the engine throws the failure;
// calls executed before a broken invariant are still committed and published.

import type { AuditReader } from "../../../common/audit/audit-store.ts";
import type { ClockSetting, EngineTimes, EntityPositions, OrderBlocks } from "../../../protocol/index.ts";
import type { EngineAuditStore } from "../../audit/engine-audit-store.ts";
import type { EngineRequest, EngineUser, Execution, MarketEngine } from "../../api/market-engine.ts";
import type { PublishedState } from "../../api/messages.ts";
import type { Rejection } from "../../api/outcome.ts";
import { EngineCounters } from "../metrics/engine-counters.ts";
import { EventHistory } from "../publication/event-history.ts";
import { Publisher } from "../publication/publisher.ts";
import type { Reply, Subscriber, Subscribers } from "../publication/subscribers.ts";
import type { Updates } from "../publication/updates.ts";
import type { UserDirectory } from "../publication/user-directory.ts";
import type { BackupPoint } from "./backup-point.ts";
import { CancelOnDisconnectOrders } from "./cancel-on-disconnect.ts";
import { CheckpointSaver } from "./checkpoint-saver.ts";
import { EngineCalls } from "./engine-calls.ts";
import { dropReportedFailure, type InvariantFailure, JournalFailure, PublicationFailure } from "./engine-failure.ts";
import type { EngineHostOptions } from "./engine-host-options.ts";
import { FailStop } from "./fail-stop.ts";
import { GroupCommit } from "./group-commit.ts";
import type { Times } from "./market-clock.ts";
import { WakeUps } from "./wake-ups.ts";

export class EngineHost {
  readonly #engine: MarketEngine;
  readonly #calls: EngineCalls;
  readonly #audit: EngineAuditStore;
  readonly #publisher: Publisher;
  readonly #orders = new CancelOnDisconnectOrders<Subscriber>();
  readonly #failStop: FailStop;
  readonly #checkpoints: CheckpointSaver | null;
  readonly #commits: GroupCommit;
  readonly #wakeUps: WakeUps;
  readonly #isJournalled: boolean;
  #stopped = false;

  constructor(options: EngineHostOptions) {
    const { engine, engineId = "", audit, journal = null, log, secretDigest = null, defer = setImmediate } = options;
    const { counters = new EngineCounters() } = options;
    this.#engine = engine;
    const onFailure = (failure: InvariantFailure) => failStop.fail(failure, () => this.#commits.publish());
    this.#calls = new EngineCalls({ ...options, engineId, journal, counters, onFailure });
    this.#audit = audit;
    this.#isJournalled = journal !== null;
    const failStop = this.#failStop = new FailStop((failure) => {
      this.#wakeUps.end();
      options.onFailure?.(failure);
    });
    this.#publisher = new Publisher({
      history: options.history ?? new EventHistory(options.historySize),
      timers: options.timers,
      updateIntervalMs: options.updateIntervalMs,
      guard: (work) => dropReportedFailure(() => failStop.guard((cause) => new PublicationFailure(cause), work)),
    });
    const shared = { audit, failStop, publisher: this.#publisher, engine, orders: this.#orders, counters };
    audit.watch((cause) => failStop.fail(new JournalFailure(cause)));
    const maker = options.checkpointMaker ?? null;
    this.#checkpoints = journal && new CheckpointSaver({ ...shared, journal, maker, secretDigest, log, defer });
    this.#commits = new GroupCommit({ ...shared, journal, checkpoints: this.#checkpoints, defer });
    const onDeadline = () => dropReportedFailure(() => void this.#executeDue());
    const saveTime = () => dropReportedFailure(() => this.#saveTime());
    this.#publisher.directory.apply(engine.snapshot(this.marketTime()));
    this.#wakeUps = new WakeUps({ engine, calls: this.#calls, onDeadline, saveTime, timers: options.timers });
    this.#disconnectFormerUsers(options.leftOrders ?? []);
    if (options.newClock) this.#setClock(options.newClock);
  }

  get engine(): Pick<MarketEngine, "clock" | "epoch" | "figures" | "sequence" | "user"> {
    return this.#engine;
  }

  /** Market time, in milliseconds since the epoch. */
  marketTime(): number {
    return this.#calls.times().now;
  }

  /** What `welcome` and `pong` say about the time. */
  get times(): EngineTimes {
    const { now, realNow } = this.#calls.times();
    return {
      time: new Date(realNow).toISOString(),
      marketTime: new Date(now).toISOString(),
      clock: { ...this.#engine.clock },
    };
  }

  /** Why most requests are refused now; null: they are carried out. */
  get refusal(): Rejection | null {
    return this.#calls.refusal();
  }

  /** By how much the machine's clock is ahead of engine time while it is not followed; negative: behind; 0: it is followed. */
  get clockJumpMs(): number {
    return this.#calls.clockJumpMs();
  }

  /** Follows the machine's clock as it is, and carries out what is due. Returns the jump; 0: it was followed already. */
  acceptClock(): number {
    this.#failStop.check();
    const jumpMs = this.#calls.acceptClock();
    this.#executeDue();
    this.flush();
    return jumpMs;
  }

  /** Whether the engine has stopped for good. Its state may then be half changed. */
  get hasFailed(): boolean {
    return this.#failStop.hasFailed;
  }

  get subscribers(): Pick<Subscribers, "count" | "countOf"> {
    return this.#publisher.subscribers;
  }

  readHistory(): EventHistory {
    this.flush();
    return this.#publisher.history;
  }

  readAudit(): AuditReader {
    this.flush();
    return this.#audit;
  }

  readDirectory(): UserDirectory {
    this.#executeDue();
    this.flush();
    return this.#publisher.directory;
  }

  /** The positions of an entity; undefined if there is no such entity. */
  positions(entityId: string): EntityPositions | undefined {
    const { now } = this.#executeDue();
    this.flush();
    return this.#engine.positions(entityId, now);
  }

  /**
   * Every module that `viewer` may see, or all, read when the iterator reaches it. The caller must flush before it reads in a
   * later turn of the event loop.
   */
  snapshot(viewer?: EngineUser): Iterable<PublishedState> {
    this.flush();
    return this.#engine.snapshot(this.marketTime(), viewer);
  }

  /**
   * Everything committed by now, for a backup. Null without a journal. What it has stays in the journal until `release` is
   * called; one backup at a time.
   */
  backupPoint(): BackupPoint | null {
    const { now, realNow } = this.#executeDue();
    this.flush();
    if (this.#checkpoints === null) return null;
    const { upTo, release } = this.#checkpoints.keep();
    const { epoch, sequence } = this.#engine;
    return { upTo, epoch, sequence, auditPosition: this.#audit.lastPosition, marketTime: now, time: realNow, release };
  }

  /** MarketEngine.bookState. The caller must have flushed the host. */
  bookState(contractId: string): PublishedState | null {
    return this.#engine.bookState(contractId);
  }

  /** MarketEngine.explainOrder, as of now. */
  explainOrder(orderId: string, viewer: EngineUser): OrderBlocks | null {
    this.#executeDue();
    this.flush();
    return this.#engine.explainOrder(orderId, viewer);
  }

  /**
   * Executes a request. With `reply`, the subscriber gets the response, after the messages. The result is
   * not committed yet: flush before showing it to anyone.
   */
  execute(request: EngineRequest, reply: Reply | null = null): Execution {
    const times = this.#executeDue();
    const owner = reply?.to.cancelOnDisconnect ? reply.to : null;
    const execution = this.#calls.execute(request, owner !== null, times);
    if (owner !== null) this.#orders.addCreated(execution, owner);
    this.#commitLater(execution, reply);
    return execution;
  }

  /** Marks a user as connected. Must come before the user's first subscription. */
  announce(userId: string): void {
    if (this.subscribers.countOf(userId) === 0) this.#setConnected(userId, true);
    else this.#executeDue();
  }

  /** What a new subscriber of this user will have to take. The caller must have flushed the host, and subscribes at once. */
  updatesFor(user: EngineUser): Updates {
    return this.#publisher.updatesFor(user);
  }

  subscribe(subscriber: Subscriber): void {
    this.#publisher.subscribers.add(subscriber);
  }

  /** Cancels the subscriber's cancelOnDisconnect orders. Marks the user as disconnected if this was its last subscription. */
  unsubscribe(subscriber: Subscriber): void {
    if (!this.#publisher.subscribers.remove(subscriber) || this.hasFailed) return;
    this.#cancelDisconnected(this.#orders.takeOrdersOf(subscriber));
    const userId = subscriber.user.id;
    if (this.subscribers.countOf(userId) === 0) this.#setConnected(userId, false);
  }

  /** Commits and publishes everything executed so far. Throws the failure. */
  flush(): void {
    this.#commits.flush();
  }

  /** Ends the schedule, and saves a checkpoint. Throws the failure. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    if (!this.hasFailed && this.#engine.clock.mode === "fast") this.#saveTime();
    this.#stopped = true;
    this.#wakeUps.end();
    if (this.hasFailed) return;
    this.#commits.flush();
    this.#publisher.stop();
    await this.#checkpoints?.close();
  }

  /** Ends the schedule, and saves nothing, as if the process were killed. The caller closes journal and audit trail. */
  abandon(): void {
    this.#stopped = true;
    this.#wakeUps.end();
    this.#publisher.stop();
    this.#checkpoints?.abandon();
  }

  /** No connection survives a restart. */
  #disconnectFormerUsers(leftOrders: readonly string[]): void {
    this.#cancelDisconnected(leftOrders);
    for (const { id, connected } of this.#publisher.directory.users()) if (connected) this.#setConnected(id, false);
    this.flush();
  }

  #setClock(clock: ClockSetting): void {
    this.#executeAlone((times) => this.#calls.setClock(clock, times));
    this.flush();
  }

  #setConnected(userId: string, connected: boolean): void {
    this.#executeAlone((times) => this.#calls.setConnected(userId, connected, times));
  }

  #cancelDisconnected(orderIds: readonly string[]): void {
    if (orderIds.length > 0) this.#executeAlone((times) => this.#calls.cancelDisconnected(orderIds, times));
  }

  /** Executes a call that no request asked for. */
  #executeAlone(call: (times: Times) => Execution): void {
    this.#commitLater(call(this.#executeDue()));
  }

  /** Executes what is due by the clock. Returns the times of the next call, so nothing becomes due before that call. */
  #executeDue(): Times {
    this.#failStop.check();
    const times = this.#calls.times();
    const deadline = this.#engine.nextDeadline();
    if (!this.#stopped && deadline !== null && deadline <= times.now) this.#advance(times);
    return times;
  }

  /** Without a journal it is enough that somebody asks for the time (market-clock.ts). */
  #saveTime(): void {
    const times = this.#calls.times();
    if (this.#isJournalled) this.#advance(times);
  }

  #advance(times: Times): void {
    this.#commitLater(this.#calls.advance(times));
  }

  #commitLater(execution: Execution, reply: Reply | null = null): void {
    this.#orders.remove(execution.closedOrders);
    this.#wakeUps.follow();
    this.#commits.add({ execution, reply });
  }
}
