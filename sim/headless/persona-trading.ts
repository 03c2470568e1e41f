// Connects personas to the headless exchange: shows them the market, carries out their actions, and reports the results to
// them.
//
// The order of reports is part of the result of a run: for each trade the market update to every persona, then the fills
// of the resting order and of the aggressor; after all trades the acceptance to the sender.

import { BUY } from "../market/order-book.ts";
import type { Forecasts } from "../personas/forecasts.ts";
import type { ContractBook, Persona, PersonaAction, PersonaView } from "../personas/persona.ts";
import type { RunMetrics } from "../personas/run-metrics.ts";
import type { ContractTable } from "./contract-table.ts";
import type { Exchange } from "./exchange.ts";
import type { Acceptance, ExchangeOrder, ExchangeTrade } from "./exchange-order.ts";

interface Participant {
  readonly persona: Persona;
  readonly party: number;
  /** Keys of open orders on the exchange, by the persona's references. */
  readonly keys: Map<number, number>;
}

export interface OrderOwner {
  readonly participant: Participant;
  readonly reference: number;
}

type Order = ExchangeOrder<OrderOwner>;
type Trade = ExchangeTrade<OrderOwner>;

export class PersonaTrading {
  /** Simulated, in milliseconds since the epoch. */
  time: number;
  readonly #participants: readonly Participant[];
  readonly #view: PersonaView;
  /** The participant whose persona is deciding. */
  #acting: Participant | null = null;
  /** The book from before the market update that is being delivered; null at other times. */
  #bookBefore: ContractBook | null = null;

  constructor(
    personas: readonly Persona[],
    startTime: number,
    private readonly exchange: Exchange<OrderOwner>,
    private readonly contracts: ContractTable,
    private readonly forecasts: Forecasts,
    private readonly metrics: RunMetrics,
  ) {
    this.time = startTime;
    this.#participants = personas.map((persona) => ({
      persona,
      party: exchange.partyOf(persona.entityId),
      keys: new Map(),
    }));
    this.#view = this.#createView();
  }

  /** Lets a persona decide and carries out its actions. Returns the delay until its next wake-up, in milliseconds. */
  wake(index: number): number {
    const participant = this.#participants[index];
    if (participant === undefined) throw new Error(`no persona ${index}`);
    this.#acting = participant;
    for (const action of participant.persona.act(this.#view)) this.#carryOut(participant, action);
    this.#acting = null;
    return participant.persona.nextDelayMs();
  }

  /** Reports that the exchange has closed an order. */
  closed({ owner: { participant, reference } }: Order): void {
    participant.keys.delete(reference);
    participant.persona.onClosed(reference);
  }

  /** Reports a trade; `before` is the book from before it. */
  traded({ resting, aggressor, price, quantity }: Trade, before: ContractBook): void {
    this.#publish(aggressor, price, quantity, true, before);
    const [buy, sell] = aggressor.side === BUY ? [aggressor, resting] : [resting, aggressor];
    this.metrics.onTrade({
      time: this.time,
      price,
      quantity,
      fundamental: this.forecasts.of(this.contracts.contractOf(resting.contract)),
      buyer: assignmentOf(buy),
      seller: assignmentOf(sell),
    });
    for (const { owner: { participant, reference }, filledQuantity, quantity: ordered } of [resting, aggressor]) {
      participant.persona.onFill(reference, price, quantity);
      if (filledQuantity === ordered) participant.keys.delete(reference);
    }
  }

  #carryOut(participant: Participant, action: PersonaAction): void {
    const { persona, party, keys } = participant;
    const { reference } = action;
    if (action.kind === "submit") {
      const { contract, side, price, quantity } = action;
      const before = this.contracts.book(contract);
      const owner = { participant, reference };
      const state = this.contracts.stateOf(contract);
      this.#answer(owner, action, this.exchange.submit(owner, state, party, side, price, quantity), before);
      return;
    }
    const key = keys.get(reference);
    const order = key === undefined ? undefined : this.exchange.order(key);
    if (order === undefined) return persona.onRefused(reference, action.kind, "not_found");
    if (action.kind === "modify") {
      const before = this.contracts.book(this.contracts.contractOf(order.contract));
      this.#answer(order.owner, action, this.exchange.modify(order.key, action.price, action.quantity), before);
      return;
    }
    this.exchange.cancel(order.key);
    persona.onAccepted(reference);
    this.closed(order);
  }

  #answer(
    { participant, reference }: OrderOwner,
    action: PersonaAction,
    answer: Acceptance<OrderOwner>,
    before: ContractBook,
  ): void {
    if (!answer.accepted) return participant.persona.onRefused(reference, action.kind, answer.code);
    const { order, trades } = answer;
    participant.keys.set(reference, order.key);
    if (trades.length === 0) {
      this.#publish(order, order.price, order.quantity - order.filledQuantity, false, before);
    }
    for (const trade of trades) this.traded(trade, before);
    participant.persona.onAccepted(reference);
  }

  #publish(order: Order, price: number, quantity: number, isTrade: boolean, before: ContractBook): void {
    const contract = this.contracts.contractOf(order.contract);
    const update = { contract, side: order.side, price, quantity, isTrade };
    this.#bookBefore = before;
    for (const { persona } of this.#participants) persona.onMarketUpdate(update, this.#view);
    this.#bookBefore = null;
  }

  #createView(): PersonaView {
    const time = () => this.time;
    const isExhausted = () => this.#acting !== null && this.exchange.isCreditExhausted(this.#acting.party);
    return {
      get time() {
        return time();
      },
      get creditExhausted() {
        return isExhausted();
      },
      book: (contract) => this.#bookBefore ?? this.contracts.book(contract),
      isOpen: (contract) => this.exchange.isOpen(this.contracts.stateOf(contract)),
      forecast: (contract) => this.forecasts.of(contract),
    };
  }
}

function assignmentOf({ owner: { participant, reference } }: Order) {
  return participant.persona.assignmentOf(reference);
}
