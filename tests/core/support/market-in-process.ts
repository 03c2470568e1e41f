// A market in this process: the embedded engine behind the interfaces of both connections. Time only passes when a test says
// so. Two markets that get the same calls give the same answers, byte for byte.
//
// Limits: the acting user sees everything, unless the market is opened with `seesOwn`. Every LOST-th request of a user is
// carried out and its response is lost, so that results with the status `timeout` are seen too; every FAILED-th one fails in
// the engine.

import { AuditFailure } from "../../../common/audit/audit-failure.ts";
import type { ConnectionFacts, PubSub, RequestOptions, Session } from "../../../core/backend/pubsub.ts";
import { MarketCache } from "../../../core/backend/market-cache.ts";
import type { SimulatorClient } from "../../../core/backend/simulator-client.ts";
import type { StateClient } from "../../../core/backend/state-client.ts";
import { ToolError } from "../../../core/error.ts";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import { Snapshot } from "../../../core/market/snapshot.ts";
import type { Services } from "../../../core/tools/context.ts";
import { EngineClock } from "../../../protocol/client/engine-clock.ts";
import { reduceEvent } from "../../../protocol/client/module-reduction.ts";
import type { RequestOutcome } from "../../../protocol/client/pending-requests.ts";
import type { Action, ActionRequest, ActionResult, Welcome } from "../../../protocol/index.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import type { EngineUser, Execution } from "../../../engine/api/market-engine.ts";
import type { PublishedMessage } from "../../../engine/api/messages.ts";
import { EmbeddedEngine } from "../../../engine/embedded/embedded-engine.ts";
import { EVENT, SPOT, STATUS } from "../../plugins/support/scripted-simulator.ts";
import { resultOf } from "../../support/executions.ts";
import { factsOf } from "./services.ts";

/** Milliseconds since the epoch, until a test lets time pass. */
export const NOW = Date.parse("2030-06-01T12:00:00.000Z");
const ENGINE_ID = "engine-in-process";
const UNKNOWN_TIME = { time: null, marketTime: null, clock: null, clockJumpSeconds: 0 };
const LOST = 17;
const FAILED = 23;

export class MarketInProcess implements PubSub {
  readonly #market: EmbeddedEngine;
  readonly snapshot = new Snapshot();
  readonly events: EventBuffer;
  readonly #clock = new EngineClock(() => this.marketTime());
  readonly #cache: MarketCache;
  status: PubSub["status"] = "disconnected";
  session: Session | null = null;
  readonly isWanted = false;
  readonly incomplete = false;
  disconnects = 0;
  #lastUserId: string | null = null;
  #operations = 0;
  #unfollow: () => void = () => {};

  /** `seesOwn`: the acting user is only sent what that user may see. */
  constructor(
    definition: MarketDefinition,
    secret: string,
    eventBufferSize = 200,
    private readonly seesOwn = false,
  ) {
    this.#market = new EmbeddedEngine({ definition, startTime: NOW, engineId: ENGINE_ID, secret });
    this.events = new EventBuffer(eventBufferSize);
    this.#cache = new MarketCache(this.snapshot, this.events, this.#clock);
  }

  /** The parts of the services that reach the market. */
  get services(): Pick<Services, "pubsub" | "snapshot" | "events" | "backend" | "audit" | "simulator"> {
    return {
      pubsub: this,
      snapshot: this.snapshot,
      events: this.events,
      backend: this.#stateClient(),
      audit: {
        query: (query, viewer) => this.#market.audit.query(query, viewer).catch(throwToolError),
        orderEvents: (orderId, query) => this.#market.audit.orderEvents(orderId, query).catch(throwToolError),
      },
      simulator: SIMULATOR,
    };
  }

  /** Carries out a request of any user at once. */
  execute<Name extends Action>(userId: string, action: Name, payload: ActionRequest<Name>): Execution {
    return this.#market.execute({ userId, operationId: `own-${++this.#operations}`, action, payload });
  }

  /** Lets time pass, and carries out what is due. */
  pass(milliseconds: number): Execution {
    return this.#market.advanceTo(this.marketTime() + milliseconds);
  }

  /** The connection is lost, and is being restored from now on. */
  lose(): void {
    if (this.status === "connected") this.status = "reconnecting";
    this.#unfollow();
    this.#cache.abandon();
  }

  /** A lost connection is restored. */
  restore(): void {
    if (this.status !== "reconnecting") return;
    this.#load();
    this.status = "connected";
  }

  marketTime(): number {
    return this.#market.now;
  }

  async connect(userId: string, signal?: AbortSignal): Promise<Session> {
    await Promise.resolve();
    signal?.throwIfAborted();
    if (this.session !== null && this.session.userId !== userId) {
      throw new ToolError("already_connected", `Connected as ${this.session.userId}.`, "Disconnect first.");
    }
    const user = this.#market.engine.user(userId);
    if (user === undefined) throw new ToolError("not_found", `There is no user ${userId}.`, "List the users.");
    const { entityId, permissions } = user;
    if (this.#lastUserId !== userId) this.#cache.clear();
    this.#lastUserId = userId;
    const { epoch } = this.#market.engine;
    this.session = { userId, entityId, capabilities: [...permissions], engineId: ENGINE_ID, epoch };
    this.#load();
    this.status = "connected";
    return this.session;
  }

  async disconnect(): Promise<void> {
    await Promise.resolve();
    this.disconnects += 1;
    this.status = "disconnected";
    this.session = null;
    this.#unfollow();
    this.#cache.abandon();
  }

  async request<Name extends Action>(
    action: Name,
    payload: ActionRequest<Name>,
    { operationId = `operation-${++this.#operations}` }: RequestOptions = {},
  ): Promise<RequestOutcome<ActionResult<Name>>> {
    await Promise.resolve();
    if (this.session === null) return { kind: "not_connected", operationId };
    const { userId } = this.session;
    const execution = this.#market.execute({ userId, operationId, action, payload });
    const count = ++this.#operations;
    if (count % LOST === 0) {
      return { kind: "timeout", operationId, waitedMs: 15_000, validUntil: new Date(NOW + 15_000).toISOString() };
    }
    if (count % FAILED === 0) return { kind: "error", operationId, code: "backend_error", message: "It failed." };
    const { status, code = "rejected", message = "Refused." } = execution.response ?? { status: "rejected" };
    if (status !== "ok") return { kind: "rejected", operationId, code, message };
    return { kind: "ok", operationId, result: resultOf(execution) as ActionResult<Name> };
  }

  facts(): ConnectionFacts {
    return factsOf(this.status, this.session);
  }

  #load(): void {
    this.#unfollow();
    const { epoch, sequence } = this.#market.engine;
    const user = { userId: this.#lastUserId, entityId: null, capabilities: [] };
    this.#cache.welcome({ ...user, engineId: ENGINE_ID, epoch, sequence } as unknown as Welcome);
    const viewer = this.seesOwn ? this.#user ?? null : null;
    for (const { text } of this.#market.snapshot(viewer)) this.#cache.state(JSON.parse(text));
    this.#cache.snapshotEnd();
    this.#unfollow = this.#market.follow(viewer, (messages) => this.#take(messages));
  }

  #take(messages: readonly PublishedMessage[]): void {
    for (const { kind, text } of messages) {
      const message = JSON.parse(text);
      const state = kind === "state" ? message : reduceEvent(message, this.#cache.bookOf);
      if (state !== null && "misfit" in state) throw new Error(`event ${message.sequence} does not fit`);
      if (state !== null) this.#cache.state(state);
      if (kind === "event") this.#cache.event(message, state);
    }
    this.#cache.confirm();
  }

  get #user(): EngineUser | undefined {
    return this.#market.engine.user(this.session?.userId ?? "");
  }

  #stateClient(): StateClient {
    const missing = (what: string) => new ToolError("not_found", `There is no ${what}.`, "Read the list.");
    return {
      entities: () => Promise.resolve(this.#market.directory.entities(this.seesOwn ? this.#user : undefined)),
      users: () => Promise.resolve(this.#market.directory.users(this.seesOwn ? this.#user : undefined)),
      positions: (entityId) => {
        const positions = this.#market.positions(entityId);
        return positions === undefined ? Promise.reject(missing(`entity ${entityId}`)) : Promise.resolve(positions);
      },
      orderBlocks: (orderId) => {
        const viewer = this.#user;
        const blocks = viewer === undefined ? null : this.#market.explainOrder(orderId, viewer);
        return blocks === null ? Promise.reject(missing(`order ${orderId}`)) : Promise.resolve(blocks);
      },
      health: () => Promise.resolve({ engineId: ENGINE_ID, ...UNKNOWN_TIME, version: null, refusal: null }),
    };
  }
}

function throwToolError(error: unknown): never {
  if (!(error instanceof AuditFailure)) throw error;
  throw new ToolError(error.code, error.message, error.hint, { cause: error });
}

/** Accepts every command, and is the same afterwards. */
const SIMULATOR: SimulatorClient = {
  status: () => Promise.resolve(STATUS),
  spot: () => Promise.resolve(SPOT),
  start: () => Promise.resolve({ kind: "ok", result: { ...STATUS, changed: true } }),
  stop: () => Promise.resolve({ kind: "rejected", code: "not_running", message: "No simulation is running." }),
  trigger: () => Promise.resolve({ kind: "ok", result: { event: EVENT } }),
};
