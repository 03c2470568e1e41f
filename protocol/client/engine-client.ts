// A client of an engine, as one user, over the engine's WebSocket protocol. It reconnects by itself.
//
//   open --> welcome --> snapshot whole: synchronized --> frames, responses --> lost: ended --> wait --> open ...
//
// This goes on until `close`, or until the engine refuses in a way that it would repeat (reconnection.ts).
//
// Invariants: there is one socket at a time. Frames are applied in their order, each as a whole before anything else runs,
// its messages in their order. An event is reduced to what it says about a module (module-reduction.ts), unless the snapshot
// already contains it. A response comes after its states and events, so a caller can read at once what it reports.

import { type Action, type ActionRequest, type EventMessage, PROTOCOL_VERSION, type Welcome } from "../index.ts";
import type { EngineClientOptions } from "./engine-client-options.ts";
import { EngineLink, type LinkEnd, reasonOf } from "./engine-link.ts";
import type { ReceivedMessage, Unreadable } from "./frame-reader.ts";
import { reduceEvent } from "./module-reduction.ts";
import { PendingRequests, type RequestMessage, type RequestOutcome } from "./pending-requests.ts";
import { Reconnection } from "./reconnection.ts";

export interface RequestIds {
  /** Names the operation: a repeat with the same id gets the first answer and changes nothing. */
  readonly operationId: string;
  /** Must be unique among pending requests; the operationId if absent. */
  readonly requestId?: string;
  /** The trace that the request belongs to. Sent to engines that accept it. */
  readonly trace?: RequestTraceFields;
}

export type RequestTraceFields = Pick<RequestMessage, "traceparent" | "tracestate">;

type Timer = ReturnType<typeof setTimeout>;

const INVALID_MESSAGE: Unreadable = { kind: "unreadable", fault: "invalid_message" };

export class EngineClient {
  readonly #options: EngineClientOptions;
  readonly #pending: PendingRequests;
  readonly #reconnection: Reconnection;
  #link: EngineLink | null = null;
  /** The welcome of this link. */
  #welcome: Welcome | null = null;
  #isUp = false;
  /** The newest event that the listener's modules contain. */
  #reducedUpTo = 0;
  /** Whether a snapshot was whole before. */
  #wasUp = false;
  #isIncomplete = false;
  #retry: Timer | undefined;
  #readAgain: Timer | undefined;

  constructor(options: EngineClientOptions) {
    this.#options = options;
    this.#pending = new PendingRequests(options.policy.requestTimeoutMs);
    this.#reconnection = new Reconnection(options.timings, options.policy);
  }

  get userId(): string {
    return this.#options.userId;
  }

  /** Whether the snapshot is whole and requests can be sent. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Whether the engine knows of no connection, so it sends nothing. */
  get isQuiet(): boolean {
    return !(this.#link?.hasSaidHello ?? false);
  }

  /** Whether this connection has skipped something that it could not read. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  /** The number of requests that wait for their response. */
  get pendingCount(): number {
    return this.#pending.count;
  }

  /** Begins an attempt now, unless one is under way or there is a connection. */
  open(): void {
    if (this.#link !== null) return;
    clearTimeout(this.#retry);
    const { url, userId, token, cancelOnDisconnect, resumePoint, reader, clock, timings } = this.#options;
    const { openMs, pendingOpenMs = openMs } = timings;
    this.#link = new EngineLink({
      url,
      hello: () => ({
        kind: "hello",
        protocol: PROTOCOL_VERSION,
        userId,
        token: token ?? undefined,
        cancelOnDisconnect,
        resume: resumePoint?.(),
      }),
      reader,
      clock,
      timings: { ...timings, openMs: this.#pending.count > 0 ? pendingOpenMs : openMs },
      onFrame: (messages) => this.#receive(messages),
      onEnd: (end) => this.#ended(end),
    });
  }

  /**
   * Sends a request. `settle` is called once, later, as soon as the response is read. False: the request was not sent, and
   * `settle` is not called.
   */
  send<Name extends Action>(
    action: Name,
    payload: ActionRequest<Name>,
    { operationId, requestId = operationId, trace }: RequestIds,
    settle: (outcome: RequestOutcome) => void,
  ): boolean {
    if (!this.#isUp || this.#link === null) return false;
    const { clock, policy } = this.#options;
    const validUntil = new Date(clock.time() + policy.validForMs(action)).toISOString();
    const message: RequestMessage = { kind: "request", requestId, operationId, action, payload, validUntil, ...trace };
    if (!this.#link.send(this.#acceptable(message))) return false;
    this.#pending.add(message, settle);
    return true;
  }

  /** An engine may refuse fields that it does not know. */
  #acceptable(message: RequestMessage): RequestMessage {
    if (message.traceparent === undefined || this.#welcome?.traceContext === true) return message;
    const { traceparent: _, tracestate: __, ...others } = message;
    return others;
  }

  /** As `send`, with a promise. Never throws; the outcome is `not_connected` if the request was not sent. */
  request<Name extends Action>(action: Name, payload: ActionRequest<Name>, ids: RequestIds): Promise<RequestOutcome> {
    const { promise, resolve } = Promise.withResolvers<RequestOutcome>();
    if (!this.send(action, payload, ids, resolve)) resolve({ kind: "not_connected", operationId: ids.operationId });
    return promise;
  }

  /** Nobody waits for the response of this request any more (`PendingRequests.drop`). */
  drop(requestId: string): RequestMessage | null {
    return this.#pending.drop(requestId);
  }

  /** Settles every pending request as `timeout`. */
  giveUpRequests(): void {
    this.#pending.giveUpAll();
  }

  /** Resolves once everything is read that the engine had published by now, or the connection has ended. */
  async caughtUp(): Promise<void> {
    await this.#link?.caughtUp();
  }

  /** Ends the connection if its oldest request has waited `limitMs`. An engine may answer pings, but no requests. */
  endIfUnanswered(limitMs: number): void {
    if (this.#pending.count === 0 || this.#pending.longestWaitMs < limitMs) return;
    this.#link?.end({ kind: "lost", reason: `a request was not answered for ${limitMs} ms` });
  }

  /** Ends the connection for good; resolves when the socket is closed. */
  async close(): Promise<void> {
    clearTimeout(this.#retry);
    const link = this.#link;
    this.#forgetLink();
    this.#pending.giveUpAll();
    await link?.close();
  }

  #receive(messages: readonly ReceivedMessage[]): void {
    const { listener } = this.#options;
    if (this.#welcome !== null && listener.isRepetition?.(messages)) return;
    const wasUp = this.#isUp;
    for (const message of messages) {
      if (this.#link === null) return;
      this.#apply(message);
    }
    if (wasUp && this.#isUp) listener.frame?.(messages);
  }

  #apply(message: ReceivedMessage): void {
    const { listener, policy } = this.#options;
    if ("kind" in message) {
      if (message.kind === "unreadable") return this.#unreadable(message);
      if (message.kind === "welcome") return this.#welcomed(message);
      // The link ends itself after a refusal.
      if (message.kind === "refused") return;
    }
    if (this.#welcome === null && !policy.lenientSnapshot) {
      return this.#link?.end({ kind: "lost", reason: "the engine did not begin with a welcome" });
    }
    if (!("kind" in message)) return listener.state(message);
    switch (message.kind) {
      case "snapshotEnd":
        return this.#synchronized(message.sequence);
      case "response":
        if (!this.#pending.settle(message)) listener.unmatchedResponse?.();
        return;
      case "pong":
        return this.#reconnection.proved();
      case "event":
        return this.#event(message);
      case "gap":
        if (listener.gap?.(message.from, message.to) === false) this.#unreadable(INVALID_MESSAGE);
    }
  }

  #welcomed(welcome: Welcome): void {
    const { userId, engineId = null, listener } = this.#options;
    if (engineId !== null && welcome.engineId !== engineId) {
      const message = `it is engine ${welcome.engineId} instead of ${engineId}`;
      return this.#link?.end({ kind: "refused", code: "wrong_engine", message });
    }
    if (welcome.userId !== userId) {
      const message = `it welcomed user ${welcome.userId} instead of ${userId}`;
      return this.#link?.end({ kind: "refused", code: "wrong_user", message });
    }
    if (this.#welcome !== null) {
      if (!Bun.deepEquals(welcome, this.#welcome)) this.#unreadable(INVALID_MESSAGE);
      return;
    }
    this.#welcome = welcome;
    listener.welcomed?.(welcome);
  }

  #event(message: EventMessage): void {
    const { listener } = this.#options;
    const isNew = this.#isUp && message.sequence > this.#reducedUpTo;
    const reduced = isNew ? reduceEvent(message, listener.bookOf ?? null) : null;
    const misfit = reduced !== null && "misfit" in reduced;
    const state = misfit ? null : reduced;
    if (listener.event?.(message, state) === false) return this.#unreadable(INVALID_MESSAGE);
    if (state !== null) listener.state(state);
    if (isNew) this.#reducedUpTo = message.sequence;
    if (misfit) this.#unreadable({ kind: "unreadable", fault: "misfit", statePath: reduced.statePath });
  }

  /** `sequence`: the newest event that the snapshot contains. */
  #synchronized(sequence: number): void {
    if (this.#isUp || this.#welcome === null) return;
    this.#isUp = true;
    this.#reducedUpTo = sequence;
    this.#wasUp = true;
    for (const message of this.#pending.messages()) this.#link?.send(this.#acceptable(message));
    this.#options.listener.synchronized(this.#welcome);
  }

  #unreadable(message: Unreadable): void {
    const { policy, timings, listener } = this.#options;
    if (policy.lenientSnapshot && !this.#isUp) return;
    if (policy.lenientSnapshot || !this.#reconnection.tolerant) {
      const reason = `the engine sent a message that can't be read (${message.fault}), so something is missing`;
      return this.#link?.end({ kind: "unreadable", reason });
    }
    if (this.#welcome !== null) listener.unreadable?.(message);
    this.#isIncomplete = true;
    this.#readAgain ??= setTimeout(() => {
      this.#reconnection.readAgain();
      this.#link?.end({ kind: "lost", reason: "reconnecting to read again what could not be read" });
    }, timings.readAgainMs);
  }

  #ended(end: LinkEnd): void {
    const { policy, listener, log } = this.#options;
    this.#forgetLink();
    log.debug("user {userId} is not connected: {reason}", { userId: this.userId, reason: reasonOf(end) });
    const waitMs = this.#reconnection.after(end, { established: this.#wasUp, pending: this.#pending.count > 0 });
    if (waitMs === null || policy.requestTimeoutMs === null) this.#pending.giveUpAll();
    if (waitMs !== null) this.#retry = setTimeout(() => this.open(), waitMs);
    listener.ended(end, waitMs !== null);
  }

  #forgetLink(): void {
    this.#link = null;
    this.#welcome = null;
    this.#isUp = false;
    this.#isIncomplete = false;
    clearTimeout(this.#readAgain);
    this.#readAgain = undefined;
  }
}
