// A whole engine in this process, without sockets, timers and a clock: requests go in, and messages as a server sends them
// come out, from the time on at which somebody follows them. It keeps its audit trail in memory, and answers what a server
// answers over HTTP.
//
// Market time is its real time too, and passes only if the caller says so: the same calls give the same messages and answers,
// byte for byte.

import type { AuditReader } from "../../common/audit/audit-store.ts";
import { type EntityPositions, LOCKSTEP_CLOCK, type OrderBlocks } from "../../protocol/index.ts";
import type { EngineRequest, EngineUser, Execution, MarketEngine } from "../api/market-engine.ts";
import type { PublishedMessage, PublishedState } from "../api/messages.ts";
import { maySee } from "../api/visibility.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import { Engine } from "../engine.ts";
import { UserDirectory } from "../server/publication/user-directory.ts";
import type { EngineState } from "../state/engine-state.ts";
import { textsOf } from "../state/market-state.ts";
import { EngineFactRecorder, type EngineFacts } from "./fact-recorder.ts";
import { NotingRecorder } from "./noting-recorder.ts";
import { UnreadAudit } from "./unread-audit.ts";

interface EmbeddedEngineOptions {
  readonly definition: MarketDefinition;
  readonly engineId: string;
  /** Market time, in milliseconds since the epoch. */
  readonly startTime: number;
  /** STRESS_TEST_SECRET; null: `dev.reset` is not configured. */
  readonly secret: string | null;
  /** False: nobody reads messages, answers' results and the audit trail, so none are made. Default: true. */
  readonly isHeard?: boolean;
}

/** Takes the messages of one call, which may be none. */
type Follower = (messages: readonly PublishedMessage[]) => void;

export class EmbeddedEngine {
  /** As in `welcome`. */
  readonly id: string;
  readonly #engine: Engine;
  readonly #facts = new EngineFactRecorder();
  readonly #audit = new UnreadAudit(() => this.#now);
  /** Null: nobody follows. */
  #directory: UserDirectory | null = null;
  readonly #recorder: NotingRecorder | null;
  readonly #followers = new Set<Follower>();
  #now: number;

  constructor({ definition, engineId, startTime: now, secret, isHeard = true }: EmbeddedEngineOptions) {
    this.#recorder = isHeard ? new NotingRecorder(this.#facts) : null;
    const recorder = this.#recorder ?? this.#facts;
    this.id = engineId;
    this.#now = now;
    const clock = LOCKSTEP_CLOCK;
    this.#engine = new Engine(definition, { epoch: now * 1000, now, engineId, secret, recorder, clock });
  }

  get engine(): Pick<MarketEngine, "clock" | "epoch" | "figures" | "sequence" | "user"> {
    return this.#engine;
  }

  /** Market time, in milliseconds since the epoch. */
  get now(): number {
    return this.#now;
  }

  get state(): Readonly<EngineState> {
    return this.#engine.state;
  }

  /** Infinity if nothing is scheduled. */
  get nextDeadline(): number {
    return this.#engine.nextDeadline() ?? Infinity;
  }

  /** What has happened since the last call. */
  takeFacts(): EngineFacts {
    return this.#facts.take();
  }

  get audit(): AuditReader {
    return this.#audit.reader;
  }

  get directory(): Pick<UserDirectory, "entities" | "users"> {
    return this.#followed();
  }

  /** Undefined if there is no such entity. */
  positions(entityId: string): EntityPositions | undefined {
    return this.#engine.positions(entityId, this.#now);
  }

  /** MarketEngine.explainOrder. */
  explainOrder(orderId: string, viewer: EngineUser): OrderBlocks | null {
    return this.#engine.explainOrder(orderId, viewer);
  }

  /** Every module that `viewer` may see; null: all. It must be read before the next call. */
  snapshot(viewer: EngineUser | null): Iterable<PublishedState> {
    this.#followed();
    return this.#engine.snapshot(this.#now, viewer);
  }

  /**
   * `follower` gets the messages of every call from now on that `viewer` may see; null: all. The returned function ends that.
   */
  follow(viewer: EngineUser | null, follower: Follower): () => void {
    const filtered: Follower = viewer === null
      ? follower
      : (messages) => follower(messages.filter(({ audience }) => maySee(viewer, audience)));
    this.#followed();
    this.#followers.add(filtered);
    return () => void this.#followers.delete(filtered);
  }

  /** Executes a request at the present market time. */
  execute(request: EngineRequest): Execution {
    return this.#published(this.#engine.execute(request, this.#now));
  }

  /** The same. The answer only says whether the request was carried out, and else why not. */
  executeUnread(request: EngineRequest): Execution {
    if (this.#recorder === null) return this.execute(request);
    this.#recorder.areAnswersRead = false;
    try {
      return this.execute(request);
    } finally {
      this.#recorder.areAnswersRead = true;
    }
  }

  /** Shows that a user has a connection, or none any more. */
  setConnected(userId: string, connected: boolean): Execution {
    return this.#published(this.#engine.setConnected(userId, connected, this.#now));
  }

  /** Lets market time pass, and carries out what is due. */
  advanceTo(time: number): Execution {
    this.#now = Math.max(time, this.#now);
    return this.#published(this.#engine.advance(time));
  }

  /** Lets market time pass up to a time at which nothing is due. */
  moveTo(time: number): void {
    this.#now = Math.max(time, this.#now);
  }

  /** From now on messages are made, if anybody may hear them, and the directory follows them. */
  #followed(): UserDirectory {
    if (this.#directory === null || this.#recorder === null) {
      // No message has told how the books have changed.
      for (const contract of this.state.contracts.values()) textsOf(contract).book.read(contract.book);
      if (this.#recorder !== null) this.#recorder.areMessagesRead = true;
      this.#directory = new UserDirectory();
      this.#directory.apply(this.#engine.snapshot(this.#now));
    }
    return this.#directory;
  }

  #published(execution: Execution): Execution {
    const { messages, audit } = execution;
    this.#audit.record(audit);
    this.#directory?.apply(messages);
    for (const follower of this.#followers) follower(messages);
    return execution;
  }
}
