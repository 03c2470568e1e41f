// An engine as its callers see it: requests and the clock go in, executions come out.

import type {
  ActionPayload,
  ClockSetting,
  EntityPositions,
  OrderBlocks,
  RejectionCode,
  ResponseMessage,
} from "../../protocol/index.ts";
import type { Fingerprint } from "./fingerprint.ts";
import type { PublishedMessage, PublishedState } from "./messages.ts";
import type { Rejection } from "./outcome.ts";

/** The result of one call. The server sends the messages, then the response. */
export interface Execution {
  /**
   * In the order of sending: the states of changed modules, parents before children, each once; then events by number; then
   * removals of modules.
   */
  readonly messages: readonly PublishedMessage[];
  /** Its audit events: a line for each (audit-lines.ts), oldest first; "" if there is none. */
  readonly audit: string;
  /** Numbers of the orders that were open before the call, or accepted by it, and are closed after it. */
  readonly closedOrders: readonly number[];
  /** Null for calls of the schedule and of connections. */
  readonly response: WrittenAnswer | null;
  /** The record of a request in the journal. Null for a request that left nothing, and for other calls. */
  readonly trace: RequestTrace | null;
}

export type Answer = Omit<ResponseMessage, "kind" | "requestId">;

/**
 * An answer whose result is JSON text. Without a recorder there is no text: the result of a confirmed order is missing, and
 * message and result of a request for a closed order.
 */
export interface WrittenAnswer extends Omit<Answer, "result"> {
  readonly result?: string;
  /** In place of a result that has an order and nothing else: the order. */
  readonly order?: string;
}

/** What a request has left in the engine. */
export type RequestTrace =
  /** `payload`: as parsed. Executing it again gives the same. */
  | {
    readonly kind: "accepted";
    readonly payload: unknown;
    /** Number of the order that it created; null if it created none. */
    readonly createdOrder: number | null;
  }
  /** Holds of the payload only the terms of an order. `recallRejection` takes it. */
  | ({ readonly kind: "rejected" } & RejectionTrace);

export interface RejectionTrace {
  /** Tells a repeat from another request under the same operationId. */
  readonly fingerprint: Fingerprint;
  readonly code: RejectionCode;
  /** Absent if `closedOrder` is given. */
  readonly message?: string;
  readonly result?: Record<string, unknown>;
  /** Number of the closed order that the request was for. Message and result follow from the order. */
  readonly closedOrder?: number;
  /** Of a rejected order.submit. Its event and its audit event follow from this. */
  readonly terms?: RefusedTerms;
}

/** What a rejected order would have been. */
export interface RefusedTerms {
  readonly contractId: string;
  readonly clientOrderId: string;
  readonly side: ActionPayload<"order.submit">["side"];
  readonly price: number;
  readonly quantity: number;
}

export interface EngineRequest {
  readonly userId: string;
  readonly operationId: string;
  readonly action: string;
  /** Not yet parsed. */
  readonly payload: unknown;
  /** ISO time, real. A request that comes later is rejected and changes nothing. If absent, it is always valid. */
  readonly validUntil?: string | undefined;
}

/** Which request, without its payload. */
export type OperationName = Omit<EngineRequest, "payload">;

export interface EngineUser {
  readonly id: string;
  readonly entityId: string | null;
  readonly permissions: ReadonlySet<string>;
}

/** How many orders may be open at once, held ones included: of each user, and in each book. */
export interface OpenOrderLimits {
  readonly openOrdersPerUser: number;
  readonly openOrdersPerBook: number;
}

/** How much there is in a market, and how much there has been since it began. */
export interface MarketFigures {
  /** Listed contracts. */
  readonly contracts: number;
  /** Held ones included. */
  readonly openOrders: number;
  readonly acceptedOrders: number;
  readonly trades: number;
  readonly auditEvents: number;
}

/**
 * A market engine. It has no clock, no random numbers and no I/O: every call brings market time and real time (milliseconds
 * since the epoch, neither going back), and the same definition, epoch and calls give the same executions, byte for byte.
 * Everything that happens has market time. Real time decides on `validUntil` and on how long an operationId is kept. If a
 * caller gives no real time, it is market time.
 * A call that throws has met a broken invariant: the engine's state is then unknown, and it must not be called again.
 */
export interface MarketEngine {
  readonly epoch: number;
  /** Number of the newest event; `epoch` before the first. */
  readonly sequence: number;
  /** Market time of the latest call, in milliseconds since the epoch. */
  readonly now: number;
  /** Real time of the latest call, in milliseconds since the epoch. */
  readonly realNow: number;
  /** How market time follows real time. Another object after each change. */
  readonly clock: ClockSetting;
  /** As of the latest call. */
  readonly figures: MarketFigures;
  /**
   * Answers a request: parses it, checks operationId and permission, then executes all of it or nothing.
   * @param now market time
   * @param instead if given, a request that is not a repeat is rejected with it and leaves no record
   */
  execute(request: EngineRequest, now: number, realNow?: number, instead?: Rejection | null): Execution;
  /** Carries out everything that is scheduled up to `now`: sessions, deliveries, listings and removals. */
  advance(now: number, realNow?: number): Execution;
  /** Restores a rejection from a journal: a repeat gets the first answer, and the same is published and recorded again. */
  recallRejection(operation: OperationName, rejection: RejectionTrace, now: number, realNow?: number): Execution;
  /**
   * Remembers a request on which the engine failed before a restart. The answer to a repeat says that it was not carried out.
   */
  recallFailure(operation: OperationName, realNow: number): void;
  /** When `advance` next has something to do; null if nothing is scheduled. */
  nextDeadline(): number | null;
  /** Marks a user as connected or not. Called for a user's first and last connection. */
  setConnected(userId: string, connected: boolean, now: number, realNow?: number): Execution;
  /** Cancels those of the orders that are still open, with closeReason `disconnected`. */
  cancelDisconnected(orderIds: readonly string[], now: number, realNow?: number): Execution;
  /** Changes the clock, which no user has asked for. */
  setClock(clock: ClockSetting, now: number, realNow?: number): Execution;
  /** Every module as of now that `viewer` may see, parents before children, in a stable order. Without a viewer: all. */
  snapshot(now: number, viewer?: EngineUser): Iterable<PublishedState>;
  /** The ENGINE module of a contract as of now; null if there is no such contract. */
  bookState(contractId: string): PublishedState | null;
  /** What an entity has bought and sold, and its profit, as of now; undefined if there is no such entity. Changes nothing. */
  positions(entityId: string, now: number): EntityPositions | undefined;
  user(userId: string): EngineUser | undefined;
  /**
   * Why an order does not trade with the orders that its price crosses, as far as the user may see it. Null if there is no
   * such order, or if the user may not see it. Changes nothing.
   */
  explainOrder(orderId: string, viewer: EngineUser): OrderBlocks | null;
  /** Replaces the secret that dev.reset must bring; null: dev.reset is not configured. */
  setSecret(secret: string | null): void;
  /** Sets limits for orders from now on; a new engine has none. The limits are not part of its state. */
  setLimits(limits: OpenOrderLimits): void;
  /** Continues with event numbers after `epoch`, because history was lost. */
  beginEpoch(epoch: number): void;
  /** The whole state as JSON values, but for the remembered operations. Definition, secret and limits are not in it. */
  checkpoint(): Iterable<unknown>;
  /** The remembered operations that were answered at `since` or later, in real time: parts that follow the state's. */
  rememberedOperations(since: number): Iterable<unknown>;
}
