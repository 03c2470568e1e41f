// The connection of an agent to the market of its episode, without a socket. A request is answered at once, and what the market
// tells the agent's user is read when the next call begins, in the order in which it happened.

import { EngineClock } from "../../protocol/client/engine-clock.ts";
import { FrameReader } from "../../protocol/client/frame-reader.ts";
import { reduceEvent } from "../../protocol/client/module-reduction.ts";
import { outcomeOf, type RequestOutcome } from "../../protocol/client/pending-requests.ts";
import type { Action, ActionRequest, ActionResult, EventMessage, StateMessage } from "../../protocol/index.ts";
import { frameOf, type PublishedMessage } from "../../engine/api/messages.ts";
import { isoTime } from "../../common/iso-time.ts";
import type { Logger } from "../../common/logger.ts";
import type { Timers } from "../../common/timers.ts";
import { type Advice, NEUTRAL_ADVICE } from "../../core/advice.ts";
import { alreadyConnected, userNotAllowed } from "../../core/backend/connection-errors.ts";
import { MarketCache } from "../../core/backend/market-cache.ts";
import { checked } from "../../core/backend/pending-call.ts";
import type { ConnectionFacts, PubSub, RequestOptions, Session } from "../../core/backend/pubsub.ts";
import { ToolError } from "../../core/error.ts";
import type { EventBuffer } from "../../core/market/event-buffer.ts";
import type { Snapshot } from "../../core/market/snapshot.ts";
import type { Loss } from "../incidents/stage.ts";
import type { World } from "../world/world.ts";

interface EpisodePubSubOptions {
  readonly world: World;
  /** The agent's. It can't connect as any other. */
  readonly userId: string;
  readonly snapshot: Snapshot;
  readonly events: EventBuffer;
  readonly advice?: Advice;
  /** Of the next orders, oldest first. */
  readonly losses: Loss[];
  /** How long a request waits for its answer, in market time. */
  readonly confirmTimeoutMs: number;
  readonly timers: Timers;
  readonly log: Logger;
}

/** Names no address: nobody but the agent can connect. */
const URL = "the market of this episode";
/** What the operation ids of requests begin with for which the agent gives none. */
const OWN_IDS = "call-";

export class EpisodePubSub implements PubSub {
  /** There is one engine. */
  readonly checksEngine = true;
  readonly incomplete = false;
  readonly #options: EpisodePubSubOptions;
  readonly #clock: EngineClock;
  readonly #cache: MarketCache;
  readonly #reader: FrameReader;
  #session: Session | null = null;
  /** Market time of the last change of the status; null before the first connect. */
  #since: number | null = null;
  #disconnects = 0;
  #requests = 0;
  #unfollow: () => void = () => {};
  /** What has happened since the last `read`. */
  #received: PublishedMessage[] = [];

  constructor(options: EpisodePubSubOptions) {
    this.#options = options;
    this.#clock = new EngineClock(() => options.world.now);
    this.#cache = new MarketCache(options.snapshot, options.events, this.#clock);
    this.#reader = new FrameReader(options.log);
  }

  get status(): "connected" | "disconnected" {
    return this.#session === null ? "disconnected" : "connected";
  }

  get session(): Session | null {
    return this.#session;
  }

  get isWanted(): boolean {
    return this.#session !== null;
  }

  get disconnects(): number {
    return this.#disconnects;
  }

  marketTime(): number {
    return this.#options.world.now;
  }

  async connect(userId: string, signal?: AbortSignal): Promise<Session> {
    await Promise.resolve();
    signal?.throwIfAborted();
    const { userId: own, world: { engine, now }, advice = NEUTRAL_ADVICE } = this.#options;
    if (userId !== own) {
      throw this.#session === null ? userNotAllowed(userId, [own]) : alreadyConnected(own, advice);
    }
    if (this.#session !== null) return this.#session;
    const user = engine.engine.user(own);
    if (user === undefined) throw new ToolError("not_found", `The market has no user ${own}.`, "Check the scenario.");
    engine.setConnected(own, true);
    const { epoch, sequence } = engine.engine;
    const { entityId, engineId, capabilities } = { ...user, engineId: engine.id, capabilities: [...user.permissions] };
    const time = isoTime(now);
    this.#cache.welcome({ kind: "welcome", engineId, userId, entityId, capabilities, epoch, sequence, time });
    for (const message of this.#reader.read(frameOf([...engine.snapshot(user)]))) {
      if (!("kind" in message)) this.#cache.state(message);
    }
    this.#cache.snapshotEnd();
    this.#unfollow = engine.follow(user, (messages) => this.#received.push(...messages));
    this.#since = now;
    return this.#session = { userId, entityId, capabilities, engineId, epoch };
  }

  async disconnect(): Promise<void> {
    await Promise.resolve();
    this.#disconnects += 1;
    if (this.#session === null) return;
    const { world: { engine, now }, userId } = this.#options;
    this.#unfollow();
    this.#session = null;
    this.#since = now;
    this.#received = [];
    this.#cache.abandon();
    engine.setConnected(userId, false);
  }

  /** Takes what has happened in the market. */
  read(): void {
    if (this.#received.length > 0) {
      const frame = frameOf(this.#received);
      this.#received = [];
      for (const message of this.#reader.read(frame)) {
        if (!("kind" in message)) this.#cache.state(message);
        else if (message.kind === "event") this.#event(message);
        else throw new Error(`the engine published a message of the kind ${message.kind}`);
      }
    }
    if (this.#session !== null) this.#cache.confirm();
  }

  async request<Name extends Action>(
    action: Name,
    payload: ActionRequest<Name>,
    { operationId = `${OWN_IDS}${this.#requests += 1}`, signal }: RequestOptions = {},
  ): Promise<RequestOutcome<ActionResult<Name>>> {
    await Promise.resolve();
    signal?.throwIfAborted();
    if (this.#session === null) return { kind: "not_connected", operationId };
    const { world, userId, losses } = this.#options;
    const loss = action === "order.submit" ? losses.shift() : undefined;
    if (loss === "request") return await this.#timedOut(operationId);
    const { response } = world.execute({ userId, operationId, action, payload });
    this.read();
    if (loss === "answer") return await this.#timedOut(operationId);
    if (response === null) throw new Error(`the engine did not answer ${action}`);
    const { result, order, ...answer } = response;
    const text = order === undefined ? result : `{"order":${order}}`;
    const outcome = { ...answer, ...(text !== undefined && { result: JSON.parse(text) }) };
    return checked(action, outcomeOf({ operationId }, outcome));
  }

  /** The outcome of a request whose answer does not come. */
  async #timedOut(operationId: string): Promise<RequestOutcome<never>> {
    const { world, confirmTimeoutMs: waitedMs, timers } = this.#options;
    const validUntil = isoTime(world.now + waitedMs);
    await new Promise<void>((resolve) => void timers.after(waitedMs, resolve));
    return { kind: "timeout", operationId, waitedMs, validUntil };
  }

  facts(): ConnectionFacts {
    const { userId, entityId, engineId, epoch } = this.#session ?? NOBODY;
    const isConnected = this.#session !== null;
    return {
      status: this.status,
      url: URL,
      userId,
      entityId,
      engineId,
      epoch,
      marketTime: isConnected ? isoTime(this.marketTime()) : null,
      clock: isConnected ? this.#options.world.engine.engine.clock : null,
      since: this.#since === null ? null : isoTime(this.#since),
      reconnects: 0,
      unreadableMessages: this.#reader.unreadable,
      incomplete: false,
      lastError: null,
      lastDisconnect: null,
    };
  }

  #event(message: EventMessage): void {
    const state = reduceEvent(message, this.#cache.bookOf);
    if (state !== null && "misfit" in state) throw new Error(`the agent's view has not followed ${state.statePath}`);
    if (!this.#cache.event(message, state)) throw new Error(`event ${message.sequence} can't be right`);
    if (state !== null) this.#cache.state(state satisfies StateMessage);
  }
}

const NOBODY = { userId: null, entityId: null, engineId: null, epoch: null };
