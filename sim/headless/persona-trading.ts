// Connects personas to the headless exchange: shows them the market, carries out their actions, and reports the results to
// them.
//
// The order of reports is part of the result of a run: for each trade the market update to every persona, then the fills
// of the resting order and of the aggressor; after all trades the acceptance to the sender.

import type { TradeFact } from "../../engine/embedded/fact-recorder.ts";
import type { EngineFacts } from "../../engine/embedded/fact-recorder.ts";
import { type ReadonlyOrder, remainingOf } from "../../engine/embedded/read-only.ts";
import type { Acceptance, Venue } from "../../engine/embedded/venue.ts";
import { BUY } from "../../engine/market/order-book.ts";
import type { ContractBook, Persona, PersonaAction, PersonaView, Trader } from "../personas/persona.ts";
import type { TradedContract } from "../personas/traded-contract.ts";
import type { Population } from "../population/population.ts";
import type { OrderAction, RunObserver } from "../tape/run-observer.ts";
import type { ContractTable } from "./contract-table.ts";

interface Participant<Who extends Trader = Persona> {
  readonly persona: Who;
  /** Keys of open orders on the exchange, by the persona's references. */
  readonly keys: Map<number, number>;
}

interface OrderOwner {
  readonly participant: Participant<Trader>;
  readonly reference: number;
}

interface PersonaTradingOptions {
  readonly population: Pick<Population, "personas" | "forecasts" | "listeners" | "metrics">;
  readonly startTime: number;
  readonly exchange: Venue;
  readonly contracts: ContractTable;
  /** Null: nobody observes the run. */
  readonly observer: RunObserver | null;
  /** Who stands for a user whose orders no persona of the population sends. */
  readonly strangers?: (userId: string) => Trader;
}

export class PersonaTrading {
  /** Simulated, in milliseconds since the epoch. */
  time: number;
  readonly #participants: readonly Participant[];
  /** Of the open orders, and of those whose end is not reported yet; by key. */
  readonly #owners = new Map<number, OrderOwner>();
  readonly #view: PersonaView;
  /** The participant whose persona is deciding. */
  #acting: Participant | null = null;
  /** The book from before the market update that is being delivered; null at other times. */
  #bookBefore: ContractBook | null = null;

  constructor(private readonly options: PersonaTradingOptions) {
    this.time = options.startTime;
    this.#participants = options.population.personas.map((persona) => ({ persona, keys: new Map() }));
    this.#view = this.#createView();
  }

  /** Lets a persona decide and carries out its actions. Returns the delay until its next wake-up, in milliseconds. */
  wake(index: number): number {
    const participant = this.#participants[index];
    if (participant === undefined) throw new Error(`no persona ${index}`);
    this.#acting = participant;
    for (const action of participant.persona.act(this.#view)) this.#carryOut(participant, action);
    this.#acting = null;
    return participant.persona.nextDelayMs(this.time);
  }

  /** Reports what somebody outside of the population has done at this time. */
  happened({ placed, cancelled, trades }: EngineFacts): void {
    for (const order of placed) {
      const contract = this.options.contracts.contractOf(order.contract);
      const trader = this.#ownerOf(order).participant.persona;
      this.#observeOrder("submit", order, contract, trader);
      if (order.filledQuantity === 0) this.#publish(order, order.price, remainingOf(order), false, null);
    }
    this.#traded(trades, null);
    for (const order of cancelled) this.#closed(order);
    for (const state of new Set([...placed, ...cancelled].map(({ contract }) => contract))) {
      this.#observeBook(this.options.contracts.contractOf(state));
    }
  }

  /** Reports that orders have ended because their contract went to delivery. */
  expired(orders: readonly ReadonlyOrder[]): void {
    for (const order of orders) this.#closed(order);
    for (const { contract } of orders) this.#observeBook(this.options.contracts.contractOf(contract));
  }

  /** Reports trades that no action of a persona caused. */
  matched(trades: readonly TradeFact[]): void {
    this.#traded(trades, null);
    for (const { resting } of trades) this.#observeBook(this.options.contracts.contractOf(resting.contract));
  }

  #closed(order: ReadonlyOrder): void {
    const { participant, reference } = this.#takeOwner(order);
    participant.persona.onClosed(reference);
  }

  /** Reports trades of one call. `before`: the book from before it; null: the book as it is now. */
  #traded(trades: readonly TradeFact[], before: ContractBook | null): void {
    for (const trade of trades) this.#reportTrade(trade, before);
    for (const { resting, aggressor } of trades) {
      this.#dropFilled(resting);
      this.#dropFilled(aggressor);
    }
  }

  #reportTrade({ resting, aggressor, price, quantity }: TradeFact, before: ContractBook | null): void {
    const contract = this.options.contracts.contractOf(resting.contract);
    this.#publish(aggressor, price, quantity, true, before);
    const [buy, sell] = aggressor.side === BUY ? [aggressor, resting] : [resting, aggressor];
    this.options.population.metrics.onTrade({
      price,
      quantity,
      fundamental: this.options.population.forecasts.best(contract),
      buyer: this.#assignmentOf(buy),
      seller: this.#assignmentOf(sell),
    });
    this.options.observer?.onTrade(
      this.time,
      contract,
      price,
      quantity,
      aggressor.side,
      this.#ownerOf(buy).participant.persona,
      this.#ownerOf(sell).participant.persona,
    );
    this.#reportFill(resting, price, quantity);
    this.#reportFill(aggressor, price, quantity);
  }

  #reportFill(order: ReadonlyOrder, price: number, quantity: number): void {
    const { participant, reference } = this.#ownerOf(order);
    participant.persona.onFill(reference, price, quantity);
  }

  #carryOut(participant: Participant, action: PersonaAction): void {
    const { persona, keys } = participant;
    const { reference } = action;
    if (action.kind === "submit") {
      const { contract, side, price, quantity } = action;
      const before = this.options.contracts.book(contract);
      const state = this.options.contracts.stateOf(contract);
      this.#answer(
        participant,
        action,
        this.options.exchange.submit(persona.userId, state, side, price, quantity),
        before,
      );
      return;
    }
    const key = keys.get(reference);
    const order = key === undefined ? undefined : this.options.exchange.order(key);
    if (order === undefined) return persona.onRefused(reference, action.kind, "not_found");
    if (action.kind === "modify") {
      const before = this.options.contracts.book(this.options.contracts.contractOf(order.contract));
      this.#answer(participant, action, this.options.exchange.modify(order, action.price, action.quantity), before);
      return;
    }
    this.options.exchange.cancel(order);
    const contract = this.options.contracts.contractOf(order.contract);
    this.#observeOrder("cancel", order, contract, persona);
    this.#observeBook(contract);
    persona.onAccepted(reference);
    this.#closed(order);
  }

  #answer(
    participant: Participant,
    { kind, reference }: PersonaAction,
    answer: Acceptance,
    before: ContractBook,
  ): void {
    if (!answer.accepted) return participant.persona.onRefused(reference, kind, answer.code);
    const { order, trades } = answer;
    if (kind === "submit") {
      participant.keys.set(reference, order.key);
      this.#owners.set(order.key, { participant, reference });
    }
    const contract = this.options.contracts.contractOf(order.contract);
    this.#observeOrder(kind === "submit" ? "submit" : "change", order, contract, participant.persona);
    if (trades.length === 0) this.#publish(order, order.price, remainingOf(order), false, before);
    this.#traded(trades, before);
    this.#observeBook(contract);
    participant.persona.onAccepted(reference);
  }

  #dropFilled(order: ReadonlyOrder): void {
    if (remainingOf(order) === 0 && this.#owners.has(order.key)) this.#takeOwner(order);
  }

  /** `before`: see #traded. */
  #publish(order: ReadonlyOrder, price: number, quantity: number, isTrade: boolean, before: ContractBook | null): void {
    const { contracts, population: { listeners } } = this.options;
    const contract = contracts.contractOf(order.contract);
    if (!listeners.isHeard(contract, isTrade)) return;
    const update = { contract, side: order.side, price, quantity, isTrade };
    this.#bookBefore = before ?? contracts.book(contract);
    listeners.publish(update, this.#view);
    this.#bookBefore = null;
  }

  #observeOrder(action: OrderAction, order: ReadonlyOrder, contract: TradedContract, persona: Trader): void {
    this.options.observer?.onOrder(this.time, action, order, contract, persona);
  }

  #observeBook(contract: TradedContract): void {
    this.options.observer?.onBook(this.time, contract, this.options.contracts.stateOf(contract).book);
  }

  #createView(): PersonaView {
    const time = () => this.time;
    const isExhausted = () =>
      this.#acting !== null && this.options.exchange.isCreditExhausted(this.#acting.persona.entityId);
    return {
      get time() {
        return time();
      },
      get creditExhausted() {
        return isExhausted();
      },
      book: (contract) => this.#bookBefore ?? this.options.contracts.book(contract),
      isOpen: (contract) => this.options.exchange.isOpen(this.options.contracts.stateOf(contract)),
    };
  }

  #assignmentOf(order: ReadonlyOrder) {
    const { participant, reference } = this.#ownerOf(order);
    return participant.persona.assignmentOf(reference);
  }

  #ownerOf({ key, userId }: ReadonlyOrder): OrderOwner {
    const owner = this.#owners.get(key);
    if (owner !== undefined) return owner;
    const persona = this.options.strangers?.(userId);
    if (persona === undefined) throw new Error(`nobody owns order ${key}`);
    return { participant: { persona, keys: new Map() }, reference: key };
  }

  /** The order has ended. */
  #takeOwner(order: ReadonlyOrder): OrderOwner {
    const owner = this.#ownerOf(order);
    this.#owners.delete(order.key);
    owner.participant.keys.delete(owner.reference);
    return owner;
  }
}
