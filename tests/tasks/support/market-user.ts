// A user who acts on the engine itself, and not through mkt: prepares the market, is the other side of a trade, and sees what
// really happened.

import type { EngineMessage } from "../../../protocol/index.ts";
import { LoadClient, messagesIn, orderIdOf } from "../../support/load-client.ts";
import { until } from "../../support/until.ts";

type MarketEvent = Extract<EngineMessage, { kind: "event" }>;
type Payload = Readonly<Record<string, unknown>>;

const SIDES = { BUY: 0, SELL: 1 } as const;

export class MarketUser {
  /** Received since the connection, oldest first. */
  readonly events: MarketEvent[] = [];
  readonly #client: LoadClient;

  private constructor(url: string, readonly userId: string) {
    this.#client = new LoadClient(url, userId, { onFrame: (text) => this.#take(messagesIn(text)) });
  }

  static async connect(url: string, userId: string): Promise<MarketUser> {
    const user = new MarketUser(url, userId);
    await user.#client.welcomed();
    return user;
  }

  /** The result of a request that must succeed. */
  async request(action: string, payload: Payload): Promise<Payload> {
    const response = await this.#client.request(action, payload, crypto.randomUUID());
    if (response?.status !== "ok") throw new Error(`${action} of ${this.userId}: ${JSON.stringify(response)}`);
    return response.result ?? {};
  }

  /** The id of the new order. */
  async submit(contractId: string, side: "BUY" | "SELL", price: number, quantity: number): Promise<string> {
    const result = await this.request("order.submit", { contractId, side: SIDES[side], price, quantity });
    return orderIdOf({ result });
  }

  /** Waits for an event that fits, and returns it. */
  event(fits: (event: MarketEvent) => boolean): Promise<MarketEvent> {
    return until(() => this.events.find(fits), `an event as ${fits}`) as Promise<MarketEvent>;
  }

  close(): void {
    this.#client.close();
  }

  #take(messages: readonly EngineMessage[]): void {
    for (const message of messages) {
      if ("kind" in message && message.kind === "event") this.events.push(message);
    }
  }
}
