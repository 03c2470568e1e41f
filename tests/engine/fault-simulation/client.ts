// A simulated client. It connects, resumes and sends requests. It repeats unanswered requests with the same operationId, and
// answered ones on purpose with the same or other content. It records everything it receives, and reports at once anything
// that the protocol forbids.

import {
  type EngineMessage,
  type EventMessage,
  PROTOCOL_VERSION,
  type ResponseMessage,
  type StateMessage,
} from "../../../protocol/index.ts";
import type { AnyModuleData } from "../../../protocol/modules/registry.ts";
import type { EngineUser } from "../../../engine/api/market-engine.ts";
import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { conflicting, type Intention, type Knowledge } from "./intentions.ts";
import type { End, Link } from "./network.ts";
import type { Scheduler } from "./scheduler.ts";
import { ClientModules } from "../../support/client-modules.ts";
import { maySeeMessage } from "../../support/executions.ts";

export interface ClientTraits {
  readonly name: string;
  readonly userId: string;
  readonly cancelOnDisconnect: boolean;
  /** Number of operations in total. */
  readonly operations: number;
  readonly intend: (random: SeededRandom, knowledge: Knowledge) => Intention;
}

export interface Operation extends Intention {
  readonly operationId: string;
  /** Numbers of the connections on which it was sent. */
  readonly connections: number[];
  /** The `validUntil` of each of its requests that had one. */
  readonly validUntil: string[];
  /** The first answer with its outcome. */
  answer: ResponseMessage | null;
}

interface ClientWorld {
  readonly scheduler: Scheduler;
  readonly random: SeededRandom;
  /** Null while no engine listens. */
  connect(end: End): Link | null;
  violation(text: string): void;
  trace(text: string): void;
}

interface Request {
  readonly operation: Operation;
  readonly conflicts: boolean;
}

const MAX_OUTSTANDING = 4;
const ANSWER_PATIENCE_MS = 4000;

export class SimulatedClient implements End {
  readonly operations: Operation[] = [];
  /** As the client would show them. */
  modules = new ClientModules();
  /** Events by number. */
  readonly events = new Map<number, EventMessage>();
  readonly gaps: { readonly from: number; readonly to: number }[] = [];
  /** Number of the last event it has received completely; null before its first snapshot. */
  coveredAfter: number | null = null;
  lastSequence = 0;
  epoch: number | null = null;
  connection = 0;
  isReady = false;
  refusals = 0;
  #link: Link | null = null;
  #user: EngineUser | null = null;
  #staged: ClientModules | null = null;
  /** Number of the newest event that its snapshot contains. */
  #snapshotAt = 0;
  #requests = new Map<string, Request>();
  #requestCount = 0;
  #resting = false;

  constructor(readonly traits: ClientTraits, readonly world: ClientWorld) {}

  get link(): Link | null {
    return this.#link;
  }

  get isSettled(): boolean {
    return this.isReady && this.operations.every(({ answer }) => answer !== null) && this.#requests.size === 0;
  }

  start(): void {
    const { scheduler, random } = this.world;
    scheduler.after(random.integer(0, 500), () => this.#connect());
    this.#planNext();
  }

  /** Stops new operations. Unanswered operations are still repeated. */
  rest(): void {
    this.#resting = true;
  }

  disconnect(): void {
    this.#link?.closeFromClient();
    this.closed();
  }

  receive(frame: string): void {
    this.world.trace(`${this.traits.name}.${this.connection} ${frame}`);
    const parsed: unknown = JSON.parse(frame);
    const messages = (Array.isArray(parsed) ? parsed : [parsed]) as EngineMessage[];
    for (const message of messages) this.#take(message);
  }

  closed(): void {
    if (this.#link === null) return;
    this.world.trace(`${this.traits.name}.${this.connection} closed`);
    this.#link = null;
    this.isReady = false;
    this.#staged = null;
    this.#requests = new Map();
    const { scheduler, random } = this.world;
    scheduler.after(random.integer(20, 1200), () => this.#connect());
  }

  #connect(): void {
    const { scheduler, random } = this.world;
    this.connection += 1;
    this.#link = this.world.connect(this);
    if (this.#link === null) {
      scheduler.after(random.integer(100, 600), () => this.#connect());
      return;
    }
    const { userId, cancelOnDisconnect } = this.traits;
    const knowsEvents = this.epoch !== null && this.coveredAfter !== null;
    const resume = knowsEvents ? { epoch: this.epoch, sequence: this.lastSequence } : undefined;
    this.#send({ kind: "hello", protocol: PROTOCOL_VERSION, userId, cancelOnDisconnect, resume });
  }

  #planNext(): void {
    const { scheduler, random } = this.world;
    scheduler.after(random.integer(20, 600), () => {
      this.#act();
      if (!this.#resting) this.#planNext();
    });
  }

  #act(): void {
    if (!this.isReady || this.#resting || this.#requests.size >= MAX_OUTSTANDING) return;
    const { random } = this.world;
    const answered = this.operations.filter(({ answer }) => answer !== null);
    const old = answered[random.integer(0, Math.max(answered.length - 1, 0))];
    const choice = random.next();
    if (old !== undefined && choice < 0.12) return this.#ask(old, false);
    if (old !== undefined && choice < 0.16) return this.#ask(old, true);
    if (this.operations.length >= this.traits.operations) return;
    const knowledge = { entityId: this.#user?.entityId ?? null, orderIds: this.#ownOrderIds() };
    const operationId = `${this.traits.name}-${this.operations.length + 1}`;
    const intention = this.traits.intend(random, knowledge);
    const operation: Operation = { ...intention, operationId, connections: [], validUntil: [], answer: null };
    this.operations.push(operation);
    this.#ask(operation, false);
  }

  #ownOrderIds(): string[] {
    const own = (state: AnyModuleData) =>
      "clientOrderId" in state && state["entityId"] === this.#user?.entityId ? [state.id] : [];
    return [...this.modules.values()].flatMap(own);
  }

  #ask(operation: Operation, conflicts: boolean): void {
    const requestId = `${this.traits.name}-r${++this.#requestCount}`;
    this.#requests.set(requestId, { operation, conflicts });
    operation.connections.push(this.connection);
    const { operationId, action } = operation;
    const payload = conflicts ? conflicting(operation) : operation.payload;
    const validUntil = this.#validUntil();
    if (validUntil !== null) operation.validUntil.push(validUntil);
    this.#send({ kind: "request", requestId, operationId, action, payload, ...(validUntil && { validUntil }) });
    const { connection } = this;
    this.world.scheduler.after(ANSWER_PATIENCE_MS, () => {
      if (this.connection !== connection || !this.#requests.delete(requestId) || !this.isReady) return;
      this.#ask(operation, conflicts);
    });
  }

  /** For some requests, a validity so short that a slow network makes them too late; else null. */
  #validUntil(): string | null {
    const { random, scheduler } = this.world;
    return random.next() < 0.8 ? null : new Date(scheduler.now + random.integer(20, 3000)).toISOString();
  }

  #send(message: unknown): void {
    this.#link?.sendToEngine(JSON.stringify(message));
  }

  #take(message: EngineMessage): void {
    if ("statePath" in message) return this.#takeState(message);
    switch (message.kind) {
      case "welcome":
        this.#user = { id: message.userId, entityId: message.entityId, permissions: new Set(message.capabilities) };
        if (this.epoch !== null && this.epoch !== message.epoch) {
          this.#violation(`epoch changed from ${this.epoch} to ${message.epoch}`);
        }
        this.epoch = message.epoch;
        this.#staged = new ClientModules();
        if (this.coveredAfter === null) {
          this.coveredAfter = message.sequence;
          this.lastSequence = message.sequence;
        }
        return;
      case "snapshotEnd":
        return this.#endSnapshot(message.sequence);
      case "gap":
        if (message.from <= this.lastSequence || message.to < message.from) {
          this.#violation(`gap ${message.from} to ${message.to} after ${this.lastSequence}`);
        }
        this.gaps.push(message);
        return;
      case "event":
        if (message.sequence <= this.lastSequence) {
          this.#violation(`event ${message.sequence} after ${this.lastSequence}`);
        }
        this.#checkVisible(message);
        this.#reduce(message);
        this.#checkStateOf(message);
        this.lastSequence = message.sequence;
        this.events.set(message.sequence, message);
        return;
      case "response":
        return this.#takeResponse(message);
      case "refused":
        this.refusals += 1;
        return;
      case "pong":
    }
  }

  #takeState(message: StateMessage): void {
    this.#checkVisible(message);
    (this.#staged ?? this.modules).apply(message);
  }

  /** The snapshot contains the events up to its end. */
  #reduce(message: EventMessage): void {
    if (this.#staged !== null) return this.#violation(`event ${message.sequence} came before the end of the snapshot`);
    if (message.sequence <= this.#snapshotAt) return;
    try {
      this.modules.apply(message);
    } catch (misfit) {
      this.#violation(String(misfit));
    }
  }

  #endSnapshot(sequence: number): void {
    if (this.#staged === null) return this.#violation("snapshotEnd without a snapshot");
    if (sequence < this.lastSequence) this.#violation(`snapshot as of ${sequence} after event ${this.lastSequence}`);
    this.modules = this.#staged;
    this.#staged = null;
    this.#snapshotAt = sequence;
    this.isReady = true;
    for (const operation of this.operations) if (operation.answer === null) this.#ask(operation, false);
  }

  #takeResponse(response: ResponseMessage): void {
    const request = this.#requests.get(response.requestId);
    // The answer to a request that was abandoned and repeated.
    if (request === undefined) return;
    this.#requests.delete(response.requestId);
    const { operation, conflicts } = request;
    if (response.operationId !== operation.operationId) {
      return this.#violation(`${operation.operationId} answered as ${response.operationId}`);
    }
    if (conflicts) {
      if (response.code === "operation_conflict") return;
      return this.#violation(`${operation.operationId} with other content got ${JSON.stringify(response)}`);
    }
    if (response.status === "error") {
      this.world.scheduler.after(500, () => this.isReady && operation.answer === null && this.#ask(operation, false));
      return;
    }
    if (operation.answer === null) {
      operation.answer = response;
      this.#checkReadable(operation, response);
    } else if (contentOf(response) !== contentOf(operation.answer)) {
      this.#violation(`${operation.operationId} got ${contentOf(operation.answer)}, repeated ${contentOf(response)}`);
    }
  }

  /** A client can read a confirmed order at once. */
  #checkReadable(operation: Operation, { status, result }: ResponseMessage): void {
    if (operation.action !== "order.submit" || status !== "ok") return;
    const id = orderIdOf(result);
    const known = id === null ? undefined : this.modules.get(`/ORDER/${id}`);
    if (known?.["clientOrderId"] !== operation.operationId) {
      this.#violation(`${operation.operationId} is confirmed as ${id}, which can't be read`);
    }
  }

  #checkVisible(message: StateMessage | EventMessage): void {
    if (this.#user !== null && maySeeMessage(this.#user, message)) return;
    this.#violation(`was sent ${"statePath" in message ? message.statePath : message.type}, which it may not see`);
  }

  /** An order's state is never older than an event about it. */
  #checkStateOf({ type, sequence, data: { id, updatedAt } }: EventMessage): void {
    if (!type.endsWith(".order") || typeof id !== "string" || typeof updatedAt !== "string") return;
    const known = this.modules.get(`/ORDER/${id}`)?.["updatedAt"];
    if (typeof known !== "string" || known < updatedAt) {
      this.#violation(`event ${sequence} is newer than the state of ${id}`);
    }
  }

  #violation(text: string): void {
    this.world.violation(`${this.traits.name}: ${text}`);
  }
}

export function orderIdOf(result: ResponseMessage["result"]): string | null {
  const order = result?.["order"];
  return typeof order === "object" && order !== null && "id" in order && typeof order.id === "string" ? order.id : null;
}

function contentOf({ status, code, message, result }: ResponseMessage): string {
  return JSON.stringify({ status, code, message, result });
}
