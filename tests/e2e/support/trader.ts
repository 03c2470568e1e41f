// An agent that trades through mkt while mkt's connection breaks and recovers. It records what it was told about every order,
// for a comparison with the engine at the end.

import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { TestClient, ToolAnswer } from "../../support/clients.ts";

/** A requested order and the last answer about it. */
export interface Attempt {
  readonly contractId: string;
  readonly side: "BUY" | "SELL";
  readonly price: number;
  readonly quantity: number;
  readonly idempotencyKey?: string;
  readonly status: "success" | "rejected" | "timeout";
  readonly orderId: string | null;
  /** Null for a rejection. */
  readonly clientOrderId: string | null;
  readonly text: string;
}

interface TraderOptions {
  readonly client: TestClient;
  readonly userId: string;
  readonly contractIds: readonly string[];
  readonly random: SeededRandom;
  /** Whether the proxy may change frames, so that a confirmation may not match its request. */
  readonly mayBeGarbled?: boolean;
  /** Longest pause between two orders of a worker. */
  readonly greatestPauseMs: number;
  /** How many answers the connection has brought since its last fault. */
  readonly answersSinceFault: () => number;
}

const MIN_PRICE = 3000;
const PRICES = 40;
/** Pause before a call that found no connection is repeated. */
const PAUSE_MS = 20;

export class Trader {
  readonly attempts: Attempt[] = [];
  /** Orders whose cancellation was confirmed. */
  readonly cancelled = new Set<string>();
  /** Calls that found no connection. */
  refusals = 0;
  /** Attempts that timed out and were repeated with their idempotency key. */
  settled = 0;
  /** How many answers the connection had brought when a call was answered with `timeout`. */
  readonly answersBeforeTimeouts: number[] = [];
  #count = 0;
  #stopped = false;

  constructor(readonly options: TraderOptions) {}

  /** Places `orders` orders, `outstanding` at once, and cancels some. `stop` ends it early. */
  async trade(orders: number, outstanding: number): Promise<void> {
    const worker = async () => {
      while (this.#count < orders && !this.#stopped) {
        await this.#placeOne();
        await Bun.sleep(this.options.random.integer(0, this.options.greatestPauseMs));
      }
    };
    await Promise.all(Array.from({ length: outstanding }, worker));
  }

  stop(): void {
    this.#stopped = true;
  }

  async #placeOne(): Promise<void> {
    const { random, contractIds, userId } = this.options;
    this.#count += 1;
    const order = {
      contractId: contractIds[random.integer(0, contractIds.length - 1)] ?? "",
      side: random.next() < 0.5 ? "BUY" as const : "SELL" as const,
      price: MIN_PRICE + random.integer(0, PRICES),
      quantity: random.integer(1, 3),
      ...(random.next() < 0.5 && { idempotencyKey: `${userId}-${this.#count}` }),
    };
    const asksAgain = order.idempotencyKey !== undefined && random.next() < 0.7;
    const cancels = random.next() < 0.4;
    let answer = await this.#ask("mkt_create_test_order", order);
    if (answer.value["status"] === "timeout" && asksAgain) this.settled += 1;
    while (answer.value["status"] === "timeout" && asksAgain) answer = await this.#ask("mkt_create_test_order", order);
    if (answer.value["status"] === "error" && this.options.mayBeGarbled) return;
    const attempt = attemptOf(order, answer);
    this.attempts.push(attempt);
    if (attempt.orderId !== null && cancels) await this.#cancel(attempt.orderId);
  }

  async #cancel(orderId: string): Promise<void> {
    const { value } = await this.#ask("mkt_cancel_order", { orderId });
    if (value["status"] === "success") this.cancelled.add(orderId);
  }

  /** Repeats the call until there is a connection. Without one, nothing was sent. */
  async #ask(tool: string, input: Record<string, unknown>): Promise<ToolAnswer> {
    for (;;) {
      const answer = await this.options.client.call(tool, input);
      const status = answer.value["status"];
      if (status === "timeout") this.answersBeforeTimeouts.push(this.options.answersSinceFault());
      if (status !== "not_connected") return answer;
      this.refusals += 1;
      // Three garbled hellos may have ended the reconnection.
      if (this.options.mayBeGarbled) await this.options.client.call("mkt_connect_pubsub");
      await Bun.sleep(PAUSE_MS);
    }
  }
}

function attemptOf(
  order: Pick<Attempt, "contractId" | "side" | "price" | "quantity" | "idempotencyKey">,
  { value, text }: ToolAnswer,
): Attempt {
  const { status, orderId, clientOrderId } = value as unknown as Attempt;
  if (!["success", "rejected", "timeout"].includes(status)) throw new Error(`an order was answered by ${text}`);
  if (status === "timeout" && clientOrderId === null) throw new Error(`nothing to look for in ${text}`);
  return { ...order, status, orderId, clientOrderId, text };
}
