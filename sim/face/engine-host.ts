// The engine at work: the one place that calls it. It brings the clock, drives what is scheduled, and hands each
// execution on, in this order: audit trail, event history, directory, watched orders, then every subscriber.
//
// Invariants: time never goes back; what the clock has brought about is carried out before anything else, so no request
// meets a session that has ended; one execution has reached every subscriber before the next one begins. A subscriber
// must therefore not call back while it is being delivered to: one that is cut off is so after the delivery.

import type { Logger } from "../../core/logger.ts";
import type { ModuleData } from "../../core/modules/registry.ts";
import type { ResponseMessage, StateMessage } from "../../core/protocol/index.ts";
import type { MemoryAuditStore } from "../audit/memory-audit-store.ts";
import type { EngineRequest, EngineUser, Execution, MarketEngine } from "../engine/execution.ts";
import { DeadlineTimer } from "./deadline-timer.ts";
import { Directory } from "./directory.ts";
import { EventHistory } from "./event-history.ts";
import { OrderWatch } from "./order-watch.ts";
import { Publication } from "./publication.ts";
import type { Timers } from "./timers.ts";

/** A connection that has been welcomed. */
export interface Subscriber {
  readonly user: EngineUser;
  /** Whether the orders submitted for it are cancelled when it ends. */
  readonly cancelOnDisconnect: boolean;
  /** Takes one frame; false where the consumer is too slow and must be cut off. */
  deliver(frame: string): boolean;
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

export interface EngineHostOptions {
  readonly engine: MarketEngine;
  readonly audit: MemoryAuditStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
  /** Events kept for connections that resume. */
  readonly historySize?: number;
  /** The runtime's where absent. */
  readonly timers?: Timers;
}

/** How long after a failure the schedule is tried again. */
const RETRY_MS = 1000;

export class EngineHost {
  readonly history: EventHistory;
  readonly audit: MemoryAuditStore;
  readonly #engine: MarketEngine;
  readonly #clock: () => number;
  readonly #log: Logger;
  readonly #directory = new Directory();
  readonly #orders = new OrderWatch<Subscriber>();
  /** By user. */
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  readonly #timer: DeadlineTimer;
  #latestTime = 0;
  #stopped = false;

  constructor(options: EngineHostOptions) {
    this.#engine = options.engine;
    this.audit = options.audit;
    this.#clock = options.now;
    this.#log = options.log;
    this.history = new EventHistory(options.historySize);
    this.#timer = new DeadlineTimer(() => this.time(), () => this.#wake(), options.timers);
    this.#directory.apply(this.#engine.snapshot(this.time()));
    this.#timer.set(this.#engine.nextDeadline());
  }

  get epoch(): number {
    return this.#engine.epoch;
  }

  get sequence(): number {
    return this.#engine.sequence;
  }

  get connections(): number {
    return this.#subscribers.values().reduce((sum, subscribers) => sum + subscribers.size, 0);
  }

  /** Milliseconds of engine time: the clock, but never going back. */
  time(): number {
    this.#latestTime = Math.max(this.#latestTime, this.#clock());
    return this.#latestTime;
  }

  user(userId: string): EngineUser | undefined {
    return this.#engine.user(userId);
  }

  entities(): ModuleData<"ENTITY">[] {
    this.#catchUp();
    return this.#directory.entities();
  }

  users(): ModuleData<"USER">[] {
    this.#catchUp();
    return this.#directory.users();
  }

  /** Every module as of `sequence`; `announce` comes first. */
  snapshot(): Iterable<StateMessage> {
    return this.#engine.snapshot(this.time());
  }

  /** Carries out a request; with `reply`, its subscriber gets states, events and the response in one frame. */
  execute(request: EngineRequest, reply?: Reply): Execution {
    this.#catchUp();
    const execution = this.#attempt(request);
    if (reply?.to.cancelOnDisconnect) this.#watchOrder(request, execution, reply.to);
    this.#commit(execution, addressed(execution, reply));
    return execution;
  }

  /** Marks a user as connected, before the user's first subscription. */
  announce(userId: string): void {
    this.#catchUp();
    if (!this.#subscribers.has(userId)) this.#commit(this.#engine.setConnected(userId, true, this.time()));
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
    this.#catchUp();
    const orderIds = this.#orders.release(subscriber);
    if (orderIds.length > 0) this.#commit(this.#engine.cancelDisconnected(orderIds, this.time()));
    if (subscribers.size === 0) this.#commit(this.#engine.setConnected(userId, false, this.time()));
  }

  /** Stops driving the schedule. */
  stop(): void {
    this.#stopped = true;
    this.#timer.set(null);
  }

  #attempt(request: EngineRequest): Execution {
    try {
      return this.#engine.execute(request, this.time());
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

  /** A repeated request made no order, so its answer carries no state of one. */
  #watchOrder(request: EngineRequest, execution: Execution, subscriber: Subscriber): void {
    if (request.action !== "order.submit" || execution.response?.status !== "ok") return;
    const order = execution.response.result?.order;
    const orderId = typeof order === "object" && order !== null && "id" in order ? order.id : undefined;
    if (typeof orderId !== "string") return;
    if (execution.states.some(({ statePath }) => statePath === `/ORDER/${orderId}`)) {
      this.#orders.watch(orderId, subscriber);
    }
  }

  #catchUp(): void {
    const deadline = this.#engine.nextDeadline();
    const now = this.time();
    if (deadline !== null && deadline <= now) this.#commit(this.#engine.advance(now));
  }

  #commit(execution: Execution, response: AddressedResponse | null = null): void {
    this.audit.append(execution.audit);
    this.history.append(execution.events);
    this.#directory.apply(execution.states);
    this.#orders.apply(execution.states);
    this.#timer.set(this.#stopped ? null : this.#engine.nextDeadline());
    this.#publish(execution, response);
  }

  #publish(execution: Execution, response: AddressedResponse | null): void {
    const publication = new Publication(execution.states, execution.events);
    const slow: Subscriber[] = [];
    for (const subscribers of this.#subscribers.values()) {
      for (const subscriber of subscribers) {
        const body = publication.bodyFor(subscriber.user);
        const tail = response?.to === subscriber ? JSON.stringify(response.message) : "";
        if (body === "" && tail === "") continue;
        const comma = body === "" || tail === "" ? "" : ",";
        if (!subscriber.deliver(`[${body}${comma}${tail}]`)) slow.push(subscriber);
      }
    }
    for (const subscriber of slow) subscriber.cutOff();
  }

  #wake(): void {
    try {
      this.#catchUp();
      this.#timer.set(this.#engine.nextDeadline());
    } catch (error) {
      this.#log.error("the engine failed on its schedule", { error: describe(error) });
      this.#timer.set(this.time() + RETRY_MS);
    }
  }
}

function addressed(execution: Execution, reply: Reply | undefined): AddressedResponse | null {
  if (reply === undefined || execution.response === null) return null;
  return { to: reply.to, message: { kind: "response", requestId: reply.requestId, ...execution.response } };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}
