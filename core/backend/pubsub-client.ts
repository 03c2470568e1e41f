// The WebSocket connection to the backend: who acts, whether it stands, and how it comes back.
//
//   disconnected -- connect --> connecting -- snapshot whole --> connected
//   connected -- lost --> reconnecting -- snapshot whole --> connected
//   any -- disconnect, or a refusal that would come again --> disconnected
//
// Invariants: one socket at a time; a frame is applied whole before anything else runs, states before events before the
// response, so what a caller was told it can read at once. A request is sent again after a reconnection, under its own
// ids, only where the history goes on: the engine then knows it and does nothing twice. Where the history is another one,
// nobody can tell any more, and the request settles as `timeout`.

import {
  type Action,
  type ActionRequest,
  type EngineMessage,
  PROTOCOL_VERSION,
  type Welcome,
} from "../protocol/index.ts";
import { ConnectWaiters } from "./connect-waiters.ts";
import {
  alreadyConnected,
  connectionError,
  disconnectedMeanwhile,
  isFinal,
  userNotAllowed,
} from "./connection-errors.ts";
import { EngineClock } from "./engine-clock.ts";
import { EngineLink, type LinkEnd } from "./engine-link.ts";
import { FrameReader } from "./frame-reader.ts";
import { MarketFeed } from "./market-feed.ts";
import { PendingRequests } from "./pending-requests.ts";
import type { ConnectionFacts, ConnectionStatus, PubSub, RequestOptions, RequestOutcome, Session } from "./pubsub.ts";
import { DEFAULT_TIMINGS, type PubSubOptions, type PubSubTimings } from "./pubsub-options.ts";
import { ReconnectBackoff } from "./reconnect-backoff.ts";

export class PubSubClient implements PubSub {
  readonly #options: PubSubOptions;
  readonly #timings: PubSubTimings;
  readonly #clock: EngineClock;
  readonly #feed: MarketFeed;
  readonly #reader: FrameReader;
  readonly #pending: PendingRequests;
  readonly #backoff: ReconnectBackoff;
  readonly #waiters: ConnectWaiters;
  #status: ConnectionStatus = "disconnected";
  #since: string | null = null;
  #session: Session | null = null;
  /** Who acts, or will once connected; null while disconnected. */
  #userId: string | null = null;
  #lastUserId: string | null = null;
  #link: EngineLink | null = null;
  /** What the link was welcomed with. */
  #welcome: Welcome | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #reconnects = 0;
  #lastError: string | null = null;

  constructor(options: PubSubOptions) {
    this.#options = options;
    this.#timings = { ...DEFAULT_TIMINGS, ...options.timings };
    this.#clock = new EngineClock(options.now);
    this.#feed = new MarketFeed(options.snapshot, options.events, this.#clock);
    this.#reader = new FrameReader(options.log);
    this.#pending = new PendingRequests(options.confirmTimeoutMs);
    this.#backoff = new ReconnectBackoff(this.#timings.firstRetryMs, this.#timings.longestRetryMs);
    this.#waiters = new ConnectWaiters(() => this.#abandoned());
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  get session(): Session | null {
    return this.#session;
  }

  /** Messages that were skipped, by the kind of fault, and responses that nobody waited for. */
  get protocolFaults(): Readonly<Record<string, number>> {
    return { ...Object.fromEntries(this.#reader.faults), ignored_response: this.#pending.ignoredResponses };
  }

  engineTime(): number {
    return this.#clock.time();
  }

  /**
   * See PubSub. Calls as the same user share one attempt, which ends when the last of them is aborted; while a lost
   * connection is coming back, a call makes the next attempt at once.
   */
  async connect(userId: string, signal?: AbortSignal): Promise<Session> {
    signal?.throwIfAborted();
    const { allowedUserIds } = this.#options;
    if (allowedUserIds !== null && !allowedUserIds.includes(userId)) throw userNotAllowed(userId);
    if (this.#userId !== null && this.#userId !== userId) throw alreadyConnected(this.#userId);
    if (this.#status === "connected" && this.#session !== null) return this.#session;
    const connected = this.#waiters.add(signal);
    if (this.#link === null) this.#open(userId);
    return await connected;
  }

  async disconnect(): Promise<void> {
    const link = this.#link;
    this.#link = null;
    this.#drop();
    this.#waiters.rejectAll(disconnectedMeanwhile());
    await link?.close();
  }

  async request<Name extends Action>(
    action: Name,
    payload: ActionRequest<Name>,
    { operationId = crypto.randomUUID() }: RequestOptions = {},
  ): Promise<RequestOutcome<Name>> {
    const link = this.#link;
    if (this.#status !== "connected" || link === null) return { kind: "not_connected", operationId };
    const timely = action === "order.submit" ? this.#withValidity(payload) : payload;
    return await this.#pending.request(action, timely, operationId, (message) => link.send(message));
  }

  facts(): ConnectionFacts {
    return {
      status: this.#status,
      url: this.#options.url,
      userId: this.#userId,
      entityId: this.#session?.entityId ?? null,
      engineId: this.#session?.engineId ?? null,
      epoch: this.#session?.epoch ?? null,
      since: this.#since,
      reconnects: this.#reconnects,
      lastError: this.#lastError,
    };
  }

  /** An order must not take effect after its submitter was told that nobody knows. */
  #withValidity(payload: object): object {
    if ("validUntil" in payload && payload.validUntil !== undefined) return payload;
    const validUntil = new Date(this.#clock.time() + this.#options.confirmTimeoutMs).toISOString();
    return { ...payload, validUntil };
  }

  /** Nobody waits for the first connection any more. One that is coming back comes back for its own sake. */
  #abandoned(): void {
    if (this.#status === "connecting") void this.disconnect();
  }

  #open(userId: string): void {
    clearTimeout(this.#retry);
    if (this.#lastUserId !== userId) this.#feed.clear();
    this.#lastUserId = userId;
    this.#userId = userId;
    this.#welcome = null;
    if (this.#status === "disconnected") this.#setStatus("connecting");
    const { url, token } = this.#options;
    this.#link = new EngineLink({
      url,
      hello: {
        kind: "hello",
        protocol: PROTOCOL_VERSION,
        userId,
        token: token ?? undefined,
        resume: this.#feed.resumePoint(),
      },
      reader: this.#reader,
      clock: this.#clock,
      timings: this.#timings,
      onFrame: (messages) => {
        for (const message of messages) this.#apply(message);
      },
      onEnd: (end) => this.#ended(end, userId),
    });
  }

  #apply(message: EngineMessage): void {
    if (this.#link === null || this.#link.ended) return;
    if ("statePath" in message) return this.#welcome === null ? this.#unwelcomed() : this.#feed.state(message);
    if (message.kind === "welcome") return this.#welcomed(message);
    if (message.kind === "refused") return;
    if (this.#welcome === null) return this.#unwelcomed();
    if (message.kind === "event") return this.#feed.event(message);
    if (message.kind === "gap") return this.#feed.gap(message.from, message.to);
    if (message.kind === "response") return this.#pending.settle(message);
    if (message.kind === "pong") return this.#backoff.reset();
    this.#feed.snapshotEnd();
    this.#synchronized(this.#welcome);
  }

  #unwelcomed(): void {
    this.#link?.end({ kind: "lost", reason: "the engine did not begin with a welcome" });
  }

  #welcomed(welcome: Welcome): void {
    if (welcome.userId !== this.#userId) {
      const message = `it welcomed user ${welcome.userId} instead of ${this.#userId}`;
      return this.#link?.end({ kind: "refused", code: "wrong_user", message });
    }
    this.#welcome = welcome;
    if (!this.#feed.welcome(welcome)) this.#pending.giveUpAll();
  }

  #synchronized({ userId, entityId, capabilities, engineId, epoch }: Welcome): void {
    if (this.#status === "connected") return;
    if (this.#session !== null) this.#reconnects += 1;
    const session: Session = { userId, entityId, capabilities, engineId, epoch };
    this.#session = session;
    this.#setStatus("connected");
    for (const message of this.#pending.messages()) this.#link?.send(message);
    this.#waiters.resolveAll(session);
  }

  #ended(end: LinkEnd, userId: string): void {
    this.#link = null;
    this.#feed.abandon();
    const error = connectionError(end, this.#options.url, userId);
    this.#lastError = error.message;
    this.#options.log.warn("{error}", { error: error.message });
    if (this.#session === null || isFinal(end)) {
      this.#drop();
    } else {
      this.#setStatus("reconnecting");
      this.#retry = setTimeout(() => this.#open(userId), this.#backoff.nextMs());
    }
    this.#waiters.rejectAll(error);
  }

  #drop(): void {
    clearTimeout(this.#retry);
    this.#backoff.reset();
    this.#session = null;
    this.#userId = null;
    this.#setStatus("disconnected");
    this.#pending.giveUpAll();
  }

  #setStatus(status: ConnectionStatus): void {
    if (this.#status === status) return;
    this.#status = status;
    this.#since = new Date(this.#options.now()).toISOString();
    this.#options.log.info("pubsub is {status}", { status, userId: this.#userId });
  }
}
