// A server and its market for tests of the stream: core's real snapshot and event buffer, and a connection that a test cuts,
// restores and gives to another user. Every event and module names the user who may see it.

import type { PubSub, Session } from "../../../../core/backend/pubsub.ts";
import { EventBuffer } from "../../../../core/market/event-buffer.ts";
import { Snapshot } from "../../../../core/market/snapshot.ts";
import { LiveMarket } from "../../../../plugins/dashboard/live-market.ts";
import type { EventMessage, StateMessage } from "../../../../protocol/index.ts";
import type { ContractRow } from "../../../../web/contract/market.ts";
import { configurationFor, pubsubThatIs } from "../../../core/support/services.ts";

/** Small, so that events are dropped. */
const BUFFERED = 12;
const TIME = "2030-06-01T12:00:00.000Z";

interface Contract {
  readonly id: string;
  isListed: boolean;
  /** Grows with each change of the book, so that an older state is recognised. */
  lastPrice: number;
}

export class LiveWorld {
  snapshot = new Snapshot();
  events = new EventBuffer(BUFFERED);
  live!: LiveMarket;
  /** All events of this epoch by number, with those that the connection has not brought. */
  readonly log = new Map<number, EventMessage>();
  isFrozen = false;
  user: string | null = null;
  status: PubSub["status"] = "disconnected";
  #epoch = 1_000;
  #sequence = 1_000;
  #unsent: EventMessage[] = [];
  /** Who may see what the market has sent last. */
  #lastUser = "";
  #isHalted = false;
  #productName = "Hour";
  readonly #contracts: Contract[] = [];

  constructor() {
    this.restart();
    for (let index = 0; index < 3; index++) this.list();
  }

  get isCurrent(): boolean {
    return this.status === "connected";
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Undefined without such a contract. */
  lastPriceOf(contractId: string): number | undefined {
    return this.#contracts.find(({ id }) => id === contractId)?.lastPrice;
  }

  /** Another process: nothing is cached, and the connection is made anew. */
  restart(): void {
    this.snapshot = new Snapshot();
    this.events = new EventBuffer(BUFFERED);
    const none = pubsubThatIs("disconnected");
    const facts = () => ({ ...none.facts(), status: this.status, userId: this.user, since: TIME });
    const pubsub: PubSub = Object.defineProperties({ ...none, facts }, {
      status: { get: () => this.status },
      session: { get: () => this.#session },
    });
    const frozen = () => this.isFrozen ? { reason: "test", since: null } : null;
    this.live = new LiveMarket({
      events: this.events,
      snapshot: this.snapshot,
      pubsub,
      frozen,
      configuration: configurationFor(),
    });
    const { user } = this;
    this.leave();
    if (user !== null) this.connect(user);
  }

  /** The connection is made, also for another user. */
  connect(user: string): void {
    if (this.user !== null) return;
    if (this.events.epoch === null || user !== this.#lastUser) {
      this.snapshot.clear();
      this.events.clear();
      this.events.begin(this.#epoch, this.#sequence);
      this.#unsent = [];
    } else {
      this.#bringEvents();
    }
    this.#lastUser = user;
    this.user = user;
    this.#bringState();
    this.status = "connected";
  }

  leave(): void {
    this.user = null;
    this.status = "disconnected";
  }

  lose(): void {
    if (this.status === "connected") this.status = "reconnecting";
  }

  /** The events come first, and the state that belongs to them later. */
  resend(): void {
    if (this.status === "reconnecting") this.#bringEvents();
  }

  restore(): void {
    if (this.status !== "reconnecting") return;
    this.#bringEvents();
    this.#bringState();
    this.status = "connected";
  }

  /** The market begins its events anew. */
  beginEpoch(): void {
    if (this.status !== "connected") return;
    this.#epoch = this.#sequence = this.#sequence + 1_000;
    this.#unsent = [];
    this.log.clear();
    this.events.begin(this.#epoch, this.#sequence);
    this.#bringState();
  }

  /** A change of a book, with its event. */
  trade(index: number): void {
    const contract = this.#contracts[index % this.#contracts.length]!;
    if (!contract.isListed) return;
    contract.lastPrice += 1;
    this.#publish("change.book", { contractId: contract.id, lastPrice: contract.lastPrice }, [contract]);
  }

  /** An event of a category of its own that changes no state. */
  order(index: number): void {
    const contract = this.#contracts[index % this.#contracts.length]!;
    this.#publish("new.order", { contractId: contract.id, entityId: this.#lastUser }, []);
  }

  halt(): void {
    this.#isHalted = !this.#isHalted;
    this.#publish("halt.market", { marketId: "m" }, []);
    this.#sendState([this.#market()]);
  }

  list(): void {
    const contract = { id: `c${this.#contracts.length}`, isListed: true, lastPrice: 0 };
    this.#contracts.push(contract);
    this.#sendState(this.#statesOf(contract));
  }

  /** Without an event. */
  expire(index: number): void {
    const contract = this.#contracts[index % this.#contracts.length]!;
    contract.isListed = !contract.isListed;
    this.#sendState(this.#statesOf(contract));
  }

  /** Without an event. */
  rename(): void {
    this.#productName += "'";
    this.#sendState([this.#product()]);
  }

  /** The market could not send these events again. */
  gap(length: number): void {
    if (this.status !== "connected") return;
    this.events.gap(this.#sequence + 1, this.#sequence + length);
    this.#sequence += length;
  }

  /** What a page must show: by contract id. */
  expectedRows(): Record<string, Partial<ContractRow>> {
    if (this.user === null) return {};
    return Object.fromEntries(
      this.#contracts.filter(({ isListed }) => isListed)
        .map(({ id, lastPrice }) => [id, { contractId: id, productName: this.#nameOfProduct(), lastPrice }]),
    );
  }

  get isHalted(): boolean {
    return this.#isHalted;
  }

  get #session(): Session | null {
    if (this.user === null) return null;
    return { userId: this.user, entityId: null, capabilities: [], engineId: "engine", epoch: this.#epoch };
  }

  #publish(type: string, data: Record<string, unknown>, changed: readonly Contract[]): void {
    const event: EventMessage = { kind: "event", sequence: ++this.#sequence, type, time: TIME, data };
    this.log.set(event.sequence, event);
    if (this.isCurrent) this.events.push(event);
    else this.#unsent.push(event);
    this.#sendState(changed.flatMap((contract) => this.#statesOf(contract)));
  }

  #bringEvents(): void {
    for (const event of this.#unsent) this.events.push(event);
    this.#unsent = [];
  }

  #sendState(states: readonly StateMessage[]): void {
    if (this.isCurrent) { for (const state of states) this.snapshot.apply(state, TIME); }
  }

  #bringState(): void {
    const states = [
      this.#market(),
      this.#product(),
      ...this.#contracts.flatMap((contract) => this.#statesOf(contract)),
    ];
    this.snapshot.replaceAll(states, TIME);
  }

  #nameOfProduct(): string {
    return `${this.#productName} of ${this.user}`;
  }

  #product(): StateMessage {
    return stateOf("PRODUCT", { id: "p", name: this.#nameOfProduct() });
  }

  #market(): StateMessage {
    return stateOf("MARKET", { id: "m", name: `Market of ${this.user}`, halted: this.#isHalted });
  }

  #statesOf({ id, isListed, lastPrice }: Contract): StateMessage[] {
    const contract = {
      id,
      productId: "p",
      marketId: "m",
      engineId: `engine-${id}`,
      deliveryStart: TIME,
      deliveryEnd: TIME,
      status: isListed ? "listed" : "expired",
    };
    const level = { price: lastPrice, volume: 1, orderCount: 1 };
    const engine = { id: `engine-${id}`, contractId: id, lastPrice, bestBid: lastPrice, bids: [level], asks: [] };
    return [stateOf("CONTRACT", contract), stateOf("ENGINE", engine)];
  }
}

function stateOf(type: string, state: { readonly id: string } & Readonly<Record<string, unknown>>): StateMessage {
  return { statePath: `/${type}/${state.id}`, state };
}
