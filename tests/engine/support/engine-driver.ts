// Drives an engine as its server does, and applies every message as a client would. After each call it checks what must
// hold for every execution: messages fit the protocol's schemas, events are numbered without a gap, no module is sent twice,
// and the client's modules equal a new snapshot.

import { expect } from "bun:test";
import {
  type DocumentationStatus,
  isModuleType,
  type ModuleData,
  moduleSchema,
  type ModuleType,
} from "../../../protocol/modules/registry.ts";
import {
  type Action,
  type ActionRequest,
  ACTIONS,
  type AuditEvent,
  auditEvent,
  type ClockSetting,
  event as eventSchema,
  type EventMessage,
  EVENTS,
  type EventType,
  type OrderBlock,
  orderBlocksResponse,
  response as responseSchema,
  type StateMessage,
  stateMessage,
} from "../../../protocol/index.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { Engine } from "../../../engine/engine.ts";
import type { Execution } from "../../../engine/api/market-engine.ts";
import { responseText } from "../../../engine/server/publication/response-text.ts";
import type { Retention } from "../../../engine/state/engine-state.ts";
import { ClientModules } from "../../support/client-modules.ts";
import { auditOf, eventsOf, resultOf, snapshotOf, statesOf } from "../../support/executions.ts";
import { EPOCH, SECRET, smallMarket, START } from "./market.ts";
import { wholeCheckpoint } from "./checkpoints.ts";

type Terms = Partial<ActionRequest<"order.submit">> & { price: number; quantity: number };

const OPTIONS = { epoch: EPOCH, now: START, engineId: "test-engine" };

export class EngineDriver {
  engine: Engine;
  readonly modules = new ClientModules();
  readonly audit: AuditEvent[] = [];
  /** Market time of the next call. */
  now = START;
  /** Real time of the next call; null: market time. */
  realNow: number | null = null;
  readonly #parsed = new WeakMap<object, unknown>();
  #operations = 0;
  #sequence = EPOCH;

  constructor(
    definition: MarketDefinition = smallMarket(),
    secret: string | null = SECRET,
    retention?: Retention,
  ) {
    this.engine = new Engine(definition, { ...OPTIONS, secret, retention });
    for (const [path, state] of this.#snapshot()) this.modules.set(path, state);
  }

  /** A driver of an engine that is restored from another driver's checkpoint. */
  static restored(original: EngineDriver, definition: MarketDefinition = smallMarket()): EngineDriver {
    const { engine, now } = original;
    const driver = new EngineDriver(definition);
    driver.engine = Engine.restore(definition, wholeCheckpoint(engine), { ...OPTIONS, secret: SECRET });
    driver.now = now;
    driver.#sequence = driver.engine.sequence;
    driver.#operations = original.#operations;
    driver.modules.clear();
    for (const [path, state] of driver.#snapshot()) driver.modules.set(path, state);
    return driver;
  }

  execute<Name extends Action>(userId: string, action: Name, payload: ActionRequest<Name>): Checked {
    return this.send(userId, action, payload, `operation-${++this.#operations}`);
  }

  /** Sends any operationId, payload and `validUntil`. */
  send(userId: string, action: string, payload: unknown, operationId: string, validUntil?: string): Checked {
    const request = { userId, operationId, action, payload, validUntil };
    return this.#take(this.engine.execute(request, this.now, this.realNow ?? this.now), action);
  }

  buy(userId: string, terms: Terms): Checked {
    return this.execute(userId, "order.submit", { contractId: "N-H12", side: 0, ...terms });
  }

  sell(userId: string, terms: Terms): Checked {
    return this.execute(userId, "order.submit", { contractId: "N-H12", side: 1, ...terms });
  }

  /** Sets a credit limit, in MW if `terms` does not say. `pair`: entity and counterparty, as in "ALPHA:BETA". */
  setLimit(
    userId: string,
    pair: string,
    terms: Partial<ActionRequest<"credit.setLimit">> & { limit: number },
  ): Checked {
    const scope = terms.contractId === undefined ? "total" : "per_contract";
    return this.execute(userId, "credit.setLimit", { ...entitiesOf(pair), limitType: "mw", scope, ...terms });
  }

  setDocuments(userId: string, pair: string, status: DocumentationStatus, notes?: string): Checked {
    return this.execute(userId, "credit.setDocumentation", { ...entitiesOf(pair), status, notes });
  }

  /** Advances the engine's clock to an ISO time. */
  advanceTo(time: string): Checked {
    this.now = Date.parse(time);
    return this.#take(this.engine.advance(this.now, this.realNow ?? this.now), null);
  }

  setClock(clock: ClockSetting): Checked {
    return this.#take(this.engine.setClock(clock, this.now, this.realNow ?? this.now), null);
  }

  setConnected(userId: string, connected: boolean): Checked {
    return this.#take(this.engine.setConnected(userId, connected, this.now), null);
  }

  cancelDisconnected(orderIds: string[]): Checked {
    return this.#take(this.engine.cancelDisconnected(orderIds, this.now), null);
  }

  module<Type extends ModuleType>(type: Type, id: string): ModuleData<Type> {
    return this.#parsedAs(type, this.modules.get(`/${type}/${id}`));
  }

  all<Type extends ModuleType>(type: Type): ModuleData<Type>[] {
    const prefix = `/${type}/`;
    return [...this.modules].filter(([path]) => path.startsWith(prefix))
      .map(([, state]) => this.#parsedAs(type, state));
  }

  /** Each state is parsed once: a later state of the module is another object. */
  #parsedAs<Type extends ModuleType>(type: Type, state: StateMessage["state"] | undefined): ModuleData<Type> {
    if (!state) return moduleSchema(type).parse(state);
    const known = this.#parsed.get(state) ?? moduleSchema(type).parse(state);
    this.#parsed.set(state, known);
    return known as ModuleData<Type>;
  }

  order(id: string): ModuleData<"ORDER"> {
    return this.module("ORDER", id);
  }

  credit(entityId: string, counterpartyId: string): ModuleData<"CREDIT"> {
    return this.module("CREDIT", `${entityId}:${counterpartyId}`);
  }

  /** Why an order does not trade, as a user is told. Throws if the user may not see the order. */
  explain(orderId: string, userId: string): OrderBlock[] {
    const viewer = this.engine.user(userId);
    const blocks = viewer && this.engine.explainOrder(orderId, viewer);
    if (!blocks) throw new Error(`${userId} sees no order ${orderId}`);
    expect(orderBlocksResponse.parse(blocks)).toEqual(blocks);
    return blocks.blockedBy;
  }

  #take(execution: Execution, action: string | null): Checked {
    this.now = Math.max(this.now, this.engine.now);
    for (const event of auditOf(execution)) this.audit.push(auditEvent.parse(event));
    this.#checkEvents(eventsOf(execution));
    this.#checkStates(statesOf(execution));
    this.#applyMessages(execution);
    checkResponse(execution, action);
    expect(this.engine.sequence).toBe(this.#sequence);
    expect(withoutClock(this.modules)).toEqual(withoutClock(this.#snapshot()));
    return new Checked(execution);
  }

  #checkEvents(events: readonly EventMessage[]): void {
    for (const event of events) {
      eventSchema.parse(event);
      expect(event.sequence).toBe(++this.#sequence);
      if (this.engine.clock.mode === "real") expect(event.time).toBe(new Date(this.now).toISOString());
      const schema = EVENTS[event.type as EventType];
      expect({ type: event.type, known: schema !== undefined }).toEqual({ type: event.type, known: true });
      schema.parse(event.data);
    }
  }

  /** Each fact is sent once: no state says what an event of the call says. A new contract's ENGINE is a state in any case. */
  #applyMessages({ messages }: Execution): void {
    const told = new Set<string | null>();
    let lists = false;
    for (const message of messages) {
      const path = this.modules.apply(JSON.parse(message.text));
      if (message.kind === "event") told.add(path);
      lists ||= message.text.includes('"type":"new.contract"');
    }
    const twice = messages.filter((message) =>
      message.kind === "state" && message.change === "set" && told.has(`/${message.type}/${message.id}`)
    );
    if (!lists) expect(twice).toEqual([]);
  }

  #checkStates(states: readonly StateMessage[]): void {
    const paths = states.map(({ statePath }) => statePath);
    expect(new Set(paths).size).toBe(paths.length);
    for (const message of states) {
      stateMessage.parse(message);
      const [, type = "", id] = message.statePath.split("/");
      if (!isModuleType(type)) throw new Error(`no module type ${type}`);
      if (message.state !== null) expect(moduleSchema(type).parse(message.state).id).toBe(id ?? "");
    }
  }

  #snapshot(): ClientModules {
    const modules = new ClientModules();
    for (const message of snapshotOf(this.engine, this.now)) modules.apply(message);
    return modules;
  }
}

function entitiesOf(pair: string) {
  const [entityId = "", counterpartyId = ""] = pair.split(":");
  return { entityId, counterpartyId };
}

function checkResponse({ response }: Execution, action: string | null): void {
  expect(response === null).toBe(action === null);
  if (response === null || action === null) return;
  const { result } = responseSchema.parse(JSON.parse(responseText("r", response)));
  if (response.status === "ok") ACTIONS[action as Action].result.parse(result);
}

/** In a stable order, without the market's clock. */
function withoutClock(modules: ReadonlyMap<string, StateMessage["state"]>): unknown[] {
  return [...modules].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([path, state]) => path.startsWith("/MARKET/") ? [path, { ...state, currentTime: "" }] : [path, state]);
}

/** A checked execution, with shortcuts for tests. */
export class Checked {
  constructor(readonly execution: Execution) {}

  /** `ok`, or the code of the rejection. */
  get outcome(): string {
    const { response } = this.execution;
    return response === null ? "no response" : response.code ?? response.status;
  }

  get message(): string {
    return this.execution.response?.message ?? "";
  }

  get result(): Record<string, unknown> {
    return resultOf(this.execution) ?? {};
  }

  /** Id of the order in the result. */
  get orderId(): string {
    return this.order.id;
  }

  get order(): ModuleData<"ORDER"> {
    return moduleSchema("ORDER").parse(this.result.order);
  }

  /** The states of the execution, then its removals. */
  get states(): StateMessage[] {
    return statesOf(this.execution);
  }

  get events(): EventMessage[] {
    return eventsOf(this.execution);
  }

  get eventTypes(): string[] {
    return this.events.map(({ type }) => type);
  }

  /** Each event as its type, its module's id, and the module's status, or the liquidity of a fill. */
  get story(): string[] {
    return this.events.map(({ type, data }) =>
      [type, data.id ?? data.marketId, data.status ?? data.liquidity].filter((part) => part !== undefined).join(" ")
    );
  }

  get paths(): string[] {
    return this.states.map(({ statePath }) => statePath);
  }

  /** Paths of the removed modules. */
  get removed(): string[] {
    return this.states.filter(({ state }) => state === null).map(({ statePath }) => statePath);
  }

  /** The data of the events of a type. */
  dataOf(type: EventType): EventMessage["data"][] {
    return this.events.filter((event) => event.type === type).map(({ data }) => data);
  }

  get audited(): string[] {
    return auditOf(this.execution).map(({ event }) => event);
  }
}
