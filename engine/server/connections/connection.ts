// The life of one WebSocket connection: handshake (handshake.ts), requests (request-handler.ts), end. It runs on any
// socket that sends frames of text.
//
// Invalid input is answered, or ends this connection. It never ends the process.

import type { Logger } from "../../../common/logger.ts";
import type { Tracer } from "../../../common/telemetry/tracer.ts";
import type { Timers } from "../../../common/timers.ts";
import type { EngineMessage } from "../../../protocol/index.ts";
import { parseJson } from "../../../protocol/json.ts";
import { dropReportedFailure } from "../host/engine-failure.ts";
import { CONNECTION_FAULT, type EngineCounters } from "../metrics/engine-counters.ts";
import type { AdvanceResponses } from "./advance-responses.ts";
import type { RefusalCode } from "./client-messages.ts";
import { checkHello, type Handshake, type HandshakeOptions, tokenRefusal } from "./handshake.ts";
import { initialFrames } from "./initial-frames.ts";
import { RequestHandler } from "./request-handler.ts";
import { type FrameSocket, SendQueue } from "./send-queue.ts";
import type { SendQueues } from "./send-queues.ts";
import { Subscription } from "./subscription.ts";
import type { UnknownMessages } from "./unknown-messages.ts";

export interface ConnectionOptions extends HandshakeOptions {
  readonly engineId: string;
  readonly unknown: UnknownMessages;
  readonly log: Logger;
  readonly helloTimeoutMs: number;
  /** The send queues of all connections. */
  readonly sendQueues: SendQueues;
  readonly advances: AdvanceResponses;
  readonly counters: EngineCounters;
  /** Absent or null: no traces are recorded. */
  readonly tracer?: Tracer | null;
  readonly timers: Timers;
}

/** The parts of a connection whose hello has been accepted. */
interface Established {
  readonly token: string | undefined;
  readonly subscription: Subscription;
  readonly requests: RequestHandler;
}

/** Limit on the frame with the hello: its sender is not known yet. */
const MAX_HELLO_CHARACTERS = 64 << 10;
/** How long a refused connection may take to read the reason. */
const CLOSE_GRACE_MS = 5_000;
const CLOSE_GOING_AWAY = 1001;
const CLOSE_POLICY = 1008;

export class Connection {
  readonly #socket: FrameSocket;
  readonly #options: ConnectionOptions;
  /** Cancels the timeout of the hello, then that of the snapshot. */
  #cancelTimeout: () => void;
  #established: Established | null = null;
  #ended = false;

  constructor(socket: FrameSocket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    const late = `no hello within ${options.helloTimeoutMs / 1000} s`;
    this.#cancelTimeout = this.#after(options.helloTimeoutMs, () => this.refuse("invalid_message", late));
  }

  get isAuthenticated(): boolean {
    return this.#established !== null;
  }

  /** Takes one frame: a message or an array of messages. */
  receive(frame: string | Uint8Array): void {
    if (this.#ended) return;
    if (!this.isAuthenticated && frame.length > MAX_HELLO_CHARACTERS) {
      return this.refuse("invalid_message", `the frame of the hello has more than ${MAX_HELLO_CHARACTERS} characters`);
    }
    const parsed = typeof frame === "string" ? parseJson(frame) : undefined;
    if (typeof frame !== "string" || parsed === undefined) {
      return this.refuse("invalid_message", "a frame must be JSON text");
    }
    const messages: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    if (!this.isAuthenticated) this.#handleHello(messages.shift());
    if (this.#established !== null) this.#handleRequests(this.#established, messages, frame);
  }

  /** The socket takes frames again. */
  drained(): void {
    if (!this.#ended) this.#established?.subscription.drained();
  }

  /** Ends the connection and sends the reason, ahead of queued messages. The client can resume to get them. */
  refuse(code: RefusalCode, message: string): void {
    if (this.#ended) return;
    const userId = this.#established?.subscription.user.id ?? null;
    // The engine ends in order: what it has confirmed goes first.
    if (code === "shutting_down") this.#established?.subscription.deliver();
    this.#options.counters.endedConnections.add(code);
    this.#options.log.warn("connection refused as {code}: {message}", { code, message, userId });
    this.closed();
    this.#socket.send(JSON.stringify({ kind: "refused", code, message } satisfies EngineMessage));
    this.#socket.close(code === "shutting_down" ? CLOSE_GOING_AWAY : CLOSE_POLICY, code);
    this.#after(CLOSE_GRACE_MS, () => this.#socket.terminate());
  }

  /** Ends the connection if its token may no longer act as its user. */
  checkToken(): void {
    if (this.#established === null) return;
    const { token, subscription } = this.#established;
    const refusal = tokenRefusal(this.#options.tokens, token, subscription.user.id);
    if (refusal !== null) this.refuse(refusal.code, refusal.message);
  }

  /** The runtime has ended the connection: a frame was too large or malformed, or pings got no answer. */
  faulted(fault: string): void {
    if (this.#ended) return;
    const userId = this.#established?.subscription.user.id ?? null;
    this.#options.counters.endedConnections.add(CONNECTION_FAULT);
    this.#options.log.warn("connection ended: {fault}", { fault, userId });
    this.closed();
  }

  /** The socket is closed, or is about to be. */
  closed(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelTimeout();
    if (this.#established === null) return;
    const { subscription } = this.#established;
    subscription.close();
    this.#options.host.unsubscribe(subscription);
    this.#options.log.debug("disconnected", { userId: subscription.user.id });
  }

  #handleHello(message: unknown): void {
    const result = checkHello(message, this.#options);
    if ("code" in result) this.refuse(result.code, result.message);
    else this.#establish(result);
  }

  #establish(handshake: Handshake): void {
    const { advances, counters, host, engineId, limits, log, rates, sendQueues, unknown } = this.#options;
    const { timers, tracer = null } = this.#options;
    const { hello, user } = handshake;
    this.#cancelTimeout();
    host.announce(user.id);
    host.flush();
    const queue = new SendQueue(this.#socket, limits.sendQueueBytes, sendQueues);
    const late = `the snapshot was not read within ${limits.snapshotSeconds} s`;
    this.#cancelTimeout = this.#after(limits.snapshotSeconds * 1000, () => this.refuse("too_slow", late));
    const cutOff = () => this.refuse("too_slow", "the connection does not keep up; connect again and resume");
    const { cancelOnDisconnect = false } = hello;
    const updates = host.updatesFor(user);
    const subscription = new Subscription({ host, user, cancelOnDisconnect, queue, updates, timers, cutOff });
    const takeStates = () => subscription.takeStates();
    const acceptsTraces = tracer !== null;
    const onEnd = () => this.#cancelTimeout();
    queue.begin(initialFrames({ ...handshake, host, engineId, acceptsTraces, takeStates, onEnd }));
    const rate = rates.of(user.id);
    const requests = new RequestHandler({ host, limits, unknown, rate, subscription, advances, counters, tracer });
    this.#established = { token: hello.token, subscription, requests };
    host.subscribe(subscription);
    subscription.send();
    log.debug("connected", { userId: user.id, resumed: hello.resume !== undefined });
  }

  #handleRequests({ requests, subscription }: Established, messages: readonly unknown[], frame: string): void {
    const refusal = requests.handleAll(messages, frame);
    if (refusal === null) return;
    // A client that sent one invalid message still gets the answers to its requests.
    if (refusal.code === "invalid_message") {
      this.#options.host.flush();
      subscription.send();
    }
    this.refuse(refusal.code, refusal.message);
  }

  #after(waitMs: number, task: () => void): () => void {
    return this.#options.timers.after(waitMs, () => dropReportedFailure(task));
  }
}
