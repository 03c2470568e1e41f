// Checks at the end of a run, when every request is answered and every connection is up. They compare what the clients saw,
// the engine's last snapshot, and the model, which replays the journal.

import type { AuditReader } from "../../../common/audit/audit-store.ts";
import type { AnyModuleData, ModuleData } from "../../../protocol/modules/registry.ts";
import type { AuditEvent, EventMessage, StateMessage } from "../../../protocol/index.ts";
import { Engine } from "../../../engine/engine.ts";
import { applyCall, type JournalCall } from "../../../engine/journal/journal-call.ts";
import { type Operation, orderIdOf, type SimulatedClient } from "./client.ts";
import type { SimulatedDisk } from "./disk.ts";
import type { SimulatedMarket } from "./market.ts";
import { MarketModel } from "./model.ts";
import { isWorking, type ModelPosition } from "./model-terms.ts";
import { auditOf, eventsOf, maySeeMessage, snapshotOf } from "../../support/executions.ts";

interface Evidence {
  readonly clients: readonly SimulatedClient[];
  readonly engine: Engine;
  readonly audit: AuditReader;
  readonly disk: SimulatedDisk;
  readonly market: SimulatedMarket;
  readonly now: number;
  /** When the engine's process started, by its own clock. */
  readonly starts: readonly number[];
  violation(text: string): void;
}

type Orders = ReadonlyMap<string, ModuleData<"ORDER">>;
type ComparedOrder =
  & Pick<ModuleData<"ORDER">, "id" | "clientOrderId" | "userId" | "entityId" | "contractId" | "side" | "price">
  & Pick<ModuleData<"ORDER">, "quantity" | "filledQuantity" | "status">
  & { readonly closeReason: string | null };

export async function judge(evidence: Evidence): Promise<void> {
  const snapshot = snapshotOf(evidence.engine, evidence.now);
  const orders = new Map(ofType<"ORDER">(snapshot, "ORDER").map((order) => [order.id, order]));
  const calls = evidence.disk.history.map(({ text }): JournalCall => JSON.parse(text));
  judgeUniqueness(evidence, orders);
  for (const client of evidence.clients) {
    judgeMap(evidence, client, snapshot);
    for (const operation of client.operations) judgeOperation(evidence, client, operation, orders);
  }
  const executions = replay(evidence, calls);
  const events = executions.flatMap(eventsOf);
  judgeEvents(evidence, events);
  judgeSchedule(evidence, events);
  await judgeAudit(evidence, executions.flatMap(auditOf));
  judgeByModel(evidence, calls, snapshot);
}

/** No operation made two orders. */
function judgeUniqueness({ violation }: Evidence, orders: Orders): void {
  const made = new Map<string, string>();
  for (const { id, userId, clientOrderId } of orders.values()) {
    const key = `${userId} ${clientOrderId}`;
    const other = made.get(key);
    if (other !== undefined) violation(`${key} made ${other} and ${id}`);
    made.set(key, id);
  }
}

/** Each client has exactly the states that its user may see. */
function judgeMap({ engine, violation }: Evidence, client: SimulatedClient, snapshot: readonly StateMessage[]): void {
  const { name, userId } = client.traits;
  const user = engine.user(userId);
  if (user === undefined) return violation(`the engine has no user ${userId}`);
  const expected = new Map(
    snapshot.filter((message) => maySeeMessage(user, message)).map(({ statePath, state }) => [statePath, state]),
  );
  for (const path of new Set([...expected.keys(), ...client.modules.keys()])) {
    const [shown, real] = [comparable(client.modules.get(path)), comparable(expected.get(path))];
    if (shown !== real) return violation(`${name} has ${path} as ${shown}, the engine as ${real}`);
  }
}

function judgeOperation(evidence: Evidence, client: SimulatedClient, operation: Operation, orders: Orders): void {
  const { violation } = evidence;
  const { action, operationId, answer, payload } = operation;
  const { userId, cancelOnDisconnect } = client.traits;
  if (answer === null) return violation(`${operationId} has no answer`);
  const confirmedId = answer.status === "ok" ? orderIdOf(answer.result) : null;
  if (action === "order.submit") {
    const made = [...orders.values()].filter((order) => order.userId === userId && order.clientOrderId === operationId);
    const [order] = made;
    if (answer.status === "rejected" && order !== undefined) {
      violation(`${operationId} is rejected, but made ${order.id}`);
    }
    if (answer.status !== "ok") return;
    if (order === undefined || order.id !== confirmedId) {
      return violation(`${operationId} is confirmed as ${confirmedId}, but made ${order?.id}`);
    }
    if (order.side !== payload["side"] || order.contractId !== payload["contractId"]) {
      violation(`${order.id} has another side or contract than its request`);
    }
    const hasEnded = operation.connections.every((connection) => connection < client.connection);
    if (cancelOnDisconnect && hasEnded && order.closeReason === null) {
      violation(`${order.id} outlived its connection with cancelOnDisconnect`);
    }
  }
  if (confirmedId === null) return;
  const order = orders.get(confirmedId);
  const confirmed = answer.result?.["order"];
  if (order === undefined) return violation(`${operationId} confirmed ${confirmedId}, which does not exist`);
  if (order.filledQuantity < Number(Object(confirmed).filledQuantity)) violation(`${confirmedId} lost fills`);
  if (action === "order.cancel" && order.status !== "cancelled") {
    violation(`${confirmedId} has a confirmed cancel and the status ${order.status}`);
  }
}

/** Each client saw every event that it may see, once, as the engine made it, except in announced gaps. */
function judgeEvents({ clients, engine, market, violation }: Evidence, events: readonly EventMessage[]): void {
  const truth = new Map(events.map((event) => [event.sequence, event]));
  for (const { traits, events: seen, gaps, coveredAfter, lastSequence } of clients) {
    const user = engine.user(traits.userId);
    if (user === undefined || coveredAfter === null) return violation(`${traits.name} never got a snapshot`);
    for (const event of seen.values()) {
      const real = truth.get(event.sequence);
      if (JSON.stringify(real) !== JSON.stringify(event)) {
        return violation(`${traits.name} saw ${JSON.stringify(event)}, the journal gives ${JSON.stringify(real)}`);
      }
    }
    for (const event of truth.values()) {
      const { sequence } = event;
      if (sequence <= coveredAfter || sequence > lastSequence || seen.has(sequence) || !maySeeMessage(user, event)) {
        continue;
      }
      if (gaps.some(({ from, to }) => from <= sequence && sequence <= to)) continue;
      return violation(`${traits.name} never saw event ${sequence}`);
    }
  }
  let expected = market.start * 1000;
  for (const sequence of [...truth.keys()].sort((a, b) => a - b)) {
    if (sequence !== ++expected) return violation(`event ${expected} is missing`);
  }
  if (engine.sequence !== expected) violation(`the engine is at event ${engine.sequence}, its journal at ${expected}`);
}

/** Sessions change on time without any request, or as soon as the engine runs again. */
function judgeSchedule({ market, starts, violation }: Evidence, events: readonly EventMessage[]): void {
  for (const { type, time } of events) {
    if (type !== "change.market") continue;
    const changed = Date.parse(time);
    if (changed !== market.changesAt && !starts.includes(changed)) violation(`the session changed at ${time}`);
  }
}

/** The audit trail survives restarts completely and without duplicates. */
async function judgeAudit({ audit, violation }: Evidence, events: readonly AuditEvent[]): Promise<void> {
  const page = await audit.query({ from: "2026-01-01", to: "2026-12-31", limit: events.length + 1 });
  const [real, expected] = [page.events.toReversed(), events].map((trail) =>
    trail.map((event) => JSON.stringify(event))
  );
  const at = expected?.findIndex((event, place) => event !== real?.[place]) ?? -1;
  if (at >= 0) violation(`the audit trail has ${real?.[at]}, the journal gives ${expected?.[at]}`);
  else if (page.events.length > events.length) violation(`the audit trail has more than the journal gives`);
}

/** Replays the whole journal in a new engine. */
function replay({ disk, market }: Evidence, calls: readonly JournalCall[]) {
  const { engineId = "", epoch = 0, clock } = disk.header ?? {};
  const engine = new Engine(market.definition, { engineId, epoch, now: market.start, clock, secret: null });
  return calls.map((call) => applyCall(engine, call)).filter((execution) => execution !== null);
}

/** The call as its client sent it. The journal does not keep the payload of a refused request, but its client does. */
function asSent(clients: Evidence["clients"], call: JournalCall): JournalCall {
  if (call.kind !== "rejected") return call;
  const { userId, operationId, now, realNow, code } = call;
  const operation = clients.filter(({ traits }) => traits.userId === userId)
    .flatMap(({ operations }) => operations).find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(`nobody sent operation ${operationId}`);
  const { action, payload } = operation;
  // Takes the shortest validity among its requests, because the journal does not say which of them was refused.
  const validUntil = code === "too_late" ? operation.validUntil.toSorted()[0] : undefined;
  return { kind: "execute", userId, operationId, action, payload, validUntil, cancelOnDisconnect: false, now, realNow };
}

function judgeByModel(evidence: Evidence, calls: readonly JournalCall[], snapshot: readonly StateMessage[]): void {
  const { clients, market, violation } = evidence;
  const model = new MarketModel(market.definition, market.start);
  for (const call of calls) model.apply(asSent(clients, call));
  const expect = (what: string, real: unknown, modelled: unknown) => {
    const [one, other] = [JSON.stringify(real), JSON.stringify(modelled)];
    if (one !== other) violation(`${what}: the engine has ${one}, the model ${other}`);
  };
  expect("orders", ofType<"ORDER">(snapshot, "ORDER").map(orderLine), model.orders.map(modelOrder).map(orderLine));
  expect(
    "fills",
    ofType<"FILL">(snapshot, "FILL").map((fill) => [fill.orderId, fill.price, fill.quantity, fill.liquidity]),
    model.fills.map((fill) => [fill.orderId, fill.price, fill.quantity / 1000, fill.liquidity]),
  );
  for (const { entityId, counterpartyId, ...credit } of ofType<"CREDIT">(snapshot, "CREDIT")) {
    const { limits, documentation } = model.credit.of(entityId, counterpartyId);
    const used = model.credit.used(entityId, counterpartyId);
    const engineUsage = rounded(credit.usedNotional, credit.usedMw, credit.usedMwh);
    expect(
      `credit of ${entityId} for ${counterpartyId}`,
      [credit.documentation, limitLines(credit.limits), engineUsage, credit.tradable],
      [
        documentation,
        limitLines(limits),
        rounded(used.notional, used.mw, used.mwh),
        model.credit.tradable(entityId, counterpartyId),
      ],
    );
  }
  for (const { id, creditStatus } of ofType<"ENTITY">(snapshot, "ENTITY")) {
    expect(`credit status of ${id}`, creditStatus, model.credit.statusOf(id));
  }
  for (const { id } of market.definition.entities) {
    const positions = evidence.engine.positions(id, evidence.now)?.positions;
    expect(`positions of ${id}`, positions?.map(positionLine), model.positions(id).map(positionLine));
  }
  for (const book of ofType<"ENGINE">(snapshot, "ENGINE")) {
    expect(`book of ${book.contractId}`, [book.bids, book.asks, book.heldOrders], bookOf(model, book.contractId));
  }
  expect("market", ofType<"MARKET">(snapshot, "MARKET").map(({ status }) => status), [model.marketStatus]);
  const connected = ofType<"USER">(snapshot, "USER").filter((user) => user.connected).map(({ id }) => id).sort();
  expect("connected users", connected, [...model.connected].sort());
  for (const { traits, operations } of clients) {
    for (const { operationId, answer } of operations) {
      const modelled = model.answers.get(`${traits.userId} ${operationId}`);
      expect(`answer to ${operationId}`, [answer?.status, answer?.code], [modelled?.status, modelled?.code]);
    }
  }
}

function orderLine({ id, clientOrderId, userId, entityId, contractId, side, price, ...order }: ComparedOrder) {
  const { quantity, filledQuantity, status, closeReason } = order;
  return [[id, clientOrderId, userId, entityId, contractId, side, price], [
    quantity,
    filledQuantity,
    status,
    closeReason,
  ]];
}

function modelOrder(order: MarketModel["orders"][number]): ComparedOrder {
  const { contract, quantity, filled } = order;
  return { ...order, contractId: contract.id, quantity: quantity / 1000, filledQuantity: filled / 1000 };
}

function positionLine(position: ModelPosition) {
  const { contractId, netQuantity, boughtQuantity, soldQuantity, cash } = position;
  return [contractId, netQuantity, boughtQuantity, soldQuantity, ...rounded(cash)];
}

function limitLines(
  limits: readonly { limitType: string; contractId: string | null; limit: number; marginPercent: number }[],
) {
  return limits.map(({ limitType, contractId, limit, marginPercent }) => [limitType, contractId, limit, marginPercent]);
}

/** Rounded to a hundredth of a cent, as clients see it. */
function rounded(...values: number[]): string[] {
  return values.map((value) => value.toFixed(4));
}

function bookOf(model: MarketModel, contractId: string) {
  const orders = model.orders.filter((order) => order.contract.id === contractId);
  const working = orders.filter(isWorking);
  const side = (wanted: 0 | 1, direction: 1 | -1) => {
    const ofSide = working.filter((order) => order.side === wanted);
    return [...new Set(ofSide.map(({ price }) => price))].sort((a, b) => (a - b) * direction).map((price) => {
      const level = ofSide.filter((order) => order.price === price);
      const volume = level.reduce((sum, order) => sum + order.quantity - order.filled, 0) / 1000;
      return { price, volume, orderCount: level.length };
    }).slice(0, 10);
  };
  return [side(0, -1), side(1, 1), orders.filter(({ status }) => status === "held").length];
}

function ofType<Type extends "ORDER" | "FILL" | "CREDIT" | "ENTITY" | "ENGINE" | "MARKET" | "USER">(
  snapshot: readonly StateMessage[],
  type: Type,
): ModuleData<Type>[] {
  return snapshot.filter(({ statePath }) => statePath.startsWith(`/${type}/`))
    .map(({ state }) => state as AnyModuleData as ModuleData<Type>);
}

/** Without the market's clock. */
function comparable(state: StateMessage["state"] | undefined): string {
  return state === undefined ? "absent" : JSON.stringify({ ...state, currentTime: undefined });
}
