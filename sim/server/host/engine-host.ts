// The engine at work. It carries out calls (engine-calls.ts), drives what is scheduled, and hands each execution on, in this
// order: audit trail, event history, directory, then every subscriber (publisher.ts).
//
// Calls are carried out as they come, and their executions wait. What has come in one turn of the event loop is handed on
// together, so that a busy engine sends few frames. With a journal it is committed before that, so nothing that the engine
// confirmed can be lost. Whoever reads state for the outside has it handed on first.
//
// If a commit fails, or the engine meets a broken invariant, everything stops (host-failure.ts). What was carried out before
// a broken invariant is still committed and handed on.
//
// Invariants: what the clock has brought about is carried out before anything else, so no request meets a session that has
// ended; executions are handed on in their order.

import type { AuditReader } from "../../../common/audit/audit-store.ts";
import type { Logger } from "../../../common/logger.ts";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import type { StateMessage } from "../../../protocol/index.ts";
import type { SqliteAuditStore } from "../../audit/sqlite-audit-store.ts";
import type { EngineRequest, EngineUser, Execution, MarketEngine } from "../../engine/api/market-engine.ts";
import type { JournalWriter } from "../../journal/journal-writer.ts";
import { DeadlineTimer } from "./deadline-timer.ts";
import { EngineCalls } from "./engine-calls.ts";
import { EventHistory } from "../publication/event-history.ts";
import { EngineFailure, JournalFailure, PublicationFailure } from "./engine-failure.ts";
import { CancelOnDisconnectOrders, orderMadeBy } from "./cancel-on-disconnect.ts";
import { Publisher, type WaitingExecution } from "../publication/publisher.ts";
import type { HostPart } from "./host-part.ts";
import type { AddressedResponse, Reply, Subscriber } from "../publication/subscribers.ts";
import type { Timers } from "../../../common/timers.ts";

export interface EngineHostOptions {
  readonly engine: MarketEngine;
  readonly audit: SqliteAuditStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
  /** Events kept for connections that resume. */
  readonly historySize?: number;
  /** Where calls are kept; null or absent: nowhere. */
  readonly journal?: JournalWriter | null;
  /** The events from before a restart; a new history if absent. */
  readonly history?: EventHistory;
  /** Orders of connections from before a restart, which are cancelled. */
  readonly leftOrders?: readonly string[];
  /** Digest of the secret in force, which a checkpoint of the state is kept with. */
  readonly secretDigest?: string | null;
  /** Called once if the engine can't go on. From then on every method throws the failure. */
  readonly onFailure?: (failure: EngineFailure) => void;
  /** Calls `task` once all that has come in this turn of the event loop has been taken; setImmediate if absent. */
  readonly defer?: (task: () => void) => void;
  /** The runtime's if absent. */
  readonly timers?: Timers;
}

export class EngineHost {
  readonly #options: EngineHostOptions;
  readonly #calls: EngineCalls;
  readonly #log: Logger;
  readonly #journal: JournalWriter | null;
  readonly #publisher: Publisher;
  readonly #orders = new CancelOnDisconnectOrders<Subscriber>();
  readonly #timer: DeadlineTimer;
  /** Carried out and not yet handed on. */
  #waiting: WaitingExecution[] = [];
  #flushIsDeferred = false;
  #failure: EngineFailure | null = null;
  #stopped = false;

  constructor(options: EngineHostOptions) {
    const { engine, journal = null, now } = options;
    this.#options = options;
    this.#log = options.log;
    this.#journal = journal;
    this.#calls = new EngineCalls({ engine, journal, now, log: options.log });
    this.#publisher = new Publisher(options.history ?? new EventHistory(options.historySize));
    this.#timer = new DeadlineTimer(() => this.time(), () => this.#wake(), options.timers);
    this.#publisher.directory.apply(this.#calls.snapshot());
    this.#timer.set(this.#calls.deadline);
    this.#endFormerConnections(options.leftOrders ?? []);
  }

  get epoch(): number {
    return this.#calls.epoch;
  }

  get sequence(): number {
    return this.#calls.sequence;
  }

  /** Whether it has stopped for good; its state may then be half changed. */
  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** The events that connections which resume can be sent. */
  get history(): EventHistory {
    this.flush();
    return this.#publisher.history;
  }

  get audit(): AuditReader {
    this.flush();
    return this.#options.audit;
  }

  get connections(): number {
    return this.#publisher.subscribers.count;
  }

  connectionsOf(userId: string): number {
    return this.#publisher.subscribers.countOf(userId);
  }

  /** Milliseconds of engine time: the clock, but never going back. */
  time(): number {
    return this.#calls.time();
  }

  user(userId: string): EngineUser | undefined {
    return this.#calls.user(userId);
  }

  entities(): ModuleData<"ENTITY">[] {
    this.#catchUp();
    this.flush();
    return this.#publisher.directory.entities();
  }

  users(): ModuleData<"USER">[] {
    this.#catchUp();
    this.flush();
    return this.#publisher.directory.users();
  }

  /**
   * Every module, each as of when it is taken. It must only be taken while nothing waits to be handed on; `announce` comes
   * first.
   */
  snapshot(): Iterable<StateMessage> {
    this.flush();
    return this.#calls.snapshot();
  }

  /**
   * Carries out a request; with `reply`, its subscriber gets states, events and the response in one frame. The execution
   * that it returns may not yet be committed and handed on: `flush` before it is shown to anyone.
   */
  execute(request: EngineRequest, reply?: Reply): Execution {
    const now = this.#catchUp();
    const cancelOnDisconnect = reply?.to.cancelOnDisconnect ?? false;
    const execution = this.#carryOut(() => this.#calls.execute(request, cancelOnDisconnect, now));
    if (reply !== undefined && cancelOnDisconnect) {
      const orderId = orderMadeBy(request, execution);
      if (orderId !== null) this.#orders.watch(orderId, reply.to);
    }
    this.#takeIn(execution, addressed(execution, reply));
    return execution;
  }

  /** Marks a user as connected, before the user's first subscription. */
  announce(userId: string): void {
    if (this.connectionsOf(userId) === 0) this.#setConnected(userId, true);
    else this.#catchUp();
  }

  subscribe(subscriber: Subscriber): void {
    this.#publisher.subscribers.add(subscriber);
  }

  /** Ends a subscription: cancels its watched orders, and marks the user as gone with the last one. */
  unsubscribe(subscriber: Subscriber): void {
    if (!this.#publisher.subscribers.remove(subscriber) || this.#failure !== null) return;
    this.#cancelDisconnected(this.#orders.release(subscriber));
    const userId = subscriber.user.id;
    if (this.connectionsOf(userId) === 0) this.#setConnected(userId, false);
  }

  /** Commits and hands on what has been carried out. Throws the failure if that can't be done. */
  flush(): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.#waiting.length === 0) return;
    this.#handOnWaiting();
    const journal = this.#journal;
    if (journal?.checkpointDue && !journal.isBehind) this.#saveCheckpoint(journal);
  }

  /** Stops driving the schedule, and leaves a checkpoint in the journal. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#timer.set(null);
    if (this.#failure !== null) return;
    while (this.#waiting.length > 0) this.flush();
    if (this.#journal === null) return;
    if (this.#journal.hasNews) this.#saveCheckpoint(this.#journal);
    this.#journal.close();
  }

  #endFormerConnections(leftOrders: readonly string[]): void {
    this.#cancelDisconnected(leftOrders);
    for (const { id, connected } of this.#publisher.directory.users()) if (connected) this.#setConnected(id, false);
    this.flush();
  }

  #setConnected(userId: string, connected: boolean): void {
    const now = this.#catchUp();
    this.#takeIn(this.#carryOut(() => this.#calls.setConnected(userId, connected, now)));
  }

  #cancelDisconnected(orderIds: readonly string[]): void {
    if (orderIds.length === 0) return;
    const now = this.#catchUp();
    this.#takeIn(this.#carryOut(() => this.#calls.cancelDisconnected(orderIds, now)));
  }

  /** Carries out what is due, and gives the time of the call that comes next: nothing becomes due in between. */
  #catchUp(): number {
    if (this.#failure !== null) throw this.#failure;
    const now = this.time();
    const { deadline } = this.#calls;
    if (!this.#stopped && deadline !== null && deadline <= now) {
      this.#takeIn(this.#carryOut(() => this.#calls.advance(now)));
    }
    return now;
  }

  #carryOut(call: () => Execution): Execution {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      this.#fail(error, () => this.#handOnWaiting());
      throw this.#failure ?? error;
    }
  }

  #takeIn(execution: Execution, response: AddressedResponse | null = null): void {
    this.#orders.apply(execution.states);
    this.#timer.set(this.#stopped ? null : this.#calls.deadline);
    this.#waiting.push({ execution, response });
    this.#flushLater();
  }

  #flushLater(): void {
    if (this.#flushIsDeferred) return;
    this.#flushIsDeferred = true;
    (this.#options.defer ?? setImmediate)(() => {
      this.#flushIsDeferred = false;
      if (this.#failure === null) this.#untilFailure(() => this.flush());
    });
  }

  /** Commits and hands on, in that order. */
  #handOnWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#guard((cause) => new JournalFailure(cause), () => {
      this.#journal?.commit();
      for (const { execution } of waiting) this.#options.audit.append(execution.audit);
    });
    this.#guard((cause) => new PublicationFailure(cause), () => this.#publisher.handOn(waiting));
  }

  #saveCheckpoint(journal: JournalWriter): void {
    const { audit } = this.#options;
    const host: HostPart = {
      kind: "host",
      watchedOrders: this.#orders.all(),
      secretDigest: this.#options.secretDigest ?? null,
      auditPosition: audit.lastPosition,
    };
    const started = performance.now();
    let isSaved = false;
    this.#guard((cause) => new JournalFailure(cause), () => {
      // The calls that could give the audit events again are dropped with the checkpoint.
      isSaved = journal.saveCheckpoint(parts(host, this.#calls.checkpoint()), () => audit.sync());
    });
    if (isSaved) {
      this.#log.info("checkpoint of the state saved", { durationMs: Math.round(performance.now() - started) });
    }
  }

  #guard(failureOf: (cause: unknown) => EngineFailure, work: () => void): void {
    try {
      work();
    } catch (error) {
      // A failure in the work, as of a subscriber that left, has been told already.
      if (!(error instanceof EngineFailure)) this.#fail(failureOf(error));
      throw this.#failure ?? error;
    }
  }

  /** `last`: what still has to be done, and fails with it. */
  #fail(failure: EngineFailure, last: () => void = () => {}): void {
    if (this.#failure !== null) return;
    this.#failure = failure;
    this.#timer.set(null);
    this.#untilFailure(last);
    this.#waiting = [];
    this.#options.onFailure?.(failure);
  }

  #wake(): void {
    this.#untilFailure(() => {
      this.#catchUp();
      this.#timer.set(this.#calls.deadline);
    });
  }

  /** A failure has been told by onFailure. */
  #untilFailure(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
    }
  }
}

function addressed(execution: Execution, reply: Reply | undefined): AddressedResponse | null {
  if (reply === undefined || execution.response === null) return null;
  return { to: reply.to, message: { kind: "response", requestId: reply.requestId, ...execution.response } };
}

function* parts(host: HostPart, checkpoint: Iterable<unknown>): Generator<unknown, void, undefined> {
  yield host;
  yield* checkpoint;
}
