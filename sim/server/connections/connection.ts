// One WebSocket connection, from its hello to its end, on top of any socket that sends frames of text.
//
// It begins as a stranger, is welcomed or refused, and then answers requests in the order in which they come: each request
// gets one response. Whatever it sends, the process goes on: what does not fit is answered, or ends this connection alone.
// Before anything else looks at a message, its rate (user-rates.ts) and its shape (message-shape.ts) are checked.

import type { z } from "zod";
import { mayActAs, type TokenStore } from "../../../common/http/token-store.ts";
import { parseJson } from "../../../protocol/json.ts";
import type { Logger } from "../../../common/logger.ts";
import {
  type ClientMessage,
  clientMessage,
  type EngineMessage,
  type EventMessage,
  id as idSchema,
  PROTOCOL_VERSION,
  type REFUSAL_CODES,
  type RejectionCode,
} from "../../../protocol/index.ts";
import type { EngineUser } from "../../engine/api/market-engine.ts";
import { maySee } from "../../engine/api/visibility.ts";
import type { SendQueues } from "./send-queues.ts";
import type { EngineHost } from "../host/engine-host.ts";
import type { EngineLimits } from "../limits/engine-limits.ts";
import type { Gap } from "../publication/event-history.ts";
import { EngineFailure } from "../host/engine-failure.ts";
import { faultOfShape } from "../limits/message-shape.ts";
import { type FrameSocket, SendQueue } from "./send-queue.ts";
import { initialFrames } from "./initial-frames.ts";
import type { Subscriber } from "../publication/subscribers.ts";
import { SYSTEM_TIMERS, type Timers } from "../../../common/timers.ts";
import type { UnknownMessages } from "./unknown-messages.ts";
import type { UserRate, UserRates } from "../limits/user-rates.ts";

export type RefusalCode = (typeof REFUSAL_CODES)[number];
type Hello = Extract<ClientMessage, { kind: "hello" }>;

export interface ConnectionOptions {
  readonly host: EngineHost;
  readonly engineId: string;
  readonly tokens: TokenStore;
  readonly unknown: UnknownMessages;
  readonly log: Logger;
  readonly helloTimeoutMs: number;
  readonly limits: EngineLimits;
  readonly rates: UserRates;
  /** Of all connections. */
  readonly sendQueues: SendQueues;
  /** The runtime's where absent. */
  readonly timers?: Timers;
}

const KNOWN_KINDS: ReadonlySet<string> = new Set(clientMessage.options.map(({ shape }) => shape.kind.value));
/** Characters of the frame with the hello: whoever sends it is not known yet. */
const LONGEST_GREETING = 64 << 10;
/** Messages that a hello counts as, since a snapshot is made for it. */
const GREETING_COST = 20;
/** How long a connection that is ended may take to read why. */
const CLOSE_GRACE_MS = 5_000;
const LONGEST_TEXT = 1000;
const CLOSE_GOING_AWAY = 1001;
const CLOSE_POLICY = 1008;

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #queue: SendQueue;
  readonly #timers: Timers;
  /** Ends the wait for the hello, or for the snapshot to be read. */
  #endWait: () => void;
  /** Null until it has been welcomed. */
  #subscriber: Subscriber | null = null;
  /** What it said in its hello. */
  #token: string | undefined;
  #isContinuing = false;
  #ended = false;

  constructor(socket: FrameSocket, options: ConnectionOptions) {
    this.#options = options;
    this.#queue = new SendQueue(socket, options.limits.sendQueueBytes, options.sendQueues);
    this.#timers = options.timers ?? SYSTEM_TIMERS;
    const late = `no hello within ${options.helloTimeoutMs / 1000} s`;
    this.#endWait = this.#after(options.helloTimeoutMs, () => this.refuse("invalid_message", late));
  }

  /** Whether it has said hello. */
  get isAuthenticated(): boolean {
    return this.#subscriber !== null;
  }

  /** Takes one frame: a message or an array of messages. What is wrong with one of them ends it after the others. */
  receive(frame: string | Uint8Array): void {
    if (this.#ended) return;
    if (typeof frame !== "string") return this.refuse("invalid_message", "a frame is JSON text");
    if (this.#subscriber === null && frame.length > LONGEST_GREETING) {
      return this.refuse("invalid_message", `the frame of the hello has more than ${LONGEST_GREETING} characters`);
    }
    const parsed = parseJson(frame);
    if (parsed === undefined) return this.refuse("invalid_message", "a frame is JSON text");
    const messages: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    if (this.#subscriber === null) this.#greet(messages.shift());
    if (this.#subscriber !== null) this.#receiveAll(this.#subscriber, messages, Buffer.byteLength(frame));
  }

  /** The socket takes frames again. */
  drained(): void {
    if (this.#ended) return;
    // The opening is read from the engine, which must not be ahead of what has been handed on.
    if (this.#queue.isOpening) this.#options.host.flush();
    if (!this.#ended) this.#drain();
  }

  /** Goes on with the opening after the others have had their turn, as long as the socket takes it. */
  #drain(): void {
    this.#queue.drain();
    if (!this.#queue.isPaused || this.#isContinuing) return;
    this.#isContinuing = true;
    this.#after(0, () => {
      this.#isContinuing = false;
      this.drained();
    });
  }

  #after(waitMs: number, task: () => void): () => void {
    return this.#timers.after(waitMs, () => {
      try {
        task();
      } catch (error) {
        // A failure of the host has ended every connection.
        if (!(error instanceof EngineFailure)) throw error;
      }
    });
  }

  /** Tells why, and ends the connection. */
  refuse(code: RefusalCode, message: string): void {
    if (this.#ended) return;
    const userId = this.#subscriber?.user.id ?? null;
    this.#options.log.warn("connection refused as {code}: {message}", { code, message, userId });
    this.closed();
    const text = JSON.stringify({ kind: "refused", code, message } satisfies EngineMessage);
    this.#queue.end(text, code === "shutting_down" ? CLOSE_GOING_AWAY : CLOSE_POLICY, code);
    this.#after(CLOSE_GRACE_MS, () => this.#queue.socket.terminate());
  }

  /** Refuses a connection whose token is no longer let in, or no longer for its user. */
  checkToken(): void {
    if (this.#subscriber !== null) this.#admits(this.#token, this.#subscriber.user.id);
  }

  /** The socket has gone, or is about to. */
  closed(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#endWait();
    this.#queue.forget();
    if (this.#subscriber === null) return;
    this.#options.host.unsubscribe(this.#subscriber);
    this.#options.log.debug("disconnected", { userId: this.#subscriber.user.id });
  }

  /** The version comes before everything else: the rest of a hello may differ in another one. */
  #greet(message: unknown): void {
    if (fieldOf(message, "kind") !== "hello") return this.refuse("invalid_message", "the first message is hello");
    const protocol = fieldOf(message, "protocol");
    if (typeof protocol === "number" && protocol !== PROTOCOL_VERSION) {
      return this.refuse("unsupported_protocol", `protocol ${protocol}; this engine speaks ${PROTOCOL_VERSION}`);
    }
    const parsed = clientMessage.safeParse(message);
    if (!parsed.success) return this.refuse("invalid_message", describeFaults(parsed.error));
    if (parsed.data.kind !== "hello") throw new Error(`a hello was parsed as ${parsed.data.kind}`);
    const hello = parsed.data;
    if (!this.#admits(hello.token, hello.userId)) return;
    const user = this.#options.host.user(hello.userId);
    if (user === undefined) return this.refuse("unknown_user", `no user with id "${hello.userId}"`);
    this.#token = hello.token;
    this.#welcome(hello, user);
  }

  /** Whether the token lets the user in; refuses the connection if it does not. */
  #admits(token: string | undefined, userId: string): boolean {
    const holder = this.#options.tokens.identify(token);
    if (holder === null) this.refuse("unauthorized", "the token is missing or wrong");
    else if (mayActAs(holder, userId)) return true;
    else this.refuse("user_not_covered", `the token "${holder.name}" may not act as user "${userId}"`);
    return false;
  }

  #welcome(hello: Hello, user: EngineUser): void {
    const { host, engineId, limits, log } = this.#options;
    if (host.connectionsOf(user.id) >= limits.connectionsPerUser) {
      const message = `user "${user.id}" has ${limits.connectionsPerUser} connections already`;
      return this.refuse("too_many_connections", message);
    }
    const refusal = this.#options.rates.of(user.id).takeMessage(GREETING_COST);
    if (refusal !== null) return this.refuse("rate_limited", refusal.message);
    this.#endWait();
    host.announce(user.id);
    host.flush();
    const welcome = {
      kind: "welcome" as const,
      engineId,
      userId: user.id,
      entityId: user.entityId,
      capabilities: [...user.permissions],
      epoch: host.epoch,
      sequence: host.sequence,
      time: new Date(host.time()).toISOString(),
    };
    this.#queue.open(initialFrames({
      welcome,
      modules: Iterator.from(host.snapshot()).filter((message) => maySee(user, message)),
      newerStates: () => this.#queue.takeStates(),
      missed: this.#missed(hello, user),
      onEnd: () => this.#endWait(),
    }));
    const late = `the snapshot was not read within ${limits.snapshotSeconds} s`;
    this.#endWait = this.#after(limits.snapshotSeconds * 1000, () => this.refuse("too_slow", late));
    this.#subscriber = this.#subscription(user, hello.cancelOnDisconnect ?? false);
    host.subscribe(this.#subscriber);
    this.#drain();
    log.debug("connected", { userId: user.id, resumed: hello.resume !== undefined });
  }

  #subscription(user: EngineUser, cancelOnDisconnect: boolean): Subscriber {
    const { host } = this.#options;
    return {
      user,
      cancelOnDisconnect,
      deliver: ({ states, events }) => {
        this.#queue.addLive(states, events);
        return !this.#queue.tooSlow;
      },
      send: () => {
        if (!this.#queue.isOpening || !host.hasFailed) this.#drain();
      },
      cutOff: () => this.refuse("too_slow", "the connection does not keep up; connect again and resume"),
    };
  }

  /** What happened since the event that the client saw last, if that was in this history. */
  #missed({ resume }: Hello, user: EngineUser): Iterable<EventMessage | Gap> {
    const { host } = this.#options;
    if (resume === undefined || resume.epoch !== host.epoch) return [];
    const missed = host.history.after(Math.max(resume.sequence, host.epoch), host.sequence);
    return missed.filter((message) => message.kind === "gap" || maySee(user, message));
  }

  #receiveAll(subscriber: Subscriber, messages: readonly unknown[], bytes: number): void {
    const rate = this.#options.rates.of(subscriber.user.id);
    const tooMuch = rate.takeBytes(bytes);
    const faults: string[] = [];
    for (const message of messages) {
      if (this.#ended) return;
      const refusal = tooMuch ?? rate.takeMessage();
      if (refusal === null) {
        const fault = this.#receiveFrom(subscriber, rate, message);
        if (fault !== null) faults.push(fault);
      } else if (refusal.isFlood) return this.refuse("rate_limited", refusal.message);
      else this.#reject(message, "rate_limited", refusal.message, { retryAfterMs: refusal.retryAfterMs });
    }
    if (faults[0] !== undefined) this.#endAfterAnswers(faults[0]);
  }

  /** What is wrong with a message that has no answer; null if it has one, or needs none. */
  #receiveFrom(subscriber: Subscriber, rate: UserRate, message: unknown): string | null {
    const { host, unknown, limits } = this.#options;
    const kind = fieldOf(message, "kind");
    if (typeof kind === "string" && !KNOWN_KINDS.has(kind)) {
      unknown.note(kind);
      return null;
    }
    const shape = faultOfShape(message, limits);
    const parsed = shape === null ? clientMessage.safeParse(message) : null;
    if (!parsed?.success) {
      const fault = parsed === null ? `the message ${shape}` : describeFaults(parsed.error);
      rate.refused();
      return this.#reject(message, "invalid_payload", fault) ? null : fault;
    }
    switch (parsed.data.kind) {
      case "hello":
        return "hello comes once, as the first message";
      case "ping":
        this.#send({ kind: "pong", time: new Date(host.time()).toISOString() });
        return null;
      case "request": {
        const { kind: _, requestId, ...request } = parsed.data;
        const { response } = host.execute({ userId: subscriber.user.id, ...request }, { to: subscriber, requestId });
        if (response?.status === "rejected") rate.refused();
        return null;
      }
    }
  }

  /** Answers a request that is not carried out. False if the message is none that can be answered. */
  #reject(message: unknown, code: RejectionCode, reason: string, result?: Record<string, unknown>): boolean {
    const requestId = idSchema.safeParse(fieldOf(message, "requestId"));
    if (fieldOf(message, "kind") !== "request" || !requestId.success) return false;
    const operationId = idSchema.safeParse(fieldOf(message, "operationId"));
    // Behind the answers to earlier requests.
    this.#options.host.flush();
    this.#send({
      kind: "response",
      requestId: requestId.data,
      operationId: operationId.success ? operationId.data : requestId.data,
      status: "rejected",
      code,
      message: reason,
      ...(result && { result }),
    });
    return true;
  }

  /** Ends the connection behind the answers to its requests, as far as the socket takes them. */
  #endAfterAnswers(fault: string): void {
    this.#options.host.flush();
    if (!this.#ended) this.#queue.drain();
    this.refuse("invalid_message", fault);
  }

  #send(message: EngineMessage): void {
    this.#queue.addLive("", JSON.stringify(message));
    // While the opening is sent, the socket is full, and drains later.
    if (!this.#queue.isOpening) this.#queue.drain();
    if (this.#queue.tooSlow) this.#subscriber?.cutOff();
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

function describeFaults(error: z.ZodError): string {
  const faults = error.issues.map(({ path, message }) => `${path.map(String).join(".") || "message"}: ${message}`);
  return faults.join("; ").slice(0, LONGEST_TEXT);
}
