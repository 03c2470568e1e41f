// Bytes that an engine keeps for each open order, closed order, trade and operation. Memory is that of the heap after a full
// collection, with what is outside of it (typed arrays); the runtime and what an empty engine keeps are subtracted.
//
// Every accepted request leaves an operation. So operations are measured first, alone, and are then subtracted.

import { heapStats } from "bun:jsc";
import { Engine } from "../../engine/engine.ts";
import { CONTRACT_ID, definitionOf, START, userOf } from "../engine/market.ts";

export interface ObjectSizes {
  /** Of a submitted order, whose clientOrderId is the operationId. */
  readonly submitOperation: number;
  /** Of a change or a cancel, with another clientOrderId. */
  readonly otherOperation: number;
  readonly openOrder: number;
  readonly closedOrder: number;
  /** With both of its fills. */
  readonly trade: number;
}

const ENTITIES = 10;
/** Neither is a trade prevented by documents or limits between them (engine/market.ts). */
const [BUYER, SELLER] = [userOf(1), userOf(2)];
const PRICE = 5_000;

export function objectSizes(count: number): ObjectSizes {
  const otherOperation = changesOf(count);
  const opened = new Requests(count);
  const empty = memory();
  for (let at = 0; at < count; at++) opened.submit(BUYER, 0, PRICE - at % 1_000, 1);
  const open = (memory() - empty) / count;
  // An operation that submits is like one that changes, without the clientOrderId: a UUID, which takes 17 bytes.
  const submitOperation = otherOperation - 17;
  const openOrder = open - submitOperation;
  for (let at = 1; at <= count; at++) opened.send(BUYER, "order.cancel", { orderId: `ORD-${at}` });
  const closedOrder = (memory() - empty) / count - submitOperation - otherOperation;
  opened.close();
  const trade = tradesOf(count) - submitOperation - closedOrder;
  return { submitOperation, otherOperation, openOrder, closedOrder, trade };
}

/** Requests that change nothing leave only their operation. */
function changesOf(count: number): number {
  const requests = new Requests(count);
  requests.submit(BUYER, 0, PRICE, 1);
  requests.send(BUYER, "order.modify", { orderId: "ORD-1", price: PRICE });
  const before = memory();
  for (let at = 0; at < count; at++) requests.send(BUYER, "order.modify", { orderId: "ORD-1", price: PRICE });
  const bytes = (memory() - before) / count;
  requests.close();
  return bytes;
}

/** Each trade closes the order that arrives; a large order stays open. */
function tradesOf(count: number): number {
  const requests = new Requests(count);
  requests.submit(BUYER, 0, PRICE, count + 1);
  const before = memory();
  for (let at = 0; at < count; at++) requests.submit(SELLER, 1, PRICE, 1);
  const bytes = (memory() - before) / count;
  requests.close();
  return bytes;
}

class Requests {
  #engine: Engine | null;
  #sent = 0;

  /** Keeps `count` closed orders and trades. */
  constructor(count: number) {
    const retention = { closedOrders: count, trades: count };
    this.#engine = new Engine(definitionOf(ENTITIES), {
      epoch: START * 1000,
      now: START,
      engineId: "bench",
      secret: null,
      retention,
    });
  }

  submit(userId: string, side: 0 | 1, price: number, quantity: number): void {
    this.send(userId, "order.submit", { contractId: CONTRACT_ID, side, price, quantity });
  }

  send(userId: string, action: string, payload: unknown): void {
    const request = { userId, operationId: operationIdOf(this.#sent), action, payload };
    const { response } = this.#engine!.execute(request, START + this.#sent++);
    if (response?.status !== "ok") throw new Error(`${action} was answered with ${response?.code}`);
  }

  /** Lets the engine be collected. */
  close(): void {
    this.#engine = null;
  }
}

/** A UUID. */
export function operationIdOf(number: number): string {
  return `5c0a1f6e-93d2-4b7c-8e41-${number.toString(16).padStart(12, "0")}`;
}

function memory(): number {
  Bun.gc(true);
  Bun.gc(true);
  return heapStats().heapSize;
}
