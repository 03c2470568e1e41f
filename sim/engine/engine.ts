// The market engine: answers requests and follows the clock, over the state in engine-state.ts.
//
// One call is one Transaction. What the clock has made due is carried out first, so that a request meets the market as its
// schedule has it, whether or not `advance` was called in time. A request is then parsed, looked up by its operationId,
// and handed to the handler of its action, which checks first and changes state after. A repeat is answered with the
// first response and changes nothing. What does not parse, and what an unknown user sends, leaves nothing. A new request
// that comes after its `validUntil` is rejected before its handler sees it.
//
// Time never goes back: a call that brings an earlier time than the last counts as at that last time.

import { type Action, type ActionPayload, ACTIONS, type StateMessage } from "../../protocol/index.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import { setCreditLimit, setDocumentation } from "./commands/credit-commands.ts";
import { resetDevelopment } from "./commands/development-commands.ts";
import { type EngineState, required, type UserState } from "./state/engine-state.ts";
import type {
  EngineRequest,
  EngineUser,
  Execution,
  MarketEngine,
  OperationName,
  RefusalTrace,
} from "./api/market-engine.ts";
import { type Answer, ANY_CONTENT, fingerprintOf, OperationLog } from "./operations/operation-log.ts";
import { flushEngine, flushMarkets, haltMarket, publishSpot, resumeMarket } from "./commands/market-commands.ts";
import { type OpenOrderLimits, UNLIMITED } from "./commands/open-order-limits.ts";
import { cancelOrder, modifyOrder, submitOrder } from "./commands/order-commands.ts";
import { closeOrder } from "./trading/order-lifecycle.ts";
import { recordRecalledRefusal } from "./transaction/order-audit.ts";
import { createState } from "./state/initial-state.ts";
import { type Outcome, rejected, type Rejection } from "./api/outcome.ts";
import { snapshotOf } from "./modules/snapshot.ts";
import type { Retention } from "./transaction/retention.ts";
import { carryOutDue, nextDeadline } from "./trading/schedule-changes.ts";
import { applyCheckpoint, checkpointOf, type CheckpointPart } from "./checkpoint/checkpoint.ts";
import { Transaction } from "./transaction/transaction.ts";

export interface EngineOptions {
  /** The clock in microseconds when this history of events began. */
  readonly epoch: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly engineId: string;
  /** STRESS_TEST_SECRET; null: dev.reset is not configured. */
  readonly secret: string | null;
  /** What it keeps of its history; the usual where absent. Always the same for a journal. */
  readonly retention?: Retention;
}

/** What a handler may need beside user and payload. */
interface CommandContext {
  readonly operationId: string;
  readonly secret: string | null;
  readonly limits: OpenOrderLimits;
}

interface ParsedCommand {
  readonly payload: unknown;
  carryOut(transaction: Transaction, user: UserState, context: CommandContext): Outcome;
}

type CommandParser = (payload: unknown) => ParsedCommand | { readonly fault: string };

const COMMANDS: Readonly<Record<Action, CommandParser>> = {
  "order.submit": command("order.submit", submitOrder),
  "order.modify": command("order.modify", modifyOrder),
  "order.cancel": command("order.cancel", cancelOrder),
  "market.halt": command("market.halt", haltMarket),
  "market.resume": command("market.resume", resumeMarket),
  "credit.setLimit": command("credit.setLimit", setCreditLimit),
  "credit.setDocumentation": command("credit.setDocumentation", setDocumentation),
  "engine.flush": command("engine.flush", flushEngine),
  "market.flush": command("market.flush", flushMarkets),
  "dev.reset": command(
    "dev.reset",
    (transaction, user, payload, { secret }) => resetDevelopment(transaction, user, payload, secret),
  ),
  "spot.publish": command("spot.publish", publishSpot),
};

const MESSAGE_LENGTH = 1000;

export class Engine implements MarketEngine {
  readonly #state: EngineState;
  #secret: string | null;
  #limits = UNLIMITED;
  readonly #operations = new OperationLog();

  constructor(definition: MarketDefinition, options: EngineOptions) {
    this.#state = createState(definition, options);
    this.#secret = options.secret;
  }

  /**
   * An engine in the state of which `checkpoint` was made. `options` are those with which the checkpointed engine was made; the
   * secret may be another one. Throws where the checkpoint belongs to another definition.
   */
  static restore(definition: MarketDefinition, checkpoint: Iterable<CheckpointPart>, options: EngineOptions): Engine {
    const engine = new Engine(definition, options);
    applyCheckpoint(engine.#state, engine.#operations, checkpoint);
    return engine;
  }

  /** All there is to restore it from, but for the secret. */
  checkpoint(): Iterable<CheckpointPart> {
    return checkpointOf(this.#state, this.#operations);
  }

  /** Replaces the secret, as after a restart under another one. */
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

  get epoch(): number {
    return this.#state.epoch;
  }

  get sequence(): number {
    return this.#state.sequence;
  }

  execute(request: EngineRequest, now: number, instead: Rejection | null = null): Execution {
    const transaction = this.#begin(now);
    transaction.actor = request.userId;
    const { userId, operationId, action } = request;
    const refuse = (refusal: Rejection) => transaction.execution(answerTo(request, refusal));
    const late = lateness(request, transaction);
    if (!isAction(action)) return refuse(late ?? rejected("invalid_payload", `There is no action ${action}.`));
    const parsed = COMMANDS[action](request.payload);
    if ("fault" in parsed) return refuse(late ?? rejected("invalid_payload", parsed.fault));
    const user = this.#state.users.get(userId);
    if (user === undefined) return refuse(late ?? rejected("forbidden", `There is no user ${userId}.`));

    const fingerprint = fingerprintOf(action, parsed.payload);
    const known = this.#operations.find(userId, operationId, fingerprint, transaction.now);
    if (known.kind === "repeat") return transaction.execution(known.answer);
    if (known.kind === "conflict") {
      const message = `Operation ${operationId} was sent before with other content; give each its own operationId.`;
      return refuse(rejected("operation_conflict", message));
    }
    if (instead !== null) return refuse(instead);
    const before = transaction.told;
    const outcome = late ??
      parsed.carryOut(transaction, user, { operationId, secret: this.#secret, limits: this.#limits });
    const answer = answerTo(request, outcome);
    if (outcome.status === "ok") {
      this.#operations.remember(userId, operationId, fingerprint, answer, transaction.now);
      return transaction.execution(answer, { kind: "accepted", payload: parsed.payload });
    }
    this.#operations.rememberRefusal(userId, operationId, fingerprint, answer, transaction.now);
    const { status: _, ...refusal } = outcome;
    const events = transaction.told.events - before.events;
    const audited = transaction.told.audited - before.audited;
    return transaction.execution(answer, { kind: "refused", fingerprint, ...refusal, events, audited });
  }

  recallRefusal(operation: OperationName, refusal: RefusalTrace, now: number): Execution {
    const transaction = this.#begin(now);
    const { userId, operationId } = operation;
    const { fingerprint, code, message, result, events, audited } = refusal;
    transaction.actor = userId;
    transaction.skipEvents(events);
    for (let count = 0; count < audited; count++) recordRecalledRefusal(transaction, operation, refusal);
    const answer: Answer = { operationId, status: "rejected", code, message, ...(result && { result }) };
    this.#operations.rememberRefusal(userId, operationId, fingerprint, answer, transaction.now);
    return transaction.execution(null);
  }

  recallFailure({ userId, operationId, action }: OperationName, now: number): void {
    const message = `The engine failed on this ${action}, and was started again without it: it was not carried out. ` +
      "Send it under another operationId to try again.";
    const answer: Answer = { operationId, status: "error", code: "internal", message };
    this.#operations.remember(userId, operationId, ANY_CONTENT, answer, now);
  }

  advance(now: number): Execution {
    return this.#begin(now).execution(null);
  }

  nextDeadline(): number | null {
    return nextDeadline(this.#state);
  }

  setConnected(userId: string, connected: boolean, now: number): Execution {
    const transaction = this.#begin(now);
    const user = required(this.#state.users.get(userId), `user ${userId}`);
    if (user.connected !== connected) {
      user.connected = connected;
      transaction.userChanged(user);
      transaction.publish("change.user", { userId, entityId: user.entityId, connected });
    }
    return transaction.execution(null);
  }

  cancelDisconnected(orderIds: readonly string[], now: number): Execution {
    const transaction = this.#begin(now);
    for (const id of orderIds) {
      const order = this.#state.orders.get(id);
      if (order !== undefined && order.closeReason === null) closeOrder(transaction, order, "disconnected");
    }
    return transaction.execution(null);
  }

  snapshot(now: number): Iterable<StateMessage> {
    return snapshotOf(this.#state, Math.max(now, this.#state.now));
  }

  user(userId: string): EngineUser | undefined {
    return this.#state.users.get(userId);
  }

  #begin(now: number): Transaction {
    this.#state.now = Math.max(now, this.#state.now);
    const transaction = new Transaction(this.#state);
    carryOutDue(transaction);
    return transaction;
  }
}

function lateness({ validUntil }: EngineRequest, { now, time }: Transaction): Rejection | null {
  if (validUntil === undefined || Date.parse(validUntil) >= now) return null;
  return rejected("too_late", `The request was valid until ${validUntil}; it is ${time}.`);
}

function command<Name extends Action>(
  name: Name,
  handle: (transaction: Transaction, user: UserState, payload: ActionPayload<Name>, context: CommandContext) => Outcome,
): CommandParser {
  return (value) => {
    const parsed = ACTIONS[name].payload.safeParse(value);
    if (!parsed.success) {
      const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "payload"}: ${message}`);
      return { fault: faults.join("; ").slice(0, MESSAGE_LENGTH) };
    }
    const payload = parsed.data as ActionPayload<Name>;
    return { payload, carryOut: (transaction, user, context) => handle(transaction, user, payload, context) };
  };
}

function isAction(name: string): name is Action {
  return Object.hasOwn(ACTIONS, name);
}

function answerTo({ operationId }: EngineRequest, { status, ...outcome }: Outcome): Answer {
  return { operationId, status, ...outcome };
}
