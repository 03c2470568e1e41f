// One persona at work on an engine: a connection of its own, the pace at which it is woken, and what it asks for carried
// out as requests of the protocol.
//
// It is woken only while its connection and the view of the market are current and no more than OUTSTANDING of its
// requests wait for their answers, so an engine that is slow slows it down. When its connection is lost the engine cancels
// its orders (cancelOnDisconnect). Once it is back, the snapshot tells what became of them, by their clientOrderIds, also of
// those that were never confirmed; the persona hears of fills that it missed, and then that its orders are gone. An order
// that the snapshot does not have may still arrive until its `validUntil`: so long it waits before it trades again.

import type { FrameReader } from "../../protocol/client/frame-reader.ts";
import type { Logger } from "../../common/logger.ts";
import type { PersonaState, StateMessage } from "../../protocol/index.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { SYSTEM_TIMERS } from "../../common/timers.ts";
import { megawattsOf } from "../market/units.ts";
import type { Assignment } from "../personas/assignments.ts";
import type { ContractUpdate, Persona, PersonaAction, PersonaView } from "../personas/persona.ts";
import {
  type ConnectionListener,
  EngineConnection,
  ORDER_VALIDITY_MS,
  type RequestOutcome,
} from "./engine-connection.ts";
import { ownFrames } from "./own-frames.ts";
import { PersonaOrders } from "./persona-orders.ts";
import type { SimulatedClock } from "./simulated-clock.ts";

export interface LivePersonaOptions {
  readonly persona: Persona;
  readonly view: PersonaView;
  /** Whether `view` is as the market is now. */
  readonly isViewCurrent: () => boolean;
  /** Whether the market takes orders now. */
  readonly isMarketOpen: () => boolean;
  readonly clock: SimulatedClock;
  /** What the ids of its orders and requests begin with. */
  readonly mark: string;
  readonly url: string;
  readonly token: string | null;
  readonly reader: Pick<FrameReader, "read">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
  /** Its first connection stands. */
  readonly onConnected: () => void;
  /** One of its orders is filled; `assignment`: what it was sent for. */
  readonly onFill: (fill: ModuleData<"FILL">, assignment: Assignment | null) => void;
  /** The engine turns it away for good. */
  readonly onTurnedAway: (reason: string) => void;
}

const OUTSTANDING = 8;
/** By how much the engine's clock may be behind what is known of it. */
const LATENESS_MS = 500;

export class LivePersona {
  readonly persona: Persona;
  readonly #options: LivePersonaOptions;
  readonly #connection: EngineConnection;
  readonly #orders: PersonaOrders;
  #operations = 0;
  #hasBegun = false;
  /** Whether it knows what became of every order. */
  #isSynchronized = false;
  #endSynchronizing: () => void = () => {};
  #isTrading = false;
  #endWait: () => void = () => {};

  constructor(options: LivePersonaOptions) {
    this.#options = options;
    this.persona = options.persona;
    this.#orders = new PersonaOrders({
      filled: (reference, price, quantity, fill) => {
        if (fill !== null) options.onFill(fill, this.persona.assignmentOf(reference));
        this.persona.onFill(reference, price, quantity);
      },
      closed: (reference) => this.persona.onClosed(reference),
    }, options.mark);
    const { url, token, reader, now, log, mark } = options;
    this.#connection = new EngineConnection({
      url,
      token,
      now,
      log,
      userId: options.persona.userId,
      cancelOnDisconnect: true,
      reader: ownFrames(reader, mark),
      listener: this.#listener(),
    });
  }

  get isConnected(): boolean {
    return this.#connection.isUp;
  }

  get state(): PersonaState {
    if (!this.#connection.isUp) return this.#hasBegun ? "disconnected" : "connecting";
    return this.#options.isMarketOpen() ? "trading" : "paused";
  }

  /** Orders that work or may work. Without a connection there are none: the engine cancels them with it. */
  get workingOrders(): number {
    return this.#connection.isUp ? this.persona.workingOrders : 0;
  }

  connect(): void {
    this.#connection.open();
  }

  beginTrading(): void {
    this.#isTrading = true;
    this.#waitForTurn();
  }

  endTrading(): void {
    this.#isTrading = false;
    this.#endWait();
  }

  onMarketUpdate(update: ContractUpdate): void {
    this.persona.onMarketUpdate(update, this.#options.view);
  }

  /** Cancels its orders one by one, as far as the engine answers in time, and disconnects. Gives the number cancelled. */
  async leave(patienceMs: number): Promise<number> {
    this.endTrading();
    const cancels = this.#connection.isUp ? this.#orders.openOrderIds().map((orderId) => this.#cancel(orderId)) : [];
    const overdue = Promise.withResolvers<void>();
    const endWait = SYSTEM_TIMERS.after(patienceMs, overdue.resolve);
    let cancelled = 0;
    const counted = cancels.map(async (outcome) => {
      if ((await outcome).kind === "ok") cancelled += 1;
    });
    await Promise.race([Promise.all(counted), overdue.promise]);
    endWait();
    this.#endSynchronizing();
    await this.#connection.close();
    this.#forgetOrders();
    return cancelled;
  }

  #listener(): ConnectionListener {
    return {
      state: (message: StateMessage) => this.#orders.note(message),
      began: () => this.#began(),
      frame: () => void this.#orders.settle(),
      ended: (reason, isFinal) => {
        this.#isSynchronized = false;
        this.#endSynchronizing();
        if (isFinal) this.#options.onTurnedAway(reason);
      },
    };
  }

  #began(): void {
    const openOrderIds = this.#orders.settle();
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#isSynchronized = true;
      this.#options.onConnected();
      return;
    }
    for (const orderId of openOrderIds) void this.#cancel(orderId);
    if (this.#orders.hasUnsettled) {
      this.#endSynchronizing = SYSTEM_TIMERS.after(ORDER_VALIDITY_MS + LATENESS_MS, () => this.#synchronized());
    } else this.#synchronized();
  }

  #synchronized(): void {
    this.#forgetOrders();
    this.#isSynchronized = true;
  }

  /** None is open any more. */
  #forgetOrders(): void {
    this.#orders.forgetAll();
    this.persona.onDisconnected();
  }

  #waitForTurn(): void {
    const { clock } = this.#options;
    this.#endWait = SYSTEM_TIMERS.after(clock.waitMs(this.persona.nextDelayMs()), () => this.#takeTurn());
  }

  #takeTurn(): void {
    if (!this.#isTrading) return;
    this.#waitForTurn();
    this.#connection.endIfUnanswered();
    if (!this.#isSynchronized || !this.#options.isViewCurrent()) return;
    if (this.#connection.outstanding >= OUTSTANDING) return;
    for (const action of this.persona.act(this.#options.view)) this.#carryOut(action);
  }

  #carryOut(action: PersonaAction): void {
    const { kind, reference } = action;
    const settle = (outcome: RequestOutcome) => this.#answered(kind, reference, outcome);
    if (!this.#send(action, settle)) this.persona.onRefused(reference, kind, "not_sent");
  }

  #send(action: PersonaAction, settle: (outcome: RequestOutcome) => void): boolean {
    const connection = this.#connection;
    if (action.kind === "submit") {
      const { contract, side, price, reference } = action;
      const quantity = megawattsOf(action.quantity);
      const clientOrderId = this.#orders.clientOrderId(reference);
      this.#orders.submitted(reference);
      const payload = { contractId: contract.id, side, price, quantity, clientOrderId };
      return connection.send("order.submit", payload, clientOrderId, settle);
    }
    const orderId = this.#orders.orderIdOf(action.reference);
    if (orderId === null) return false;
    if (action.kind === "cancel") return connection.send("order.cancel", { orderId }, this.#operationId(), settle);
    const { price, quantity } = action;
    return connection.send(
      "order.modify",
      { orderId, price, quantity: megawattsOf(quantity) },
      this.#operationId(),
      settle,
    );
  }

  #answered(kind: PersonaAction["kind"], reference: number, outcome: RequestOutcome): void {
    // With the connection; began tells what became of it.
    if (outcome.kind === "lost") return;
    const accepted = outcome.kind === "ok";
    if (kind === "submit") this.#orders.answered(reference, accepted);
    if (accepted) this.persona.onAccepted(reference);
    else this.persona.onRefused(reference, kind, outcome.code);
  }

  #cancel(orderId: string): Promise<RequestOutcome> {
    const { promise, resolve } = Promise.withResolvers<RequestOutcome>();
    if (!this.#connection.send("order.cancel", { orderId }, this.#operationId(), resolve)) resolve({ kind: "lost" });
    return promise;
  }

  /** Never that of an order, whose reference is a number. */
  #operationId(): string {
    this.#operations += 1;
    return `${this.#options.mark}c${this.#operations}`;
  }
}
