// The WebSocket connection to the backend: who acts, whether it stands, and how it comes back.
//
//   disconnected -- connect --> connecting -- snapshot whole --> connected
//   connected -- lost --> reconnecting -- snapshot whole --> connected
//   any -- disconnect, or a refusal that would come again --> disconnected
//
// Invariants: one socket at a time; a frame is applied whole before anything else runs, states before events before the
// response, so what a caller was told it can read at once. A request is sent again after a reconnection, under its own
// ids, only where the history goes on: the engine then knows it and does nothing twice. Where the history is another one,
// nobody can tell any more, and the request settles as `timeout`. What can't be read is never passed over in silence: the
// connection begins anew (reconnection.ts), or the module goes from the snapshot and the event counts as missed.

import { type Action, type ActionRequest, PROTOCOL_VERSION, type Welcome } from "../../protocol/index.ts";
import { ConnectWaiters } from "./connect-waiters.ts";
import { alreadyConnected, connectionError, disconnectedMeanwhile, userNotAllowed } from "./connection-errors.ts";
import { EngineClock } from "../../protocol/client/engine-clock.ts";
import { EngineLink, type LinkEnd } from "../../protocol/client/engine-link.ts";
import { FrameReader, type ReceivedMessage, type Unreadable } from "../../protocol/client/frame-reader.ts";
import { MarketFeed } from "./market-feed.ts";
import { PendingRequests } from "./pending-requests.ts";
import type { ConnectionFacts, ConnectionStatus, PubSub, RequestOptions, RequestOutcome, Session } from "./pubsub.ts";
import { DEFAULT_TIMINGS, type PubSubOptions, type PubSubTimings } from "./pubsub-options.ts";
import { Reconnection } from "./reconnection.ts";

export class PubSubClient implements PubSub {
  readonly #options: PubSubOptions;
  readonly #timings: PubSubTimings;
  readonly #clock: EngineClock;
  readonly #feed: MarketFeed;
  readonly #reader: FrameReader;
  readonly #pending: PendingRequests;
  readonly #reconnection: Reconnection;
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
  /** Whether the link goes on without what it can't read, and has done so. */
  #tolerant = false;
  #incomplete = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #readAgain: ReturnType<typeof setTimeout> | undefined;
  #reconnects = 0;
  #disconnects = 0;
  #lastError: string | null = null;

  constructor(options: PubSubOptions) {
    this.#options = options;
    this.#timings = { ...DEFAULT_TIMINGS, ...options.timings };
    this.#clock = new EngineClock(options.steadyNow ?? options.now);
    this.#feed = new MarketFeed(options.snapshot, options.events, this.#clock);
    this.#reader = new FrameReader(options.log);
    this.#pending = new PendingRequests(options.confirmTimeoutMs, this.#clock);
    this.#reconnection = new Reconnection(this.#timings);
    this.#waiters = new ConnectWaiters(() => this.#abandoned());
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  get session(): Session | null {
    return this.#session;
  }

  get disconnects(): number {
    return this.#disconnects;
  }

  get incomplete(): boolean {
    return this.#incomplete;
  }

  /** Messages that did not fit, by the kind of fault, and responses that nobody waited for. */
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
    this.#disconnects += 1;
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    const link = this.#link;
    this.#forgetLink();
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
    const bounded = this.#options.bounded?.(action, payload) ?? payload;
    return await this.#pending.request(action, bounded, operationId, (message) => link.send(message));
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
      unreadableMessages: this.#reader.unreadable,
      incomplete: this.#incomplete,
      lastError: this.#lastError,
    };
  }

  /** Nobody waits for the first connection any more. One that is coming back comes back for its own sake. */
  #abandoned(): void {
    if (this.#status === "connecting") void this.#disconnect();
  }

  #open(userId: string): void {
    clearTimeout(this.#retry);
    if (this.#lastUserId !== userId) this.#feed.clear();
    this.#lastUserId = userId;
    this.#userId = userId;
    this.#welcome = null;
    this.#tolerant = this.#reconnection.tolerant;
    if (this.#status === "disconnected") this.#setStatus("connecting");
    const { url, token } = this.#options;
    const { openMs, pendingOpenMs } = this.#timings;
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
      timings: { ...this.#timings, openMs: this.#pending.count > 0 ? pendingOpenMs : openMs },
      onFrame: (messages) => this.#applyFrame(messages),
      onEnd: (end) => this.#ended(end, userId),
    });
  }

  #applyFrame(messages: readonly ReceivedMessage[]): void {
    if (this.#welcome !== null && this.#feed.isRepetition(messages)) return;
    for (const message of messages) {
      if (this.#link === null || this.#link.ended) return;
      this.#apply(message);
    }
    if (this.#status === "connected") this.#feed.heard();
  }

  #apply(message: ReceivedMessage): void {
    if ("statePath" in message && !("kind" in message)) {
      return this.#welcome === null ? this.#unwelcomed() : this.#feed.state(message);
    }
    if (message.kind === "unreadable") return this.#unread(message);
    if (message.kind === "welcome") return this.#welcomed(message);
    if (message.kind === "refused") return;
    if (this.#welcome === null) return this.#unwelcomed();
    if (message.kind === "response") return this.#pending.settle(message);
    if (message.kind === "pong") return this.#reconnection.proved();
    if (message.kind === "snapshotEnd") return this.#synchronized(this.#welcome);
    const taken = message.kind === "event" ? this.#feed.event(message) : this.#feed.gap(message.from, message.to);
    if (!taken) this.#unread({ kind: "unreadable", fault: "invalid_message" });
  }

  #unwelcomed(): void {
    this.#link?.end({ kind: "lost", reason: "the engine did not begin with a welcome" });
  }

  #unread(message: Unreadable): void {
    if (!this.#tolerant) {
      const reason = `the engine sent what can't be read (${message.fault}), so not all that it told is known`;
      return this.#link?.end({ kind: "unreadable", reason });
    }
    if (this.#welcome !== null) this.#feed.without(message);
    this.#incomplete = true;
    this.#readAgain ??= setTimeout(() => {
      this.#reconnection.readAgain();
      this.#link?.end({ kind: "lost", reason: "it is made anew to read again what could not be read" });
    }, this.#timings.readAgainMs);
  }

  #welcomed(welcome: Welcome): void {
    if (welcome.userId !== this.#userId) {
      const message = `it welcomed user ${welcome.userId} instead of ${this.#userId}`;
      return this.#link?.end({ kind: "refused", code: "wrong_user", message });
    }
    if (this.#welcome !== null) {
      if (!Bun.deepEquals(welcome, this.#welcome)) this.#unread({ kind: "unreadable", fault: "invalid_message" });
      return;
    }
    this.#welcome = welcome;
    if (!this.#feed.welcome(welcome)) this.#pending.giveUpAll();
  }

  #synchronized({ userId, entityId, capabilities, engineId, epoch }: Welcome): void {
    this.#feed.snapshotEnd();
    if (this.#status === "connected") return;
    if (this.#session !== null) this.#reconnects += 1;
    const session: Session = { userId, entityId, capabilities, engineId, epoch };
    this.#session = session;
    this.#setStatus("connected");
    for (const message of this.#pending.messages()) this.#link?.send(message);
    this.#waiters.resolveAll(session);
  }

  #ended(end: LinkEnd, userId: string): void {
    this.#forgetLink();
    const error = connectionError(end, this.#options.url, userId);
    this.#lastError = error.message;
    this.#options.log.warn("{error}", { error: error.message });
    const established = this.#session !== null;
    const waitMs = this.#reconnection.after(end, { established, pending: this.#pending.count > 0 });
    if (waitMs === null) this.#drop();
    else {
      if (established) this.#setStatus("reconnecting");
      this.#retry = setTimeout(() => this.#open(userId), waitMs);
    }
    // Who waits for the first connection goes on waiting while it is only read again.
    if (established || waitMs === null) this.#waiters.rejectAll(error);
  }

  #forgetLink(): void {
    this.#link = null;
    this.#incomplete = false;
    clearTimeout(this.#readAgain);
    this.#readAgain = undefined;
    this.#feed.abandon();
  }

  #drop(): void {
    clearTimeout(this.#retry);
    this.#reconnection.reset();
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
