// Play the flow's operations into the engine and into nodejs-order-book. What a player is given is prepared block by block,
// outside of the measured time, so it is as near to the processor as a frame that has just been read.

import { OrderBook as PeerBook, Side as PeerSide } from "nodejs-order-book";
import type { EngineRequest, Execution } from "../../engine/api/market-engine.ts";
import { joinableTexts } from "../../engine/api/messages.ts";
import { Engine, type EngineOptions } from "../../engine/engine.ts";
import { responseText } from "../../engine/server/publication/response-text.ts";
import { BUY } from "../../engine/market/order-book.ts";
import { CONTRACT_ID, definitionOf, START, userOf } from "./market.ts";
import type { Operation, TradeRecord } from "./plain-market.ts";

export interface Player {
  /** Makes what the operations of the next block are played with. */
  prepare(from: number, to: number): void;
  /** Plays operations in order, each once. */
  play(from: number, to: number): void;
}

/** An operation a millisecond. */
export class EnginePlayer implements Player {
  readonly #engine: Engine;
  readonly #operations: readonly Operation[];
  /** Of the block that was prepared last, which begins with the operation `#from`. */
  #requests: EngineRequest[] = [];
  #from = 0;
  /** Characters of all texts so far, so that no text can be left unwritten. */
  #written = 0;

  /** `options`: of the engine. */
  constructor(entities: number, operations: readonly Operation[], options: Pick<EngineOptions, "recorder"> = {}) {
    this.#engine = new Engine(definitionOf(entities), {
      epoch: START * 1000,
      now: START,
      engineId: "bench",
      secret: null,
      ...options,
    });
    this.#operations = operations;
  }

  prepare(from: number, to: number): void {
    this.#from = from;
    this.#requests = [];
    for (let at = from; at < to; at++) this.#requests.push(this.#received(at));
  }

  play(from: number, to: number): void {
    for (let at = from; at < to; at++) this.#written += writtenBy(this.execute(at));
  }

  execute(at: number): Execution {
    return this.#engine.execute(this.#requests[at - this.#from] ?? this.#received(at), START + at);
  }

  /** A request as a server reads it: each text is in one piece. */
  #received(at: number): EngineRequest {
    return JSON.parse(JSON.stringify(requestOf(this.#operations[at]!, `operation-${at}`)));
  }

  get written(): number {
    return this.#written;
  }
}

/** The request that carries out an operation. */
export function requestOf(operation: Operation, operationId: string): EngineRequest {
  const request = { userId: userOf(operation.party), operationId };
  if (operation.kind === "submit") {
    const { side, price, quantity } = operation;
    return {
      ...request,
      action: "order.submit",
      payload: { contractId: CONTRACT_ID, side, price, quantity, timeInForce: "gtc" },
    };
  }
  const orderId = orderIdOf(operation.id);
  if (operation.kind === "cancel") return { ...request, action: "order.cancel", payload: { orderId } };
  const { price, quantity, keepsPlace } = operation;
  return { ...request, action: "order.modify", payload: keepsPlace ? { orderId, quantity } : { orderId, price } };
}

const orderIdOf = (id: number) => `ORD-${id}`;
export const flowIdOf = (orderId: string) => Number(orderId.slice("ORD-".length));

/** Asks for every text of a call: messages, response, audit trail. Returns how many characters they have. */
function writtenBy({ messages, response, audit }: Execution): number {
  let written = response === null ? 0 : lengthOf(responseText("request", response));
  for (const text of joinableTexts(messages)) written += lengthOf(text);
  return written + lengthOf(audit);
}

/** A text may be held as a concatenation that is not carried out yet. Reading a character carries it out, as sending does. */
function lengthOf(text: string): number {
  return text.charCodeAt(0) > 0 ? text.length : 0;
}

export class PeerPlayer implements Player {
  readonly book = new PeerBook();
  readonly #operations: readonly Operation[];
  /** Of the operations of the block that was prepared last. */
  #ids: string[] = [];
  #from = 0;
  /** Null: trades are not recorded. */
  readonly #record: TradeRecord | null;

  constructor(operations: readonly Operation[], record: TradeRecord | null) {
    this.#operations = operations;
    this.#record = record;
  }

  prepare(from: number, to: number): void {
    this.#from = from;
    this.#ids = this.#operations.slice(from, to).map(({ id }) => String(id));
  }

  play(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const operation = this.#operations[at]!;
      const id = this.#ids[at - this.#from] ?? String(operation.id);
      if (operation.kind === "cancel") {
        this.book.cancel(id);
        continue;
      }
      const { price } = operation;
      const result = operation.kind === "modify"
        ? this.book.modify(id, { price, size: operation.remaining })
        : this.book.limit({ id, side: sideOf(operation), price, size: operation.quantity });
      // An order may have traded here that found no credit in the engine.
      if (result.err !== null && operation.kind === "submit") throw result.err;
      if (this.#record !== null && result.err === null) recordFills(result, id, this.#record);
    }
  }
}

function sideOf({ side }: Extract<Operation, { kind: "submit" }>): PeerSide {
  return side === BUY ? PeerSide.BUY : PeerSide.SELL;
}

/** `done` and `partial` also contain the aggressor, once it is filled or rests. */
function recordFills(
  { done, partial, partialQuantityProcessed }: ReturnType<PeerBook["modify"]>,
  id: string,
  record: TradeRecord,
): void {
  for (const order of done) {
    if (order.id !== id && "price" in order) record.add(Number(order.id), Number(id), order.price, order.size);
  }
  if (partial !== null && partial.id !== id) {
    record.add(Number(partial.id), Number(id), partial.price, partialQuantityProcessed);
  }
}
