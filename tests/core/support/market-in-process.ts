// A market in this process: the real engine behind the interfaces of both connections, without a network and without a
// clock: time only passes when a test says so. Two markets that get the same calls give the same answers, byte for byte.
//
// Limits: the acting user sees everything, unless the market is opened with `seesOwn`. Every LOST-th request of a user is carried out and its response is lost, so that
// results with the status `timeout` are seen too; every FAILED-th one fails in the engine.

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
import type {
  Action,
  ActionRequest,
  ActionResult,
  EventMessage,
  StateMessage,
  Welcome,
} from "../../../protocol/index.ts";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import type { Execution } from "../../../engine/api/market-engine.ts";
import { Engine } from "../../../engine/engine.ts";
import { EVENT, SPOT, STATUS } from "../../plugins/support/scripted-simulator.ts";
import { eventsOf, maySeeMessage, resultOf, snapshotOf, statesOf } from "../../support/executions.ts";

/** Milliseconds since the epoch, until a test lets time pass. */
export const NOW = Date.parse("2030-06-01T12:00:00.000Z");
const EPOCH = NOW * 1000;
const ENGINE_ID = "engine-in-process";
const LOST = 17;
const FAILED = 23;

export class MarketInProcess implements PubSub {
  readonly engine: Engine;
  readonly snapshot = new Snapshot();
  readonly events: EventBuffer;
  #now = NOW;
  readonly #audit = SqliteAuditStore.inMemory({ now: () => this.#now });
  readonly #clock = new EngineClock(() => this.#now);
  readonly #cache: MarketCache;
  status: PubSub["status"] = "disconnected";
  session: Session | null = null;
  readonly incomplete = false;
  disconnects = 0;
  #lastUserId: string | null = null;
  #operations = 0;

  /** `seesOwn`: the acting user is only sent what that user may see. */
  constructor(
    definition: MarketDefinition,
    secret: string,
    eventBufferSize = 200,
    private readonly seesOwn = false,
  ) {
    this.engine = new Engine(definition, { epoch: EPOCH, now: NOW, engineId: ENGINE_ID, secret });
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
        query: (query, viewer) => this.#audit.query(query, viewer).catch(throwToolError),
        orderEvents: (orderId, query) => this.#audit.orderEvents(orderId, query).catch(throwToolError),
      },
      simulator: SIMULATOR,
    };
  }

  /** Carries out a request of any user at once. */
  execute<Name extends Action>(userId: string, action: Name, payload: ActionRequest<Name>): Execution {
    return this.#take(
      this.engine.execute({ userId, operationId: `own-${++this.#operations}`, action, payload }, this.#now),
    );
  }

  /** Lets time pass, and carries out what is due. */
  pass(milliseconds: number): Execution {
    this.#now += milliseconds;
    return this.#take(this.engine.advance(this.#now));
  }

  /** The connection is lost, and is being restored from now on. */
  lose(): void {
    if (this.status === "connected") this.status = "reconnecting";
    this.#cache.abandon();
  }

  /** A lost connection is restored. */
  restore(): void {
    if (this.status !== "reconnecting") return;
    this.#load();
    this.status = "connected";
  }

  marketTime(): number {
    return this.#now;
  }

  async connect(userId: string, signal?: AbortSignal): Promise<Session> {
    await Promise.resolve();
    signal?.throwIfAborted();
    if (this.session !== null && this.session.userId !== userId) {
      throw new ToolError("already_connected", `Connected as ${this.session.userId}.`, "Disconnect first.");
    }
    const user = this.engine.user(userId);
    if (user === undefined) throw new ToolError("not_found", `There is no user ${userId}.`, "List the users.");
    const { entityId, permissions } = user;
    if (this.#lastUserId !== userId) this.#cache.clear();
    this.#lastUserId = userId;
    this.session = { userId, entityId, capabilities: [...permissions], engineId: ENGINE_ID, epoch: EPOCH };
    this.#load();
    this.status = "connected";
    return this.session;
  }

  async disconnect(): Promise<void> {
    await Promise.resolve();
    this.disconnects += 1;
    this.status = "disconnected";
    this.session = null;
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
    const execution = this.#take(this.engine.execute({ userId, operationId, action, payload }, this.#now));
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
    return {
      status: this.status,
      url: "ws://localhost:1/ws",
      userId: this.session?.userId ?? null,
      entityId: this.session?.entityId ?? null,
      engineId: this.session?.engineId ?? null,
      epoch: this.session?.epoch ?? null,
      marketTime: null,
      clock: null,
      since: null,
      reconnects: 0,
      unreadableMessages: 0,
      incomplete: false,
      lastError: null,
    };
  }

  #load(): void {
    const user = { userId: this.#lastUserId, entityId: null, capabilities: [] };
    this.#cache.welcome(
      { ...user, engineId: ENGINE_ID, epoch: EPOCH, sequence: this.engine.sequence } as unknown as Welcome,
    );
    for (const message of this.#visible(snapshotOf(this.engine, this.#now))) this.#cache.state(message);
    this.#cache.snapshotEnd();
  }

  #take(execution: Execution): Execution {
    this.#audit.record(execution.audit);
    if (this.status === "connected") {
      for (const message of this.#visible(statesOf(execution))) this.#cache.state(message);
      for (const message of this.#visible(eventsOf(execution))) {
        const state = reduceEvent(message, this.#cache.bookOf);
        if (state !== null && "misfit" in state) throw new Error(`event ${message.sequence} does not fit`);
        if (state !== null) this.#cache.state(state);
        this.#cache.event(message, state);
      }
      this.#cache.confirm();
    }
    return execution;
  }

  #visible<Message extends StateMessage | EventMessage>(messages: readonly Message[]): readonly Message[] {
    const viewer = this.seesOwn ? this.engine.user(this.session?.userId ?? "") : undefined;
    return viewer === undefined ? messages : messages.filter((message) => maySeeMessage(viewer, message));
  }

  #stateClient(): StateClient {
    const modules = <Type extends "ENTITY" | "USER">(type: Type) =>
      snapshotOf(this.engine, this.#now).filter(({ statePath }) => statePath.startsWith(`/${type}/`))
        .map(({ state }) => state as unknown as ModuleData<Type>);
    const missing = (what: string) => new ToolError("not_found", `There is no ${what}.`, "Read the list.");
    return {
      entities: () => Promise.resolve(modules("ENTITY")),
      users: () => Promise.resolve(modules("USER")),
      positions: (entityId) => {
        const positions = this.engine.positions(entityId, this.#now);
        return positions === undefined ? Promise.reject(missing(`entity ${entityId}`)) : Promise.resolve(positions);
      },
      orderBlocks: (orderId) => {
        const viewer = this.engine.user(this.session?.userId ?? "");
        const blocks = viewer === undefined ? null : this.engine.explainOrder(orderId, viewer);
        return blocks === null ? Promise.reject(missing(`order ${orderId}`)) : Promise.resolve(blocks);
      },
      health: () => Promise.resolve({ engineId: ENGINE_ID, time: null, marketTime: null, clock: null, version: null }),
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
