// One agent in a run: what it is told, and what it does, from `observe` to `next`. Market time stands still meanwhile.

import type { z } from "zod";
import { isoTime } from "../../../common/iso-time.ts";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import { kilowattsOf, megawattsOf } from "../../../engine/market/units.ts";
import type { Simulation } from "../../headless/simulate.ts";
import { personaReport } from "../../personas/persona-report.ts";
import type { TradedContract } from "../../personas/traded-contract.ts";
import {
  type Action,
  action as actionSchema,
  type ActionResult,
  AgentFailure,
  type AgentMessage,
  agentMessage,
  type End,
  MAX_ACTIONS,
  messageFaults,
  type MktMessage,
} from "./agent-messages.ts";
import { observationOf } from "./agent-observation.ts";
import { type AgentOrder, remainingOf } from "./agent-orders.ts";
import type { AgentTrader } from "./agent-trader.ts";

/** The connection to an agent. */
export interface AgentChannel {
  send(message: MktMessage): void;
  /** The next message, as from JSON. Throws AgentFailure if there is none. */
  receive(): Promise<unknown>;
  close(): Promise<void>;
}

export class AgentSession {
  constructor(
    readonly trader: AgentTrader,
    private readonly channel: AgentChannel,
    private readonly simulation: Simulation,
  ) {}

  /** Lets the agent act until it says `next` or `leave`. Throws AgentFailure if it can't go on. */
  async wake(): Promise<void> {
    const { trader, channel, simulation } = this;
    const { run } = simulation;
    trader.awake();
    run.carryOut(trader);
    channel.send(observationOf(trader, simulation));
    for (let actions = 0;;) {
      const message = await this.#receive();
      if (message.type === "next") return trader.sleep(run.time, message);
      if (message.type === "leave") return await this.#leave();
      const left = Math.max(0, MAX_ACTIONS - actions);
      actions += message.actions.length;
      const results = message.actions.map((action, index) => index < left ? this.#carryOut(action) : TOO_MANY_ACTIONS);
      channel.send({ type: "answer", results });
    }
  }

  /** Sends the report, and ends the connection. Does nothing if the agent has left. */
  async finish(): Promise<void> {
    if (this.trader.nextTime < Infinity) await this.#end("finished");
  }

  async #leave(): Promise<void> {
    for (const order of [...this.trader.orders.all]) this.#cancel(order);
    this.trader.leave();
    await this.#end("left");
  }

  async #end(reason: End["reason"]): Promise<void> {
    const { trader, channel, simulation: { run } } = this;
    const report = { ...personaReport(trader, (contract) => run.markOf(contract)) };
    channel.send({ type: "end", time: isoTime(run.time), reason, report });
    await channel.close();
  }

  async #receive(): Promise<AgentMessage> {
    const json = await this.channel.receive();
    const parsed = agentMessage.safeParse(json);
    if (parsed.success) return parsed.data;
    throw new AgentFailure(`it sent an invalid message: ${messageFaults(parsed.error)}`);
  }

  #carryOut(given: unknown): ActionResult {
    const parsed = actionSchema.safeParse(given);
    if (!parsed.success) return refused(codeOf(parsed.error), messageFaults(parsed.error));
    const action = parsed.data;
    if (action.kind === "submit") return this.#submit(action);
    const order = /^\d{1,15}$/.test(action.orderId) ? this.trader.orders.get(Number(action.orderId)) : undefined;
    if (order === undefined) return refused("not_found", `There is no open order ${action.orderId}.`);
    return action.kind === "cancel" ? this.#cancel(order) : this.#modify(order, action);
  }

  #submit({ contractId, side, price, quantity }: Action & { readonly kind: "submit" }): ActionResult {
    const contract = this.simulation.run.contracts.find(({ id }) => id === contractId);
    if (contract === undefined) return refused("not_found", `There is no contract ${contractId}.`);
    const terms = termsFault(contract, price, quantity);
    if (terms !== null) return terms;
    const order = this.trader.orders.submit(contract, side === "BUY" ? BUY : SELL, price, kilowatts(quantity));
    if ("code" in order) return refused(order.code, order.message);
    const { reference } = order;
    this.trader.prepare({ kind: "submit", reference, contract, side: order.side, price, quantity: order.quantity });
    return this.#response(order);
  }

  #modify(order: AgentOrder, change: Action & { readonly kind: "modify" }): ActionResult {
    const { price = order.price, quantity = megawattsOf(order.quantity) } = change;
    const terms = termsFault(order.contract, price, quantity);
    if (terms !== null) return terms;
    const fault = this.trader.orders.modify(order, price, kilowatts(quantity));
    if (fault !== null) return refused(fault.code, fault.message);
    this.trader.prepare({ kind: "modify", reference: order.reference, price, quantity: kilowatts(quantity) });
    return this.#response(order);
  }

  #cancel(order: AgentOrder): ActionResult {
    this.trader.orders.cancel(order);
    this.trader.prepare({ kind: "cancel", reference: order.reference });
    return { ...this.#response(order), remainingQuantity: 0 };
  }

  /** Carries out the prepared action. */
  #response(order: AgentOrder): ActionResult {
    this.simulation.run.carryOut(this.trader);
    const response = this.trader.takeResponse();
    if (!response.accepted) return refused(response.code, MESSAGES[response.code] ?? "The market refused it.");
    return {
      accepted: true,
      orderId: String(order.reference),
      remainingQuantity: remainingOf(order),
      trades: response.fills.map(({ price, quantity }) => ({ price, quantity: megawattsOf(quantity) })),
    };
  }
}

const TOO_MANY_ACTIONS = refused("too_many_actions", `At most ${MAX_ACTIONS} actions until you say next.`);

const MESSAGES: Readonly<Record<string, string>> = {
  not_open: "The market of the contract is not open.",
  contract_expired: "Delivery has begun.",
  invalid_quantity: "The quantity must be greater than what is filled.",
};

/** By the first field that is wrong. */
function codeOf({ issues: [first] }: Pick<z.core.$ZodError, "issues">): string {
  const [field] = first?.path ?? [];
  return field === "price" || field === "quantity" ? `invalid_${field}` : "invalid_action";
}

function refused(code: string, message: string): ActionResult {
  return { accepted: false, code, message };
}

function termsFault(contract: TradedContract, price: number, quantity: number): ActionResult | null {
  const { lot, tick, minimumPrice, maximumPrice } = contract;
  if (price < minimumPrice || price > maximumPrice || price % tick !== 0) {
    return refused("invalid_price", `The price must be a multiple of ${tick} from ${minimumPrice} to ${maximumPrice}.`);
  }
  const exact = kilowattsOf(quantity);
  if (exact !== null && exact % lot === 0) return null;
  return refused("invalid_quantity", `The quantity must be a multiple of ${megawattsOf(lot)} MW.`);
}

/** After `termsFault` has found none. */
function kilowatts(quantity: number): number {
  return kilowattsOf(quantity) ?? 0;
}
