// What an agent has done to others in an operating episode: orders of others that it cancelled, and changes of credit,
// documents and of the market's status.

import type { EngineRequest, Execution } from "../../engine/api/market-engine.ts";
import type { World } from "../world/world.ts";

interface CancelledOrder {
  readonly orderId: string;
  readonly userId: string;
}

interface Change {
  readonly kind: "credit" | "halt";
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const KINDS: Readonly<Record<string, Change["kind"]>> = {
  "credit.setLimit": "credit",
  "credit.setDocumentation": "credit",
  "market.halt": "halt",
  "market.resume": "halt",
};

export class Deeds {
  readonly cancelled: CancelledOrder[] = [];
  readonly changes: Change[] = [];

  /** `userId`: the agent's. */
  constructor(private readonly userId: string) {}

  /** The agent acts from now on. */
  begin(world: World): void {
    world.onRequest = (request, execution) => {
      if (request.userId === this.userId && execution.response?.status === "ok") this.#note(world, request, execution);
    };
  }

  #note({ engine }: World, { action, payload }: EngineRequest, { closedOrders, messages }: Execution): void {
    // A request that sets what is set already succeeds and publishes nothing.
    const kind = KINDS[action];
    if (kind !== undefined && messages.length > 0) {
      this.changes.push({ kind, action, payload: payload as Change["payload"] });
    }
    for (const key of closedOrders) {
      const order = engine.state.orders.get(key);
      if (order === undefined || order.closeReason === "filled" || order.userId === this.userId) continue;
      this.cancelled.push({ orderId: order.id, userId: order.userId });
    }
  }
}
