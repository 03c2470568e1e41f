// An agent that trades through mkt while the connection behind it comes and goes, and remembers what it was told about
// every order, so that it can be held against what the engine has in the end.

import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { TestClient, ToolAnswer } from "../../support/clients.ts";

/** What was asked for and what the last answer about it said. */
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
  /** When the last answer came. */
  readonly answeredAtMs: number;
  readonly text: string;
}

export interface TraderOptions {
  readonly client: TestClient;
  readonly userId: string;
  readonly contractIds: readonly string[];
  readonly random: SeededRandom;
  /** Whether the wire may change what is said, so that a confirmation may not fit its request. */
  readonly mayBeGarbled?: boolean;
  /** Greatest pause between two orders of a worker. */
  readonly greatestPauseMs: number;
  /** For how long nothing has been wrong with the wire. */
  readonly calmForMs: () => number;
}

const LOWEST_PRICE = 3000;
const PRICES = 40;
/** How long to wait before a call is repeated that found no connection. */
const PAUSE_MS = 20;

export class Trader {
  readonly attempts: Attempt[] = [];
  /** Orders whose cancellation was confirmed. */
  readonly cancelled = new Set<string>();
  /** Calls that found no connection. */
  refusals = 0;
  /** Attempts that were timeouts first and were asked for again, under their keys. */
  settled = 0;
  /** For how long the wire had been calm when a call was answered by `timeout`. */
  readonly calmBeforeTimeouts: number[] = [];
  #count = 0;
  #stopped = false;

  constructor(readonly options: TraderOptions) {}

  /** Places orders, `outstanding` at once, and cancels some, until there are so many, or `stop`. */
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
      price: LOWEST_PRICE + random.integer(0, PRICES),
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

  /** Asks until there is a connection: without one nothing was sent. */
  async #ask(tool: string, input: Record<string, unknown>): Promise<ToolAnswer> {
    for (;;) {
      const answer = await this.options.client.call(tool, input);
      const status = answer.value["status"];
      if (status === "timeout") this.calmBeforeTimeouts.push(this.options.calmForMs());
      if (status !== "not_connected") return answer;
      this.refusals += 1;
      // Hellos that are garbled thrice may end it for good.
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
  return { ...order, status, orderId, clientOrderId, answeredAtMs: Date.now(), text };
}
