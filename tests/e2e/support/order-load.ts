// Orders that keep an engine busy: two users submit, change and cancel, and trade with each other. No request is rejected, so a
// restart of the engine loses no event. A request that was under way when the engine ended is not sent again.
//
// The load waits if a reader is too far behind, so a slow machine makes a test slow and never lets it miss events.

import { atEnd } from "../../support/at-end.ts";
import { LoadClient, type LoadResponse } from "../../support/load-client.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";

interface OrderLoadOptions {
  readonly url: string;
  readonly contractId: string;
  /** Of two entities with credit for each other. */
  readonly users: readonly [string, string];
  /** Sequences under way at the same time. */
  readonly outstanding: number;
  readonly seed: number;
  /** Whether a reader is too far behind. */
  readonly mustWait: () => boolean;
}

const PAUSE_MS = 10;
/** Cents/MWh. Bids rest below, asks above, so only orders that are meant to trade do. */
const MIDDLE = 5_000;

export class OrderLoad {
  readonly #random: SeededRandom;
  readonly #clients = new Map<string, Promise<LoadClient>>();
  #operations = 0;
  #isEnded = false;
  readonly #running: Promise<unknown>;

  constructor(readonly options: OrderLoadOptions) {
    this.#random = new SeededRandom(options.seed);
    this.#running = Promise.all(Array.from({ length: options.outstanding }, (_, worker) => this.#work(worker)));
    atEnd(() => this.end());
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#running;
    for (const client of this.#clients.values()) (await client).close();
  }

  async #work(worker: number): Promise<void> {
    const [one, other] = this.options.users;
    while (!this.#isEnded) {
      if (this.options.mustWait()) await Bun.sleep(PAUSE_MS);
      else if (worker === 0 && this.#random.next() < 0.5) await this.#trade(one, other);
      else await this.#come(this.#random.next() < 0.5 ? one : other);
    }
  }

  /** An order that rests, is changed and cancelled. */
  async #come(userId: string): Promise<void> {
    const side = this.#random.integer(0, 1);
    const price = () => MIDDLE + (side === 0 ? -1 : 1) * this.#random.integer(100, 400);
    const orderId = await this.#submit(userId, side, price(), this.#random.integer(1, 20));
    if (orderId === null) return;
    if (this.#random.next() < 0.5) await this.#request(userId, "order.modify", { orderId, price: price() });
    await this.#request(userId, "order.cancel", { orderId });
  }

  /** Two orders that trade with each other. A single worker does it, so no other order can. */
  async #trade(one: string, other: string): Promise<void> {
    const side = this.#random.integer(0, 1);
    const price = MIDDLE + this.#random.integer(-50, 50);
    const orderId = await this.#submit(one, side, price, 1);
    if (orderId === null) return;
    await this.#submit(other, 1 - side, price, 1);
  }

  async #submit(userId: string, side: number, price: number, quantity: number): Promise<string | null> {
    const order = { contractId: this.options.contractId, side, price, quantity, timeInForce: "gtc" };
    const response = await this.#request(userId, "order.submit", order);
    return response === null ? null : (response.result?.["order"] as { id: string }).id;
  }

  /** Null if the engine ended before it answered. */
  async #request(userId: string, action: string, payload: unknown): Promise<LoadResponse | null> {
    const client = await this.#client(userId);
    const response = await client.request(action, payload, `load-${this.options.seed}-${++this.#operations}`);
    if (response === null) await Bun.sleep(PAUSE_MS);
    else if (response.status !== "ok") throw new Error(`${action} failed: ${JSON.stringify(response)}`);
    return response;
  }

  /** Connects again if the connection has ended. */
  #client(userId: string): Promise<LoadClient> {
    const kept = this.#clients.get(userId);
    if (kept !== undefined) return kept;
    const client = new LoadClient(this.options.url, userId);
    const welcomed = client.welcomed();
    this.#clients.set(userId, welcomed);
    void client.closed.then(async () => {
      await Bun.sleep(PAUSE_MS);
      this.#clients.delete(userId);
    });
    return welcomed;
  }
}
