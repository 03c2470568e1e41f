// The market engine: answers requests and follows the clock.
//
// One call is one transaction (transactions.ts). The request is parsed, looked up by its operationId, and executed. A repeat
// gets the first answer and changes nothing. A request that does not parse, or of an unknown user, is not remembered. A new
// request that comes after its `validUntil` is rejected last, before its handler is called.

import type { ActionPayload, ClockSetting, EntityPositions, OrderBlocks } from "../protocol/index.ts";
import { DAY_MS } from "../protocol/time-units.ts";
import type { MarketDefinition } from "./definition/market-definition.ts";
import type {
  EngineRequest,
  EngineUser,
  Execution,
  MarketEngine,
  MarketFigures,
  OpenOrderLimits,
  OperationName,
  RefusedTerms,
  RejectionTrace,
  RequestTrace,
  WrittenAnswer,
} from "./api/market-engine.ts";
import type { Fingerprint } from "./api/fingerprint.ts";
import type { PublishedState } from "./api/messages.ts";
import { rejected, type Rejection } from "./api/outcome.ts";
import { applyCheckpoint, checkpointOf, type CheckpointPart } from "./checkpoint/checkpoint.ts";
import { changeClock } from "./commands/clock-commands.ts";
import { executeCommand, parseCommand } from "./commands/command-table.ts";
import { UNLIMITED } from "./commands/open-order-limits.ts";
import { recordRejection, refusedTerms } from "./commands/rejected-orders.ts";
import { orderBlocks } from "./modules/order-blocks.ts";
import { positionReport } from "./modules/position-report.ts";
import { engineModule } from "./modules/market-modules.ts";
import { publishedState, snapshotOf } from "./modules/snapshot.ts";
import { ANY_CONTENT } from "./operations/fingerprint.ts";
import type { HashKey } from "./operations/keyed-hash.ts";
import { OperationLog } from "./operations/operation-log.ts";
import {
  answerTo,
  type ClosedOrderCode,
  type ClosedOrderRefusal,
  type OperationOutcome,
  written,
} from "./operations/operation-outcome.ts";
import { type EngineState, nextDeadline } from "./state/engine-state.ts";
import { createState, type StateOptions } from "./state/initial-state.ts";
import { required } from "./state/required.ts";
import { closeOrder } from "./trading/order-lifecycle.ts";
import { isoTime } from "../common/iso-time.ts";
import { timeFrom } from "./text/time-from.ts";
import { MessageRecorder } from "./transaction/message-recorder.ts";
import type { Recorder } from "./transaction/recorder.ts";
import type { Transaction } from "./transaction/transaction.ts";
import { Transactions } from "./transactions.ts";

export interface EngineOptions extends StateOptions {
  /** STRESS_TEST_SECRET; null: dev.reset is not configured. */
  readonly secret: string | null;
  /**
   * What makes the messages and the audit events; default: a MessageRecorder. Null, or one that writes no texts: nobody listens
   * to answers, and their results are not made.
   */
  readonly recorder?: Recorder | null;
  /**
   * Key of the hash of operationIds. It changes nothing but the cost of ids that were chosen to have equal hashes, so an
   * engine with users who may do that needs a random one.
   */
  readonly hashKey?: HashKey;
}

export class Engine implements MarketEngine {
  readonly #state: EngineState;
  #secret: string | null;
  #limits = UNLIMITED;
  readonly #recorder: Recorder | null;
  readonly #transactions: Transactions;
  readonly #operations: OperationLog;

  constructor(definition: MarketDefinition, options: EngineOptions) {
    this.#state = createState(definition, options);
    this.#secret = options.secret;
    this.#recorder = options.recorder === undefined ? new MessageRecorder() : options.recorder;
    this.#transactions = new Transactions(this.#state, this.#recorder);
    this.#operations = new OperationLog(options.hashKey ?? [0, 0]);
  }

  /**
   * An engine in the state of a checkpoint. `options` must be those of the engine that wrote it, except for the secret.
   * Throws if the checkpoint belongs to another definition.
   */
  static restore(definition: MarketDefinition, checkpoint: Iterable<CheckpointPart>, options: EngineOptions): Engine {
    const engine = new Engine(definition, options);
    applyCheckpoint(engine.#state, engine.#operations, checkpoint);
    return engine;
  }

  checkpoint(): Iterable<CheckpointPart> {
    return checkpointOf(this.#state, this.#operations);
  }

  rememberedOperations(since: number): Iterable<CheckpointPart> {
    return this.#operations.checkpoint(Math.max(since, this.#state.realNow - DAY_MS));
  }

  setSecret(secret: string | null): void {
    this.#secret = secret;
  }

  beginEpoch(epoch: number): void {
    this.#state.epoch = epoch;
    this.#state.sequence = epoch;
  }

  setLimits(limits: OpenOrderLimits): void {
    this.#limits = limits;
  }

  /** The state itself, for readers in this process. Only calls of this engine may change it. */
  get state(): Readonly<EngineState> {
    return this.#state;
  }

  get epoch(): number {
    return this.#state.epoch;
  }

  get sequence(): number {
    return this.#state.sequence;
  }

  /** Position of the newest audit event; 0 before the first. */
  get auditPosition(): number {
    return this.#state.counters.audit;
  }

  get now(): number {
    return this.#state.now;
  }

  get realNow(): number {
    return this.#state.realNow;
  }

  get clock(): ClockSetting {
    return this.#state.clock;
  }

  get figures(): MarketFigures {
    const { contracts, openOrders, counters } = this.#state;
    return {
      contracts: contracts.size,
      openOrders: openOrders.size,
      acceptedOrders: counters.order,
      trades: counters.trade,
      auditEvents: counters.audit,
    };
  }

  execute(request: EngineRequest, now: number, realTime = now, instead: Rejection | null = null): Execution {
    const transaction = this.#transactions.begin(now, request.userId, realTime);
    const { realNow } = this.#state;
    const { userId, operationId, action } = request;
    const command = parseCommand(action, request.payload);
    if ("code" in command) return this.#reject(transaction, operationId, command);
    const user = this.#state.users.get(userId);
    if (user === undefined) {
      return this.#reject(transaction, operationId, rejected("forbidden", `There is no user ${userId}.`));
    }

    const known = this.#operations.find(user.id, operationId, command.fingerprint, realNow);
    if (known.kind === "repeat") return this.#transactions.end(transaction, written(known.answer));
    if (known.kind === "conflict") {
      const message = `Operation ${operationId} was sent before with other content; give each its own operationId.`;
      return this.#reject(transaction, operationId, rejected("operation_conflict", message));
    }
    if (instead !== null) return this.#reject(transaction, operationId, instead);
    const { sequence, counters: { audit } } = this.#state;
    const context = { user, operationId, secret: this.#secret, limits: this.#limits };
    const outcome = lateness(request, realNow) ?? executeCommand(transaction, command, context);
    const answer = this.#answer(operationId, outcome);
    if (outcome.status === "ok") {
      this.#operations.remember(user.id, operationId, command.fingerprint, outcome, realNow);
      const createdOrder = command.action === "order.submit" && "order" in outcome ? outcome.order.key : null;
      return this.#transactions.end(transaction, answer, { kind: "accepted", payload: command.payload, createdOrder });
    }
    this.#operations.rememberRejection(user.id, operationId, command.fingerprint, outcome, realNow);
    const hasRecord = this.#state.sequence > sequence || this.#state.counters.audit > audit;
    const terms = hasRecord ? refusedTerms(command.payload as ActionPayload<"order.submit">, operationId) : undefined;
    return this.#transactions.end(transaction, answer, traceOf(outcome, command.fingerprint, terms));
  }

  recallRejection(operation: OperationName, rejection: RejectionTrace, now: number, realNow = now): Execution {
    const { userId, operationId } = operation;
    const { fingerprint, terms, code, message = "" } = rejection;
    const transaction = this.#transactions.begin(now, userId, realNow);
    if (terms !== undefined) {
      const user = required(this.#state.users.get(userId), `user ${userId}`);
      recordRejection(transaction, user, terms, rejected(code, message));
    }
    const outcome = this.#recalledOutcome(rejection);
    this.#operations.rememberRejection(userId, operationId, fingerprint, outcome, this.#state.realNow);
    return this.#transactions.end(transaction);
  }

  recallFailure({ userId, operationId, action }: OperationName, realNow: number): void {
    const message = `The engine failed on this ${action} and was restarted without it, so it was not carried out. ` +
      "Send it under another operationId to try again.";
    const answer = { status: "error", code: "internal", message } as const;
    this.#operations.remember(userId, operationId, ANY_CONTENT, answer, realNow);
  }

  advance(now: number, realNow = now): Execution {
    return this.#transactions.end(this.#transactions.begin(now, null, realNow));
  }

  nextDeadline(): number | null {
    return nextDeadline(this.#state);
  }

  setConnected(userId: string, connected: boolean, now: number, realNow = now): Execution {
    const transaction = this.#transactions.begin(now, null, realNow);
    const user = required(this.#state.users.get(userId), `user ${userId}`);
    if (user.connected !== connected) {
      user.connected = connected;
      transaction.userChanged(user);
      transaction.publish("change.user", { userId, entityId: user.entityId, connected });
    }
    return this.#transactions.end(transaction);
  }

  cancelDisconnected(orderIds: readonly string[], now: number, realNow = now): Execution {
    const transaction = this.#transactions.begin(now, null, realNow);
    for (const id of orderIds) {
      const order = this.#state.orders.withId(id);
      if (order !== undefined && order.closeReason === null) closeOrder(transaction, order, "disconnected");
    }
    return this.#transactions.end(transaction);
  }

  setClock(clock: ClockSetting, now: number, realNow = now): Execution {
    const transaction = this.#transactions.begin(now, null, realNow);
    changeClock(transaction, clock, null);
    return this.#transactions.end(transaction);
  }

  snapshot(now: number, viewer: EngineUser | null = null): Iterable<PublishedState> {
    return snapshotOf(this.#state, Math.max(now, this.#state.now), viewer);
  }

  bookState(contractId: string): PublishedState | null {
    const contract = this.#state.contracts.get(contractId);
    return contract === undefined ? null : publishedState("ENGINE", engineModule(contract));
  }

  positions(entityId: string, now: number): EntityPositions | undefined {
    const entity = this.#state.entities.get(entityId);
    return entity && positionReport(this.#state, entity, Math.max(now, this.#state.now));
  }

  user(userId: string): EngineUser | undefined {
    return this.#state.users.get(userId);
  }

  explainOrder(orderId: string, viewer: EngineUser): OrderBlocks | null {
    return orderBlocks(this.#state, orderId, viewer);
  }

  #recalledOutcome({ code, message, result, closedOrder }: RejectionTrace) {
    if (closedOrder === undefined) {
      return { status: "rejected", code, message: message ?? "", ...(result && { result }) } as const;
    }
    const order = required(this.#state.orders.get(closedOrder), `order ${closedOrder}`);
    return { status: "rejected", code: code as ClosedOrderCode, order } as const;
  }

  /** Ends the transaction of a request that leaves no record. */
  #reject(transaction: Transaction, operationId: string, rejection: Rejection): Execution {
    return this.#transactions.end(transaction, this.#answer(operationId, rejection));
  }

  #answer(operationId: string, outcome: OperationOutcome): WrittenAnswer {
    return answerTo(operationId, outcome, this.#recorder);
  }
}

function traceOf(
  outcome: Rejection | ClosedOrderRefusal,
  fingerprint: Fingerprint,
  terms: RefusedTerms | undefined,
): RequestTrace {
  const { code } = outcome;
  if ("order" in outcome) return { kind: "rejected", fingerprint, code, closedOrder: outcome.order.key };
  const { message, result } = outcome;
  return { kind: "rejected", fingerprint, code, message, ...(result && { result }), ...(terms && { terms }) };
}

function lateness({ validUntil }: EngineRequest, realNow: number): Rejection | null {
  if (validUntil === undefined || timeFrom(validUntil) >= realNow) return null;
  return rejected("too_late", `The request was valid until ${validUntil}; it is ${isoTime(realNow)}.`);
}
