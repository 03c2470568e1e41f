// A client that sees every order and event of an engine over its restarts, and derives from the events alone which state each
// order must have.

import type { EngineMessage } from "../../../protocol/index.ts";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { DEFAULT_RETENTION } from "../../../engine/state/initial-state.ts";
import { LoadClient, messagesIn } from "../../support/load-client.ts";

const SEEN = ["id", "clientOrderId", "userId", "price", "quantity", "filledQuantity", "status", "closeReason"] as const;
type SeenOrder = Pick<ModuleData<"ORDER">, typeof SEEN[number]>;

export class Witness {
  /** State of each order in the last event about it. */
  readonly orders = new Map<string, SeenOrder>();
  epoch: number | null = null;
  sequence: number | null = null;
  /** Gaps announced by an engine for events that are older than its checkpoint. */
  gaps = 0;
  #client: LoadClient | null = null;
  #snapshot: { orders: Map<string, SeenOrder>; filled: Map<string, number> } | null = null;

  constructor(readonly userId: string) {}

  /** Connects after a start of the engine, and compares the snapshot with the events seen so far. */
  async attend(url: string): Promise<void> {
    const snapshot = { orders: new Map<string, SeenOrder>(), filled: new Map<string, number>() };
    this.#snapshot = snapshot;
    const before = this.gaps;
    const resume = this.epoch === null || this.sequence === null
      ? undefined
      : { epoch: this.epoch, sequence: this.sequence };
    this.#client = new LoadClient(url, this.userId, { resume, onFrame: (text) => this.#take(messagesIn(text)) });
    await this.#client.welcomed();
    // The missed events follow the snapshot, and this response follows them.
    const probe = await this.#client.request("market.flush", { preview: true }, crypto.randomUUID());
    if (probe === null) throw new Error("the engine ended the witness's connection");
    if (resume === undefined || this.gaps > before) this.#adopt(snapshot.orders);
    this.#compare(snapshot.orders, snapshot.filled);
    this.#snapshot = null;
  }

  async ended(): Promise<void> {
    await this.#client?.closed;
  }

  #take(messages: readonly EngineMessage[]): void {
    for (const message of messages) {
      if ("statePath" in message) this.#takeState(message.statePath, message.state);
      else if (message.kind === "welcome") this.#takeWelcome(message.epoch, message.sequence);
      else if (message.kind === "gap") {
        this.gaps += 1;
        this.sequence = message.to;
      } else if (message.kind === "event") this.#takeEvent(message.sequence, message.type, message.data);
    }
  }

  #takeWelcome(epoch: number, sequence: number): void {
    if (this.epoch !== null && epoch !== this.epoch) throw new Error(`epoch ${epoch} after ${this.epoch}`);
    if (this.sequence !== null && sequence < this.sequence) {
      throw new Error(`the engine is at event ${sequence}, but event ${this.sequence} was seen`);
    }
    this.epoch = epoch;
    this.sequence ??= sequence;
  }

  #takeState(path: string, state: Record<string, unknown> | null): void {
    const snapshot = this.#snapshot;
    if (snapshot === null || state === null) return;
    if (path.startsWith("/ORDER/")) snapshot.orders.set(path.slice("/ORDER/".length), seen(state));
    if (path.startsWith("/FILL/")) {
      const orderId = String(state.orderId);
      snapshot.filled.set(orderId, (snapshot.filled.get(orderId) ?? 0) + Number(state.quantity));
    }
  }

  #takeEvent(sequence: number, type: string, data: Record<string, unknown>): void {
    if (sequence !== (this.sequence ?? 0) + 1) throw new Error(`event ${sequence} after ${this.sequence}`);
    this.sequence = sequence;
    if (type.endsWith(".order") && type !== "reject.order") this.orders.set(String(data.id), seen(data));
  }

  #adopt(orders: ReadonlyMap<string, SeenOrder>): void {
    for (const [id, order] of orders) this.orders.set(id, order);
  }

  #open(): number {
    return this.orders.values().filter(({ closeReason }) => closeReason === null).toArray().length;
  }

  #compare(orders: ReadonlyMap<string, SeenOrder>, filled: ReadonlyMap<string, number>): void {
    const kept = this.#open() + Math.min(this.orders.size - this.#open(), DEFAULT_RETENTION.closedOrders);
    if (orders.size !== kept) {
      throw new Error(`the engine has ${orders.size} orders; ${this.orders.size} were seen, ${kept} must be there`);
    }
    const clientOrderIds = new Set<string>();
    for (const [id, order] of orders) {
      const expected = JSON.stringify(this.orders.get(id));
      if (JSON.stringify(order) !== expected) throw new Error(`order ${JSON.stringify(order)}, seen as ${expected}`);
      if (clientOrderIds.has(order.clientOrderId)) throw new Error(`order ${order.clientOrderId} exists twice`);
      clientOrderIds.add(order.clientOrderId);
      if ((filled.get(id) ?? 0) !== order.filledQuantity) throw new Error(`fills of ${id} do not add up`);
    }
  }
}

function seen(order: Record<string, unknown>): SeenOrder {
  return Object.fromEntries(SEEN.map((name) => [name, order[name]])) as SeenOrder;
}
