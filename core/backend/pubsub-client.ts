// The WebSocket connection to the backend, for tools: the acting user, the state of the connection, and requests.
//
//   disconnected -- connect --> connecting -- snapshot whole --> connected
//   connected -- lost --> reconnecting -- snapshot whole --> connected
//   any -- disconnect, or a refusal that the engine would repeat --> disconnected
//
// The connection itself, with its reconnects, is an EngineClient: one for each time a user connects. After a reconnect it
// sends pending requests again under the same ids, so the engine does nothing twice. If the new connection belongs to another
// event history, the engine may not know these ids, so the pending requests settle as `timeout`.
// As a ReplicaConnection it lets the replicas of a server put events into its buffer that another process had.
// A message that can't be read is never ignored silently: the client reconnects, or, if that does not help, the module is
// removed from the snapshot and the event counts as missed.

import { EngineClient, type RequestTraceFields } from "../../protocol/client/engine-client.ts";
import type { EngineClientTimings, EngineListener } from "../../protocol/client/engine-client-options.ts";
import { EngineClock } from "../../protocol/client/engine-clock.ts";
import type { LinkEnd } from "../../protocol/client/engine-link.ts";
import { FrameReader } from "../../protocol/client/frame-reader.ts";
import type { RequestOutcome } from "../../protocol/client/pending-requests.ts";
import { type Action, type ActionRequest, type ActionResult, REAL_CLOCK, type Welcome } from "../../protocol/index.ts";
import { type Advice, NEUTRAL_ADVICE } from "../advice.ts";
import { ConnectWaiters } from "./connect-waiters.ts";
import { alreadyConnected, connectionError, disconnectedMeanwhile, userNotAllowed } from "./connection-errors.ts";
import type { History } from "../market/event-content.ts";
import { MarketCache } from "./market-cache.ts";
import { checked, untilAborted } from "./pending-call.ts";
import type { ConnectionFacts, ConnectionStatus, RequestOptions, Session } from "./pubsub.ts";
import type { ReplicaConnection } from "./replica-connection.ts";
import { tracedAction } from "./client-span.ts";
import { DEFAULT_TIMINGS, type PubSubOptions } from "./pubsub-options.ts";

export class PubSubClient implements ReplicaConnection {
  readonly #options: PubSubOptions;
  readonly #advice: Advice;
  readonly #timings: EngineClientTimings;
  readonly #clock: EngineClock;
  readonly #cache: MarketCache;
  readonly #reader: FrameReader;
  readonly #waiters: ConnectWaiters;
  /** Null while disconnected. */
  #client: EngineClient | null = null;
  #status: ConnectionStatus = "disconnected";
  #since: string | null = null;
  #session: Session | null = null;
  /** The user whose market is cached. */
  #lastUserId: string | null = null;
  /** The engine that was connected last. */
  #engineId: string | null = null;
  #reconnects = 0;
  #disconnects = 0;
  #isWanted: boolean;
  #ignoredResponses = 0;
  #lastError: string | null = null;
  #lastDisconnect: ConnectionFacts["lastDisconnect"] = null;

  constructor(options: PubSubOptions) {
    this.#options = options;
    this.#isWanted = options.autoConnect ?? false;
    this.#advice = options.advice ?? NEUTRAL_ADVICE;
    this.#timings = { ...DEFAULT_TIMINGS, ...options.timings };
    this.#clock = new EngineClock(options.steadyNow ?? options.now);
    this.#cache = new MarketCache(options.snapshot, options.events, this.#clock);
    this.#reader = new FrameReader(options.log);
    this.#waiters = new ConnectWaiters(() => this.#abandoned());
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  get session(): Session | null {
    return this.#session;
  }

  get history(): History | null {
    return this.#cache.history;
  }

  get setbacks(): number {
    return this.#cache.setbacks;
  }

  get isQuiet(): boolean {
    return this.#client?.isQuiet ?? true;
  }

  resumeFrom(history: History): boolean {
    if (this.#client !== null) return false;
    this.#changeUser(history.userId);
    this.#cache.resume(history);
    return true;
  }

  get disconnects(): number {
    return this.#disconnects;
  }

  get isWanted(): boolean {
    return this.#isWanted;
  }

  get incomplete(): boolean {
    return this.#client?.isIncomplete ?? false;
  }

  /** Messages that are not in the protocol, by the kind of fault, and responses that no request waited for. */
  get protocolFaults(): Readonly<Record<string, number>> {
    return { ...Object.fromEntries(this.#reader.faults), ignored_response: this.#ignoredResponses };
  }

  allows(userId: string): boolean {
    return this.#options.allowedUserIds?.includes(userId) ?? true;
  }

  marketTime(): number {
    return this.#clock.market.time();
  }

  /**
   * See PubSub. Calls as the same user share one attempt, which ends when the last of them is aborted. While a lost
   * connection is being restored, a call makes the next attempt at once.
   */
  async connect(userId: string, signal?: AbortSignal): Promise<Session> {
    signal?.throwIfAborted();
    if (!this.allows(userId)) throw userNotAllowed(userId, this.#options.allowedUserIds ?? []);
    if (this.#client !== null && this.#client.userId !== userId) {
      throw alreadyConnected(this.#client.userId, this.#advice);
    }
    if (this.#status === "connected" && this.#session !== null) return this.#session;
    const connected = this.#waiters.add(signal);
    this.#client ??= this.#begin(userId);
    this.#client.open();
    return await connected;
  }

  async disconnect({ isFault = false } = {}): Promise<void> {
    this.#disconnects += 1;
    this.#isWanted = isFault && (this.#options.autoConnect ?? false);
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    const client = this.#client;
    this.#lastError = null;
    this.#drop();
    this.#waiters.rejectAll(disconnectedMeanwhile(this.#advice));
    await client?.close();
  }

  async request<Name extends Action>(
    action: Name,
    payload: ActionRequest<Name>,
    { operationId = crypto.randomUUID(), signal }: RequestOptions = {},
  ): Promise<RequestOutcome<ActionResult<Name>>> {
    signal?.throwIfAborted();
    if (this.#client === null) return { kind: "not_connected", operationId };
    const bounded = this.#options.bounded?.(action, payload) ?? payload;
    const requestId = crypto.randomUUID();
    const { log, tracer = null, url } = this.#options;
    const client = this.#client;
    const send = async (trace?: RequestTraceFields) => {
      const ids = { operationId, requestId, ...(trace && { trace }) };
      return checked(action, await untilAborted(client, { action, payload: bounded, ids, signal }, log));
    };
    return tracer === null ? await send() : await tracedAction(tracer, { action, url }, send);
  }

  facts(): ConnectionFacts {
    return {
      status: this.#status,
      url: this.#options.url,
      userId: this.#client?.userId ?? null,
      entityId: this.#session?.entityId ?? null,
      engineId: this.#session?.engineId ?? null,
      epoch: this.#session?.epoch ?? null,
      marketTime: this.#session === null ? null : this.#clock.marketIsoTime(),
      clock: this.#session === null ? null : this.#clock.market.setting ?? REAL_CLOCK,
      since: this.#since,
      reconnects: this.#reconnects,
      unreadableMessages: this.#reader.unreadable,
      incomplete: this.incomplete,
      lastError: this.#lastError,
      lastDisconnect: this.#lastDisconnect,
    };
  }

  /** Nobody waits for the first connection any more. A lost connection is restored even if nobody waits. */
  #abandoned(): void {
    if (this.#status === "connecting") void this.#disconnect();
  }

  #changeUser(userId: string): void {
    if (this.#lastUserId !== userId) this.#cache.clear();
    this.#lastUserId = userId;
  }

  #begin(userId: string): EngineClient {
    this.#changeUser(userId);
    this.#setStatus("connecting", userId);
    const { url, token, engineId = null, log, confirmTimeoutMs } = this.#options;
    return new EngineClient({
      url,
      engineId,
      userId,
      token,
      resumePoint: () => this.#cache.resumePoint(),
      reader: this.#reader,
      clock: this.#clock,
      timings: this.#timings,
      policy: {
        retriesFirstAttempt: false,
        finalRefusals: 3,
        requestTimeoutMs: confirmTimeoutMs,
        validForMs: () => confirmTimeoutMs,
      },
      log,
      listener: this.#listener(),
    });
  }

  #listener(): EngineListener {
    const cache = this.#cache;
    return {
      welcomed: (welcome) => {
        if (!cache.welcome(welcome)) this.#client?.giveUpRequests();
      },
      isRepetition: (messages) => cache.isRepetition(messages),
      state: (message) => cache.state(message),
      bookOf: cache.bookOf,
      event: (message, state) => cache.event(message, state),
      gap: (from, to) => cache.gap(from, to),
      unreadable: (message) => cache.skip(message),
      frame: () => cache.confirm(),
      synchronized: (welcome) => this.#synchronized(welcome),
      unmatchedResponse: () => void (this.#ignoredResponses += 1),
      ended: (end, willRetry) => this.#ended(end, willRetry),
    };
  }

  #synchronized({ userId, entityId, capabilities, engineId, epoch }: Welcome): void {
    this.#cache.snapshotEnd();
    if (this.#session !== null) this.#reconnects += 1;
    this.#session = { userId, entityId, capabilities, engineId, epoch };
    this.#noteEngine(engineId);
    this.#isWanted = true;
    this.#lastError = null;
    this.#setStatus("connected", userId);
    this.#waiters.resolveAll(this.#session);
  }

  #noteEngine(engineId: string): void {
    const { url, log } = this.#options;
    const before = this.#engineId;
    this.#engineId = engineId;
    if (before !== null && before !== engineId) log.warn(OTHER_ENGINE, { url, engineId, before });
  }

  #ended(end: LinkEnd, willRetry: boolean): void {
    const { url, log, tokenSetting, configuredUserId } = this.#options;
    const userId = this.#client?.userId ?? "";
    this.#cache.abandon();
    const error = connectionError(end, { url, userId, configuredUserId, tokenSetting }, this.#advice);
    this.#lastError = error.message;
    log.warn("{error}", { error: error.message });
    const isEstablished = this.#session !== null;
    if (this.#status === "connected") this.#lastDisconnect = { time: this.#isoTime(), reason: error.message };
    if (!willRetry) this.#drop();
    else if (isEstablished) this.#setStatus("reconnecting", userId);
    // A caller who waits for the first connection goes on waiting if the client tries again.
    if (isEstablished || !willRetry) this.#waiters.rejectAll(error);
  }

  #drop(): void {
    this.#client = null;
    this.#session = null;
    this.#cache.abandon();
    this.#setStatus("disconnected", null);
  }

  #setStatus(status: ConnectionStatus, userId: string | null): void {
    if (this.#status === status) return;
    this.#status = status;
    this.#since = this.#isoTime();
    this.#options.log.info("pubsub is {status}", { status, userId });
  }

  #isoTime(): string {
    return new Date(this.#options.now()).toISOString();
  }
}

const OTHER_ENGINE = "the engine at {url} is another one: {engineId}, and it was {before}; it has another market";
