// The engine at work: the one place that calls it. It brings the clock, drives what is scheduled, and hands each
// execution on, in this order: audit trail, event history, directory, then every subscriber.
//
// Calls are carried out as they come, and their executions wait. What has come in one turn of the event loop is handed on
// together, so that a busy engine sends few frames; with a journal it is committed together before, so that nothing that
// the engine says can be lost. Whoever reads state for the outside has it handed on first. Where a commit fails,
// everything stops: what was carried out is nowhere but here.
//
// Invariants: time never goes back; what the clock has brought about is carried out before anything else, so no request
// meets a session that has ended; executions are handed on in their order, each to every subscriber before the next. A
// subscriber must therefore not call back while it is being delivered to: one that is cut off is so after the delivery.

import type { AuditReader } from "../../core/audit/audit-store.ts";
import type { Logger } from "../../core/logger.ts";
import type { ModuleData } from "../../core/modules/registry.ts";
import type { ResponseMessage, StateMessage } from "../../core/protocol/index.ts";
import type { SqliteAuditStore } from "../audit/sqlite-audit-store.ts";
import type { EngineRequest, EngineUser, Execution, MarketEngine } from "../engine/execution.ts";
import type { JournalCall } from "../journal/journal-call.ts";
import type { JournalWriter } from "../journal/journal-writer.ts";
import { concealSecret } from "../journal/secret-digest.ts";
import { DeadlineTimer } from "./deadline-timer.ts";
import { Directory } from "./directory.ts";
import { EventHistory } from "./event-history.ts";
import { orderMadeBy, OrderWatch } from "./order-watch.ts";
import { Publication } from "./publication.ts";
import type { HostPart } from "./recover-engine.ts";
import type { Timers } from "./timers.ts";

/** A connection that has been welcomed. */
export interface Subscriber {
  readonly user: EngineUser;
  /** Whether the orders submitted for it are cancelled when it ends. */
  readonly cancelOnDisconnect: boolean;
  /** Takes messages, serialised and separated by commas; false where the consumer is too slow and must be cut off. */
  deliver(messages: string): boolean;
  /** Sends what has been delivered. */
  send(): void;
  /** Ends a subscriber that `deliver` has given up. */
  cutOff(): void;
}

/** Whom a response goes to, and what it answers. */
export interface Reply {
  readonly to: Subscriber;
  readonly requestId: string;
}

interface AddressedResponse {
  readonly to: Subscriber;
  readonly message: ResponseMessage;
}

interface WaitingExecution {
  readonly execution: Execution;
  readonly response: AddressedResponse | null;
}

/** The journal could not be written: nothing more is answered. */
export class JournalFailure extends Error {}

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
  /** The events from before a restart; a new history where absent. */
  readonly history?: EventHistory;
  /** Orders of connections from before a restart, which are cancelled. */
  readonly leftOrders?: readonly string[];
  /** Digest of the secret in force, which an image of the state is kept with. */
  readonly secretDigest?: string | null;
  /** Called once where the journal can't be written. From then on every method throws JournalFailure. */
  readonly onFailure?: (failure: JournalFailure) => void;
  /** Calls `task` once all that has come in this turn of the event loop has been taken; setImmediate where absent. */
  readonly defer?: (task: () => void) => void;
  /** The runtime's where absent. */
  readonly timers?: Timers;
}

/** How long after a failure the schedule is tried again. */
const RETRY_MS = 1000;

export class EngineHost {
  readonly #options: EngineHostOptions;
  readonly #engine: MarketEngine;
  readonly #log: Logger;
  readonly #journal: JournalWriter | null;
  readonly #history: EventHistory;
  readonly #directory = new Directory();
  readonly #orders = new OrderWatch<Subscriber>();
  /** By user. */
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  readonly #timer: DeadlineTimer;
  /** Carried out and not yet handed on. */
  #waiting: WaitingExecution[] = [];
  #flushIsDeferred = false;
  #failure: JournalFailure | null = null;
  #latestTime = 0;
  #stopped = false;

  constructor(options: EngineHostOptions) {
    this.#options = options;
    this.#engine = options.engine;
    this.#log = options.log;
    this.#journal = options.journal ?? null;
    this.#history = options.history ?? new EventHistory(options.historySize);
    this.#timer = new DeadlineTimer(() => this.time(), () => this.#wake(), options.timers);
    this.#directory.apply(this.#engine.snapshot(this.time()));
    this.#timer.set(this.#engine.nextDeadline());
    this.#endFormerConnections(options.leftOrders ?? []);
  }

  get epoch(): number {
    return this.#engine.epoch;
  }

  get sequence(): number {
    return this.#engine.sequence;
  }

  /** The events that connections which resume can be sent. */
  get history(): EventHistory {
    this.flush();
    return this.#history;
  }

  get audit(): AuditReader {
    this.flush();
    return this.#options.audit;
  }

  get connections(): number {
    return this.#subscribers.values().reduce((sum, subscribers) => sum + subscribers.size, 0);
  }

  /** Milliseconds of engine time: the clock, but never going back. */
  time(): number {
    this.#latestTime = Math.max(this.#latestTime, this.#options.now());
    return this.#latestTime;
  }

  user(userId: string): EngineUser | undefined {
    return this.#engine.user(userId);
  }

  entities(): ModuleData<"ENTITY">[] {
    this.#catchUp();
    this.flush();
    return this.#directory.entities();
  }

  users(): ModuleData<"USER">[] {
    this.#catchUp();
    this.flush();
    return this.#directory.users();
  }

  /** Every module as of `sequence`; `announce` comes first. */
  snapshot(): Iterable<StateMessage> {
    this.flush();
    return this.#engine.snapshot(this.time());
  }

  /**
   * Carries out a request; with `reply`, its subscriber gets states, events and the response in one frame. The execution
   * that it returns may not yet be committed and handed on: `flush` first where it is shown to anyone.
   */
  execute(request: EngineRequest, reply?: Reply): Execution {
    this.#catchUp();
    const concealed = this.#journal === null ? request : concealSecret(this.epoch, request);
    const execution = this.#attempt(concealed, reply?.to.cancelOnDisconnect ?? false);
    if (reply?.to.cancelOnDisconnect) {
      const orderId = orderMadeBy(request, execution);
      if (orderId !== null) this.#orders.watch(orderId, reply.to);
    }
    this.#takeIn(execution, addressed(execution, reply));
    return execution;
  }

  /** Marks a user as connected, before the user's first subscription. */
  announce(userId: string): void {
    this.#catchUp();
    if (!this.#subscribers.has(userId)) this.#setConnected(userId, true);
  }

  subscribe(subscriber: Subscriber): void {
    const subscribers = this.#subscribers.get(subscriber.user.id);
    if (subscribers === undefined) this.#subscribers.set(subscriber.user.id, new Set([subscriber]));
    else subscribers.add(subscriber);
  }

  /** Ends a subscription: cancels its watched orders, and marks the user as gone with the last one. */
  unsubscribe(subscriber: Subscriber): void {
    const userId = subscriber.user.id;
    const subscribers = this.#subscribers.get(userId);
    if (subscribers === undefined || !subscribers.delete(subscriber)) return;
    if (subscribers.size === 0) this.#subscribers.delete(userId);
    if (this.#failure !== null) return;
    this.#catchUp();
    this.#cancelDisconnected(this.#orders.release(subscriber));
    if (subscribers.size === 0) this.#setConnected(userId, false);
  }

  /** Commits and hands on what has been carried out. Throws JournalFailure where that can't be done. */
  flush(): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.#waiting.length === 0) return;
    const journal = this.#journal;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#guard(() => {
      journal?.commit();
      for (const { execution } of waiting) this.#options.audit.append(execution.audit);
    });
    const slow = new Set<Subscriber>();
    for (const { execution, response } of waiting) this.#handOn(execution, response, slow);
    for (const subscriber of this.#allSubscribers()) if (!slow.has(subscriber)) subscriber.send();
    for (const subscriber of slow) subscriber.cutOff();
    if (journal?.imageDue && !journal.isBehind) this.#saveImage(journal);
  }

  /** Stops driving the schedule, and leaves an image in the journal. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#timer.set(null);
    if (this.#failure !== null) return;
    while (this.#waiting.length > 0) this.flush();
    if (this.#journal === null) return;
    if (this.#journal.hasNews) this.#saveImage(this.#journal);
    this.#journal.close();
  }

  #endFormerConnections(leftOrders: readonly string[]): void {
    this.#cancelDisconnected(leftOrders);
    for (const { id, connected } of this.#directory.users()) if (connected) this.#setConnected(id, false);
    this.flush();
  }

  #setConnected(userId: string, connected: boolean): void {
    const now = this.time();
    this.#note({ kind: "setConnected", userId, connected, now });
    this.#takeIn(this.#engine.setConnected(userId, connected, now));
  }

  #cancelDisconnected(orderIds: readonly string[]): void {
    if (orderIds.length === 0) return;
    const now = this.time();
    this.#note({ kind: "cancelDisconnected", orderIds, now });
    this.#takeIn(this.#engine.cancelDisconnected(orderIds, now));
  }

  #attempt(request: EngineRequest, cancelOnDisconnect: boolean): Execution {
    const now = this.time();
    this.#note({ kind: "execute", ...request, cancelOnDisconnect, now });
    try {
      return this.#engine.execute(request, now);
    } catch (error) {
      const { action, userId, operationId } = request;
      this.#log.error("the engine failed on a request", { action, userId, operationId, error: describe(error) });
      const message = "the engine failed on this request; whether it took effect is unknown";
      return {
        states: [],
        events: [],
        audit: [],
        response: { operationId, status: "error", code: "internal", message },
      };
    }
  }

  #catchUp(): void {
    if (this.#failure !== null) throw this.#failure;
    const deadline = this.#engine.nextDeadline();
    const now = this.time();
    if (this.#stopped || deadline === null || deadline > now) return;
    this.#note({ kind: "advance", now });
    this.#takeIn(this.#engine.advance(now));
  }

  /** Before the call is carried out, so that the journal has it also where the engine fails half way. */
  #note(call: JournalCall): void {
    if (this.#failure !== null) throw this.#failure;
    this.#journal?.note(call);
  }

  #flushLater(): void {
    if (this.#flushIsDeferred) return;
    this.#flushIsDeferred = true;
    (this.#options.defer ?? setImmediate)(() => this.#flushDeferred());
  }

  #flushDeferred(): void {
    this.#flushIsDeferred = false;
    if (this.#failure !== null) return;
    try {
      this.flush();
    } catch (error) {
      // Has been told by onFailure.
      if (!(error instanceof JournalFailure)) throw error;
    }
  }

  #takeIn(execution: Execution, response: AddressedResponse | null = null): void {
    this.#orders.apply(execution.states);
    this.#timer.set(this.#stopped ? null : this.#engine.nextDeadline());
    this.#waiting.push({ execution, response });
    this.#flushLater();
  }

  /** Subscribers that don't keep up join `slow`, and get no more. */
  #handOn({ states, events }: Execution, response: AddressedResponse | null, slow: Set<Subscriber>): void {
    this.#history.append(events);
    this.#directory.apply(states);
    const publication = new Publication(states, events);
    for (const subscriber of this.#allSubscribers()) {
      if (slow.has(subscriber)) continue;
      const messages = response?.to === subscriber
        ? publication.messagesWith(subscriber.user, response.message)
        : publication.messagesFor(subscriber.user);
      if (messages !== "" && !subscriber.deliver(messages)) slow.add(subscriber);
    }
  }

  *#allSubscribers(): Generator<Subscriber, void, undefined> {
    for (const subscribers of this.#subscribers.values()) yield* subscribers;
  }

  #saveImage(journal: JournalWriter): void {
    const { audit } = this.#options;
    const host: HostPart = {
      kind: "host",
      watchedOrders: this.#orders.all(),
      secretDigest: this.#options.secretDigest ?? null,
      auditPosition: audit.lastPosition,
    };
    const started = performance.now();
    this.#guard(() => {
      // The calls that could give these events again are dropped with the image.
      audit.sync();
      journal.saveImage(parts(host, this.#engine.image()));
    });
    this.#log.info("image of the state saved", { durationMs: Math.round(performance.now() - started) });
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fail(error);
      throw this.#failure ?? error;
    }
  }

  #fail(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#failure = new JournalFailure(`the journal can't be written: ${reason}`, { cause: error });
    this.#waiting = [];
    this.#timer.set(null);
    this.#options.onFailure?.(this.#failure);
  }

  #wake(): void {
    try {
      this.#catchUp();
      this.#timer.set(this.#engine.nextDeadline());
    } catch (error) {
      if (error instanceof JournalFailure) return;
      this.#log.error("the engine failed on its schedule", { error: describe(error) });
      this.#timer.set(this.time() + RETRY_MS);
    }
  }
}

function addressed(execution: Execution, reply: Reply | undefined): AddressedResponse | null {
  if (reply === undefined || execution.response === null) return null;
  return { to: reply.to, message: { kind: "response", requestId: reply.requestId, ...execution.response } };
}

function* parts(host: HostPart, image: Iterable<unknown>): Generator<unknown, void, undefined> {
  yield host;
  yield* image;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}
