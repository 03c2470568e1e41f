// Runs one persona on a separate connection to an engine: wakes it at its pace, and sends its actions as requests.
//
// A wake-up is skipped unless the connection and the view of the market are current and fewer than MAX_PENDING requests are
// pending, so a slow engine slows the persona down.
//
// When the connection is lost the engine cancels the persona's orders (cancelOnDisconnect). After a reconnect the snapshot
// shows the state of each order, found by its clientOrderId, even if its submission was never confirmed. Missed fills are
// reported to the persona first, then the end of its orders. An order that is not in the snapshot may still arrive until
// its `validUntil`, so the persona does not trade before that time.

import type { EngineClient } from "../../protocol/client/engine-client.ts";
import type { EngineListener } from "../../protocol/client/engine-client-options.ts";
import { reasonOf } from "../../protocol/client/engine-link.ts";
import type { RequestOutcome } from "../../protocol/client/pending-requests.ts";
import type { PersonaState } from "../../protocol/index.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { megawattsOf } from "../../engine/market/units.ts";
import { SYSTEM_TIMERS, type Timers } from "../../common/timers.ts";
import type { Assignment } from "../personas/assignments.ts";
import type { Persona, PersonaAction, PersonaView } from "../personas/persona.ts";
import type { FollowedClock } from "./followed-clock.ts";
import { personaFrames } from "./persona-frames.ts";
import { PersonaOrders } from "./persona-orders.ts";
import { type EngineAccess, ORDER_VALIDITY_MS, RESPONSE_LIMIT_MS, userClient } from "./user-client.ts";

interface LivePersonaOptions {
  readonly engine: EngineAccess;
  readonly persona: Persona;
  readonly view: PersonaView;
  /** Whether `view` shows the market as it is now. */
  readonly isViewCurrent: () => boolean;
  /** Whether the market takes orders now. */
  readonly isMarketOpen: () => boolean;
  readonly clock: FollowedClock;
  /** What the ids of its orders and requests begin with. */
  readonly idPrefix: string;
  /** The first connection is up. */
  readonly onConnected: () => void;
  /** An order of the persona is filled; `assignment`: what the order was sent for. */
  readonly onFill: (fill: ModuleData<"FILL">, assignment: Assignment | null) => void;
  /** The engine refuses the persona's user for good. */
  readonly onRefused: (reason: string) => void;
  /** Of real time; the runtime's if absent. */
  readonly timers?: Timers;
}

const MAX_PENDING = 8;
/** How much later than estimated the engine's clock may be. */
const CLOCK_ERROR_MS = 500;

export class LivePersona {
  readonly persona: Persona;
  readonly #client: EngineClient;
  readonly #timers: Timers;
  readonly #orders: PersonaOrders;
  readonly #requests: PersonaRequests;
  #wasConnected = false;
  /** Whether the state of every order is known. */
  #isSynchronized = false;
  #endSynchronizing: () => void = () => {};
  #isTrading = false;
  #endWait: () => void = () => {};
  /** Actions that wait for their response. */
  #unanswered = 0;
  #onAnswered: (() => void)[] = [];

  constructor(private readonly options: LivePersonaOptions) {
    const { persona, engine, idPrefix, onFill, timers = SYSTEM_TIMERS } = options;
    this.#timers = timers;
    this.persona = persona;
    this.#orders = new PersonaOrders({
      filled: (reference, price, quantity, fill) => {
        if (fill !== null) onFill(fill, persona.assignmentOf(reference));
        persona.onFill(reference, price, quantity);
      },
      closed: (reference) => persona.onClosed(reference),
    }, idPrefix);
    const reader = personaFrames(engine.reader, idPrefix);
    const user = { userId: persona.userId, cancelOnDisconnect: true, listener: this.#listener() };
    this.#client = userClient({ ...engine, reader }, user);
    this.#requests = new PersonaRequests(this.#client, this.#orders, idPrefix);
  }

  get isConnected(): boolean {
    return this.#client.isUp;
  }

  get state(): PersonaState {
    if (!this.#client.isUp) return this.#wasConnected ? "disconnected" : "connecting";
    return this.options.isMarketOpen() ? "trading" : "paused";
  }

  /** Orders that work or may work; 0 without a connection, since the engine cancels the orders with the connection. */
  get workingOrders(): number {
    return this.#client.isUp ? this.persona.workingOrders : 0;
  }

  connect(): void {
    this.#client.open();
  }

  /** Resolves once each action has its response, or will have none. */
  async answered(): Promise<void> {
    if (this.#unanswered === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onAnswered.push(resolve);
    await promise;
  }

  /** Resolves once everything is read that the engine had published by now. */
  caughtUp(): Promise<void> {
    return this.#client.caughtUp();
  }

  beginTrading(): void {
    this.#isTrading = true;
    this.#scheduleWakeUp();
  }

  endTrading(): void {
    this.#isTrading = false;
    this.#endWait();
  }

  /**
   * Waits for the responses to what it has sent, cancels the open orders and disconnects. Both only as far as the engine
   * answers in time. Returns the number cancelled.
   */
  async leave(patienceMs: number): Promise<number> {
    this.endTrading();
    const overdue = Promise.withResolvers<void>();
    const endWait = this.#timers.after(patienceMs, overdue.resolve);
    // Otherwise an accepted order would be missing in the report.
    await Promise.race([this.answered(), overdue.promise]);
    const orderIds = this.#client.isUp ? this.#orders.openOrderIds() : [];
    const outcomes = Promise.all(orderIds.map((orderId) => this.#requests.cancel(orderId)));
    await Promise.race([outcomes, overdue.promise]);
    endWait();
    this.#endSynchronizing();
    // Settles the cancels that are still pending.
    await this.#client.close();
    this.#forgetOrders();
    return (await outcomes).filter(({ kind }) => kind === "ok").length;
  }

  #listener(): EngineListener {
    return {
      state: (message) => this.#orders.note(message),
      synchronized: () => this.#snapshotRead(),
      frame: () => void this.#orders.settle(),
      ended: (end, willRetry) => {
        this.#isSynchronized = false;
        this.#endSynchronizing();
        if (!willRetry) this.options.onRefused(reasonOf(end));
      },
    };
  }

  #snapshotRead(): void {
    const openOrderIds = this.#orders.settle();
    if (!this.#wasConnected) {
      this.#wasConnected = true;
      this.#isSynchronized = true;
      this.options.onConnected();
      return;
    }
    for (const orderId of openOrderIds) void this.#requests.cancel(orderId);
    if (this.#orders.hasUnsettled) {
      this.#endSynchronizing = this.#timers.after(ORDER_VALIDITY_MS + CLOCK_ERROR_MS, () => this.#synchronized());
    } else this.#synchronized();
  }

  #synchronized(): void {
    this.#forgetOrders();
    this.#isSynchronized = true;
  }

  /** No order is open any more. */
  #forgetOrders(): void {
    this.#orders.forgetAll();
    this.persona.onDisconnected();
  }

  #scheduleWakeUp(): void {
    const { clock } = this.options;
    this.#endWait = clock.after(this.persona.nextDelayMs(clock.time()), () => this.#wakeUp());
  }

  #wakeUp(): void {
    if (!this.#isTrading) return;
    this.#scheduleWakeUp();
    this.#client.endIfUnanswered(RESPONSE_LIMIT_MS);
    if (!this.#isSynchronized || !this.options.isViewCurrent()) return;
    if (this.#client.pendingCount >= MAX_PENDING) return;
    for (const action of this.persona.act(this.options.view)) this.#carryOut(action);
  }

  #carryOut(action: PersonaAction): void {
    const { kind, reference } = action;
    const isSent = this.#requests.send(action, (outcome) => {
      this.#unanswered -= 1;
      this.#settled(kind, reference, outcome);
      if (this.#unanswered > 0) return;
      for (const resolve of this.#onAnswered.splice(0)) resolve();
    });
    if (isSent) this.#unanswered += 1;
    else this.persona.onRefused(reference, kind, "not_sent");
  }

  #settled(kind: PersonaAction["kind"], reference: number, outcome: RequestOutcome): void {
    // The connection was lost: the next snapshot shows whether the request was executed.
    if (outcome.kind === "timeout" || outcome.kind === "not_connected") return;
    const accepted = outcome.kind === "ok";
    if (kind === "submit") this.#orders.answered(reference, accepted);
    if (accepted) this.persona.onAccepted(reference);
    else this.persona.onRefused(reference, kind, outcome.code);
  }
}

/** Turns the actions of one persona into requests to the engine. */
class PersonaRequests {
  #count = 0;

  /** `idPrefix`: what the ids of the persona's requests begin with. */
  constructor(
    private readonly client: EngineClient,
    private readonly orders: PersonaOrders,
    private readonly idPrefix: string,
  ) {}

  /** False: it can't be sent now, and `settle` is not called. */
  send(action: PersonaAction, settle: (outcome: RequestOutcome) => void): boolean {
    const { client, orders } = this;
    if (action.kind === "submit") {
      const { contract, side, price, reference } = action;
      const clientOrderId = orders.clientOrderId(reference);
      orders.submitted(reference);
      const order = { contractId: contract.id, side, price, quantity: megawattsOf(action.quantity), clientOrderId };
      return client.send("order.submit", order, { operationId: clientOrderId }, settle);
    }
    const orderId = orders.orderIdOf(action.reference);
    if (orderId === null) return false;
    if (action.kind === "cancel") return client.send("order.cancel", { orderId }, this.#nextIds(), settle);
    const change = { orderId, price: action.price, quantity: megawattsOf(action.quantity) };
    return client.send("order.modify", change, this.#nextIds(), settle);
  }

  cancel(orderId: string): Promise<RequestOutcome> {
    return this.client.request("order.cancel", { orderId }, this.#nextIds());
  }

  /** Differs from every clientOrderId, which has a number after the prefix. */
  #nextIds(): { operationId: string } {
    this.#count += 1;
    return { operationId: `${this.idPrefix}c${this.#count}` };
  }
}
