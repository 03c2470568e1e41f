// A connection of the simulator to the engine as one user, over the engine's protocol, that comes back by itself.
//
//   open --> snapshot whole: begun --> frames, answers --> lost: ended --> backoff --> open ...   until close, or a refusal
//   that would come again
//
// Invariants: the listener hears `began` after the states of a whole snapshot, and `ended` for each attempt that comes to
// nothing and each connection that is lost, but not for `close`; every request is settled once: by its answer, or as
// `lost` with the connection. What became of a lost one is not known here: an order
// shows in the next snapshot under its operationId, and a request that arrives after its `validUntil` is refused.

import { EngineClock } from "../../protocol/client/engine-clock.ts";
import { EngineLink, type LinkEnd } from "../../protocol/client/engine-link.ts";
import type { FrameReader, ReceivedMessage } from "../../protocol/client/frame-reader.ts";
import { Backoff } from "../../protocol/client/backoff.ts";
import type { Logger } from "../../common/logger.ts";
import {
  type Action,
  type ActionRequest,
  PROTOCOL_VERSION,
  type ResponseMessage,
  type StateMessage,
} from "../../protocol/index.ts";

export type RequestOutcome =
  | { readonly kind: "ok"; readonly result: Record<string, unknown> }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  /** The connection ended first; whether it took effect is unknown. */
  | { readonly kind: "lost" };

export interface ConnectionListener {
  /** A new connection stands: its snapshot follows, in place of all that was known. */
  welcomed?(): void;
  /** One module, of the snapshot or since. */
  state(message: StateMessage): void;
  /** The snapshot is whole, and requests can be sent. */
  began(): void;
  /** A frame since the snapshot, its states told already. */
  frame?(messages: readonly ReceivedMessage[]): void;
  /** The connection is lost, and comes back unless `isFinal`. */
  ended(reason: string, isFinal: boolean): void;
}

export interface EngineConnectionOptions {
  readonly url: string;
  readonly userId: string;
  /** Null: the engine asks for none. */
  readonly token: string | null;
  readonly cancelOnDisconnect: boolean;
  readonly reader: Pick<FrameReader, "read">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
  readonly listener: ConnectionListener;
}

interface PendingRequest {
  readonly sentAt: number;
  readonly settle: (outcome: RequestOutcome) => void;
}

const TIMINGS = {
  pingMs: 5_000,
  silenceMs: 15_000,
  openMs: 10_000,
  answerMs: 15_000,
  synchronizeMs: 30_000,
  closeMs: 1_000,
};
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 5_000;
/** A request that is not answered for so long ends its connection: the engine answers pings, and nothing else. */
const LONGEST_ANSWER_MS = 30_000;
/** How long an order may be under way, in engine time. */
export const ORDER_VALIDITY_MS = 3_000;
const FINAL_REFUSALS: ReadonlySet<string> = new Set([
  "unauthorized",
  "user_not_covered",
  "unknown_user",
  "unsupported_protocol",
]);

export class EngineConnection {
  readonly #options: EngineConnectionOptions;
  readonly #clock: EngineClock;
  readonly #backoff = new Backoff(FIRST_RETRY_MS, LONGEST_RETRY_MS);
  /** By operationId, oldest first. */
  readonly #pending = new Map<string, PendingRequest>();
  #link: EngineLink | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isWelcome = false;
  #isUp = false;

  constructor(options: EngineConnectionOptions) {
    this.#options = options;
    this.#clock = new EngineClock(options.now);
  }

  get userId(): string {
    return this.#options.userId;
  }

  /** Whether the snapshot is there and requests can be sent. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Requests that wait for their answers. */
  get outstanding(): number {
    return this.#pending.size;
  }

  open(): void {
    const { url, userId, token, cancelOnDisconnect, reader } = this.#options;
    this.#isWelcome = false;
    this.#link = new EngineLink({
      url,
      hello: { kind: "hello", protocol: PROTOCOL_VERSION, userId, token: token ?? undefined, cancelOnDisconnect },
      reader,
      clock: this.#clock,
      timings: TIMINGS,
      onFrame: (messages) => this.#receive(messages),
      onEnd: (end) => this.#ended(end),
    });
  }

  /** Sends a request under an id that names it for good; `settle` is called once, later. False: it was not sent. */
  send<Name extends Action>(
    action: Name,
    payload: ActionRequest<Name>,
    operationId: string,
    settle: (outcome: RequestOutcome) => void,
  ): boolean {
    if (!this.#isUp || this.#link === null) return false;
    const validUntil = this.#validUntil(action === "order.submit" ? ORDER_VALIDITY_MS : LONGEST_ANSWER_MS);
    const message = { kind: "request" as const, requestId: operationId, operationId, action, payload, validUntil };
    if (!this.#link.send(message)) return false;
    this.#pending.set(operationId, { sentAt: performance.now(), settle });
    return true;
  }

  /** Ends a connection whose oldest request waits too long for its answer. */
  endIfUnanswered(): void {
    const oldest = this.#pending.values().next().value;
    if (oldest === undefined || performance.now() - oldest.sentAt < LONGEST_ANSWER_MS) return;
    this.#link?.end({ kind: "lost", reason: `a request was not answered for ${LONGEST_ANSWER_MS} ms` });
  }

  /** Ends it for good; resolves when the socket is closed. */
  async close(): Promise<void> {
    clearTimeout(this.#retry);
    const link = this.#link;
    this.#link = null;
    this.#settleLost();
    await link?.close();
  }

  /** Engine time after which a request that is sent now is refused. */
  #validUntil(validityMs: number): string {
    return new Date(this.#clock.time() + validityMs).toISOString();
  }

  #receive(messages: readonly ReceivedMessage[]): void {
    const { listener } = this.#options;
    const wasUp = this.#isUp;
    for (const message of messages) {
      if (this.#link === null) return;
      if ("kind" in message && message.kind === "unreadable") {
        // Something of ours is lost; a new snapshot has it. In a snapshot it would come again.
        if (wasUp) this.#link.end({ kind: "unreadable", reason: "the engine sent what can't be read" });
      } else if ("statePath" in message) listener.state(message);
      else if (message.kind === "welcome") this.#welcomed();
      else if (message.kind === "snapshotEnd") this.#begin();
      else if (message.kind === "response") this.#answered(message);
      else if (message.kind === "pong") this.#backoff.reset();
    }
    if (wasUp && this.#isUp) listener.frame?.(messages);
  }

  #begin(): void {
    if (this.#isUp || !this.#isWelcome) return;
    this.#isUp = true;
    this.#options.listener.began();
  }

  #welcomed(): void {
    this.#isWelcome = true;
    this.#options.listener.welcomed?.();
  }

  #answered({ operationId, status, code, message, result }: ResponseMessage): void {
    const pending = this.#pending.get(operationId);
    if (pending === undefined) return;
    this.#pending.delete(operationId);
    if (status === "ok") pending.settle({ kind: "ok", result: result ?? {} });
    else pending.settle({ kind: "refused", code: code ?? status, message: message ?? "no reason was given" });
  }

  #ended(end: LinkEnd): void {
    this.#link = null;
    this.#settleLost();
    const isFinal = end.kind === "refused" && FINAL_REFUSALS.has(end.code);
    const reason = end.kind === "refused" ? `${end.code}: ${end.message}` : end.reason;
    this.#options.log.debug("simulated user {userId} is not connected: {reason}", { userId: this.userId, reason });
    if (!isFinal) this.#retry = setTimeout(() => this.open(), this.#backoff.nextMs());
    this.#options.listener.ended(reason, isFinal);
  }

  #settleLost(): void {
    this.#isUp = false;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { settle } of pending) settle({ kind: "lost" });
  }
}
