// One WebSocket connection, from its hello to its end, on top of any socket that sends frames of text.
//
// It begins as a stranger, is welcomed or refused, and then answers requests in the order in which they come. Whatever
// it sends, the process goes on: what does not parse is answered, or ends this connection alone.

import type { z } from "zod";
import { mayActAs, type TokenRing } from "../../core/http/token-ring.ts";
import { parseJson } from "../../core/json.ts";
import type { Logger } from "../../core/logger.ts";
import {
  type ClientMessage,
  clientMessage,
  type EngineMessage,
  id as idSchema,
  PROTOCOL_VERSION,
  type REFUSAL_CODES,
} from "../../core/protocol/index.ts";
import type { EngineUser } from "../engine/execution.ts";
import { maySee } from "../engine/visibility.ts";
import type { EngineLimits } from "./engine-limits.ts";
import type { EngineHost } from "./engine-host.ts";
import { type FrameSocket, Outbox } from "./outbox.ts";
import { framesOf } from "./publication.ts";
import type { Subscriber } from "./subscribers.ts";
import { SYSTEM_TIMERS, type Timers } from "./timers.ts";
import type { UnknownMessages } from "./unknown-messages.ts";

export type RefusalCode = (typeof REFUSAL_CODES)[number];
type Hello = Extract<ClientMessage, { kind: "hello" }>;

export interface ConnectionOptions {
  readonly host: EngineHost;
  readonly engineId: string;
  readonly tokens: TokenRing;
  readonly unknown: UnknownMessages;
  readonly log: Logger;
  readonly helloTimeoutMs: number;
  readonly limits: EngineLimits;
  /** The runtime's where absent. */
  readonly timers?: Timers;
}

const KNOWN_KINDS: ReadonlySet<string> = new Set(clientMessage.options.map(({ shape }) => shape.kind.value));
/** Messages in a frame of the snapshot. */
const FRAME_SIZE = 500;
const LONGEST_TEXT = 1000;
const CLOSE_GOING_AWAY = 1001;
const CLOSE_POLICY = 1008;

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #outbox: Outbox;
  readonly #endHelloWait: () => void;
  /** Null until it has been welcomed. */
  #subscriber: Subscriber | null = null;
  /** What it said in its hello. */
  #token: string | undefined;
  #ended = false;

  constructor(socket: FrameSocket, options: ConnectionOptions) {
    this.#options = options;
    this.#outbox = new Outbox(socket, options.limits.backlogBytes);
    const late = `no hello within ${options.helloTimeoutMs / 1000} s`;
    const timers = options.timers ?? SYSTEM_TIMERS;
    this.#endHelloWait = timers.after(options.helloTimeoutMs, () => this.refuse("invalid_message", late));
  }

  /** Takes one frame: a message or an array of messages. */
  receive(frame: string | Uint8Array): void {
    const parsed = typeof frame === "string" ? parseJson(frame) : undefined;
    if (parsed === undefined) return this.refuse("invalid_message", "a frame is JSON text");
    for (const message of Array.isArray(parsed) ? parsed : [parsed]) {
      if (this.#ended) return;
      if (this.#subscriber === null) this.#greet(message);
      else this.#receiveFrom(this.#subscriber, message);
    }
  }

  /** The socket takes frames again. */
  drained(): void {
    if (!this.#ended) this.#outbox.drain();
  }

  /** Tells why, and ends the connection. */
  refuse(code: RefusalCode, message: string): void {
    if (this.#ended) return;
    const userId = this.#subscriber?.user.id ?? null;
    this.#options.log.warn("connection refused as {code}: {message}", { code, message, userId });
    this.closed();
    const text = JSON.stringify({ kind: "refused", code, message } satisfies EngineMessage);
    this.#outbox.end(text, code === "shutting_down" ? CLOSE_GOING_AWAY : CLOSE_POLICY, code);
  }

  /** Refuses a connection whose token is no longer let in, or no longer for its user. */
  checkToken(): void {
    if (this.#subscriber !== null) this.#admits(this.#token, this.#subscriber.user.id);
  }

  /** The socket has gone, or is about to. */
  closed(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#endHelloWait();
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
    const { host, engineId, log } = this.#options;
    this.#endHelloWait();
    host.announce(user.id);
    const states = [...host.snapshot()].filter((message) => maySee(user, message));
    const sequence = host.sequence;
    const welcome: EngineMessage = {
      kind: "welcome",
      engineId,
      userId: user.id,
      entityId: user.entityId,
      capabilities: [...user.permissions],
      epoch: host.epoch,
      sequence,
      time: new Date(host.time()).toISOString(),
    };
    const messages = [...states, { kind: "snapshotEnd" as const, sequence }, ...this.#missed(hello, user)];
    this.#outbox.sendSnapshot([JSON.stringify(welcome), ...framesOf(messages, FRAME_SIZE)]);
    this.#subscriber = {
      user,
      cancelOnDisconnect: hello.cancelOnDisconnect ?? false,
      deliver: (messages) => {
        this.#outbox.addLive(messages);
        return !this.#outbox.tooSlow;
      },
      send: () => this.#outbox.drain(),
      cutOff: () => this.refuse("too_slow", "the connection does not keep up; connect again and resume"),
    };
    host.subscribe(this.#subscriber);
    log.debug("connected", { userId: user.id, modules: states.length, resumed: hello.resume !== undefined });
  }

  /** What happened since the event that the client saw last, where that was in this history. */
  #missed(hello: Hello, user: EngineUser): EngineMessage[] {
    const { host } = this.#options;
    if (hello.resume === undefined || hello.resume.epoch !== host.epoch) return [];
    const lastSeen = Math.max(hello.resume.sequence, host.epoch);
    const missed = host.history.after(lastSeen, host.sequence);
    return [...missed].filter((message) => message.kind === "gap" || maySee(user, message));
  }

  #receiveFrom(subscriber: Subscriber, message: unknown): void {
    const { host, unknown } = this.#options;
    const kind = fieldOf(message, "kind");
    if (typeof kind === "string" && !KNOWN_KINDS.has(kind)) return unknown.note(kind);
    const parsed = clientMessage.safeParse(message);
    if (!parsed.success) return this.#rejectInvalid(message, describeFaults(parsed.error));
    switch (parsed.data.kind) {
      case "hello":
        return this.refuse("invalid_message", "hello comes once, as the first message");
      case "ping":
        return this.#send({ kind: "pong", time: new Date(host.time()).toISOString() });
      case "request": {
        const { requestId, operationId, action, payload, validUntil } = parsed.data;
        const request = { userId: subscriber.user.id, operationId, action, payload, validUntil };
        host.execute(request, { to: subscriber, requestId });
      }
    }
  }

  /** A request that can be answered is; anything else that is not in the protocol ends the connection. */
  #rejectInvalid(message: unknown, faults: string): void {
    const requestId = idSchema.safeParse(fieldOf(message, "requestId"));
    if (fieldOf(message, "kind") !== "request" || !requestId.success) return this.refuse("invalid_message", faults);
    const operationId = idSchema.safeParse(fieldOf(message, "operationId"));
    // Behind the answers to earlier requests.
    this.#options.host.flush();
    this.#send({
      kind: "response",
      requestId: requestId.data,
      operationId: operationId.success ? operationId.data : requestId.data,
      status: "rejected",
      code: "invalid_payload",
      message: faults,
    });
  }

  #send(message: EngineMessage): void {
    this.#outbox.addLive(JSON.stringify(message));
    this.#outbox.drain();
    if (this.#outbox.tooSlow) this.#subscriber?.cutOff();
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

function describeFaults(error: z.ZodError): string {
  const faults = error.issues.map(({ path, message }) => `${path.map(String).join(".") || "message"}: ${message}`);
  return faults.join("; ").slice(0, LONGEST_TEXT);
}
