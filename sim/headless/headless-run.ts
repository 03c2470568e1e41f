// A simulation as discrete events, at full speed: personas are woken one after the other at the simulated times that their
// pace gives, and trade on the exchange; spot prices move every five minutes in between. A step is one waking.
//
// Nothing here reads a clock or waits, and all chance comes from the seed, so that the same market, start, preset, spot
// prices and number of steps give the same run, byte for byte.
//
// Invariants, which `holdings` lets a test check: positions in each contract sum to zero over all personas, and so does
// their cash.

import type { MarketDefinition } from "../definition/market-definition.ts";
import type { ContractState } from "../engine/state/engine-state.ts";
import { BUY, SELL } from "../market/order-book.ts";
import { Assignments } from "../personas/assignments.ts";
import { createPersonas } from "../personas/create-personas.ts";
import { Forecasts } from "../personas/forecasts.ts";
import { LiquidityProfile } from "../personas/liquidity-profile.ts";
import type { ContractBook, Persona, PersonaAction, PersonaView } from "../personas/persona.ts";
import type { Preset } from "../personas/presets.ts";
import { markPrice, RunMetrics } from "../personas/run-metrics.ts";
import { type TradedContract, tradedContract } from "../personas/traded-contract.ts";
import type { SpotPrices } from "../spot/spot-prices.ts";
import { Exchange } from "./exchange.ts";
import type { Acceptance, ExchangeOrder, ExchangeTrade } from "./exchange-order.ts";
import { SpotSchedule } from "./spot-schedule.ts";
import { WakeQueue } from "./wake-queue.ts";

export interface HeadlessRunOptions {
  readonly definition: MarketDefinition;
  /** Simulated time at which it begins, in milliseconds since the epoch. */
  readonly startTime: number;
  readonly seed: number;
  readonly preset: Preset;
  /** As of the start; the run moves them on. */
  readonly spot: SpotPrices;
}

interface Seat {
  readonly persona: Persona;
  readonly party: number;
  /** Keys of its orders on the exchange, by the persona's references. */
  readonly keys: Map<number, number>;
}

interface Owner {
  readonly seat: Seat;
  readonly reference: number;
}

type Order = ExchangeOrder<Owner>;
type Trade = ExchangeTrade<Owner>;

export class HeadlessRun {
  readonly personas: readonly Persona[];
  readonly metrics: RunMetrics;
  readonly forecasts: Forecasts;
  readonly #options: HeadlessRunOptions;
  readonly #exchange: Exchange<Owner>;
  /** By serial, with their states on the exchange. */
  readonly #contracts = new Map<number, { readonly contract: TradedContract; readonly state: ContractState }>();
  readonly #profile: LiquidityProfile;
  readonly #seats: readonly Seat[];
  readonly #queue: WakeQueue;
  readonly #spot: SpotSchedule;
  readonly #view: PersonaView;
  /** Whose turn it is. */
  #acting: Seat | null = null;
  /** While a market update is delivered: the book from before it, shown in place of the book. */
  #bookBefore: ContractBook | null = null;
  #time: number;
  /** Of the exchange. */
  #nextDeadline: number;
  #steps = 0;

  constructor(options: HeadlessRunOptions) {
    const { definition, startTime, seed, preset, spot } = options;
    this.#options = options;
    this.#time = startTime;
    this.#spot = new SpotSchedule(spot, preset.spotEvents, startTime);
    this.forecasts = new Forecasts(spot);
    this.#exchange = new Exchange(definition, startTime);
    this.#nextDeadline = this.#exchange.nextDeadline;
    this.#profile = new LiquidityProfile(spot.nodes, preset.contractsPerProduct);
    for (const state of this.#exchange.contracts) this.#list(state);
    const assignments = new Assignments();
    this.metrics = new RunMetrics(assignments);
    const { users } = definition;
    const { personas: groups } = preset;
    this.personas = createPersonas({ users, groups, settings: preset, profile: this.#profile, assignments, seed });
    this.#seats = this.personas.map((persona) => ({
      persona,
      party: this.#exchange.partyOf(persona.entityId),
      keys: new Map(),
    }));
    this.#view = this.#makeView();
    this.#queue = new WakeQueue(this.#seats.length);
    this.#seats.forEach(({ persona }, index) => this.#queue.add(index, startTime + persona.nextDelayMs()));
  }

  /** Simulated, in milliseconds since the epoch. */
  get time(): number {
    return this.#time;
  }

  /** Taken so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Orders that rest on the exchange. */
  get openOrders(): number {
    return this.#exchange.openOrders;
  }

  /** Every contract of the market now, in the order of listing. */
  get contracts(): TradedContract[] {
    return [...this.#contracts.values()].map(({ contract }) => contract);
  }

  /** The contracts that personas turn to now. */
  get tradedNow(): readonly TradedContract[] {
    return this.#profile.at(this.#time);
  }

  /** Takes so many steps more. */
  advance(steps: number): void {
    for (let count = 0; count < steps; count++) this.#step();
  }

  book(contract: TradedContract): ContractBook {
    const { book, lastPrice } = this.#stateOf(contract);
    return { bestBid: book.bestPrice(BUY), bestAsk: book.bestPrice(SELL), lastPrice };
  }

  /** What positions in a contract are valued at now. */
  markPrice(contract: TradedContract): number {
    return markPrice(this.book(contract), this.forecasts.of(contract), contract.deliveryStart <= this.#time);
  }

  #step(): void {
    const wakeTime = this.#queue.nextTime;
    this.#moveSpotTo(wakeTime);
    this.#passTo(wakeTime);
    const index = this.#queue.take();
    const seat = this.#seats[index];
    if (seat === undefined) throw new Error(`no persona ${index}`);
    this.#acting = seat;
    for (const action of seat.persona.act(this.#view)) this.#carryOut(seat, action);
    this.#acting = null;
    this.#queue.add(index, wakeTime + seat.persona.nextDelayMs());
    this.#steps += 1;
  }

  /** Lets spot prices pass through every point up to a time. */
  #moveSpotTo(time: number): void {
    while (this.#spot.nextTime <= time) {
      const isFirst = this.#spot.nextTime === this.#options.startTime;
      this.#passTo(this.#spot.nextTime);
      this.#spot.advance();
      this.forecasts.forget();
      if (!isFirst) this.#lookAtBooks();
    }
  }

  #lookAtBooks(): void {
    for (const contract of this.tradedNow) this.metrics.onBook(this.book(contract), this.forecasts.of(contract));
  }

  #passTo(time: number): void {
    this.#time = time;
    while (this.#nextDeadline <= time) {
      const { changes, expired, trades } = this.#exchange.passDeadline();
      this.#nextDeadline = this.#exchange.nextDeadline;
      for (const { owner: { seat, reference } } of expired) {
        seat.keys.delete(reference);
        seat.persona.onClosed(reference);
      }
      for (const trade of trades) this.#settle(trade, this.book(this.#contractOf(trade.resting)));
      for (const { kind, contract } of changes) {
        if (kind === "listed") this.#list(contract);
        else this.#takeAway(kind, contract);
      }
    }
  }

  #list(state: ContractState): void {
    const contract = tradedContract(state.serial, state.definition, state.product);
    this.#contracts.set(contract.index, { contract, state });
    if (!state.expired) this.#profile.add(contract);
  }

  #takeAway(kind: "expired" | "removed", { serial }: ContractState): void {
    const contract = this.#contracts.get(serial)?.contract;
    if (contract === undefined) return;
    this.#profile.remove(contract);
    if (kind === "removed") this.#contracts.delete(serial);
    const price = () => Math.round(this.forecasts.of(contract));
    for (const persona of this.personas) {
      if (kind === "removed") persona.onRemoved(contract, price);
      else persona.onDelivery(contract);
    }
  }

  #carryOut(seat: Seat, action: PersonaAction): void {
    const { persona, keys } = seat;
    const { reference } = action;
    if (action.kind === "submit") {
      const { contract, side, price, quantity } = action;
      const before = this.book(contract);
      const state = this.#stateOf(contract);
      const owner = { seat, reference };
      this.#answer(owner, action, this.#exchange.submit(owner, state, seat.party, side, price, quantity), before);
      return;
    }
    const key = keys.get(reference);
    const order = key === undefined ? undefined : this.#exchange.order(key);
    if (order === undefined) return persona.onRefused(reference, action.kind, "not_found");
    if (action.kind === "modify") {
      const before = this.book(this.#contractOf(order));
      const { price, quantity } = action;
      this.#answer(order.owner, action, this.#exchange.modify(order.key, price, quantity), before);
      return;
    }
    this.#exchange.cancel(order.key);
    keys.delete(reference);
    persona.onAccepted(reference);
    persona.onClosed(reference);
  }

  /** Tells everyone of an order or a change that was taken, then those who traded, then the one who sent it. */
  #answer({ seat, reference }: Owner, action: PersonaAction, answer: Acceptance<Owner>, before: ContractBook): void {
    if (!answer.accepted) return seat.persona.onRefused(reference, action.kind, answer.code);
    const { order, trades } = answer;
    seat.keys.set(reference, order.key);
    if (trades.length === 0) {
      const quantity = order.quantity - order.filledQuantity;
      this.#publish(order, order.price, quantity, false, before);
    }
    for (const trade of trades) this.#settle(trade, before);
    seat.persona.onAccepted(reference);
  }

  #settle({ resting, aggressor, price, quantity }: Trade, before: ContractBook): void {
    this.#publish(aggressor, price, quantity, true, before);
    const [buy, sell] = aggressor.side === BUY ? [aggressor, resting] : [resting, aggressor];
    this.metrics.onTrade({
      time: this.#time,
      price,
      quantity,
      fundamental: this.forecasts.of(this.#contractOf(resting)),
      buyer: buy.owner.seat.persona.assignmentOf(buy.owner.reference),
      seller: sell.owner.seat.persona.assignmentOf(sell.owner.reference),
    });
    for (const { owner: { seat, reference }, filledQuantity, quantity: ordered } of [resting, aggressor]) {
      seat.persona.onFill(reference, price, quantity);
      if (filledQuantity === ordered) seat.keys.delete(reference);
    }
  }

  #publish(order: Order, price: number, quantity: number, isTrade: boolean, before: ContractBook): void {
    const update = { contract: this.#contractOf(order), side: order.side, price, quantity, isTrade };
    this.#bookBefore = before;
    for (const { persona } of this.#seats) persona.onMarketUpdate(update, this.#view);
    this.#bookBefore = null;
  }

  #makeView(): PersonaView {
    const time = () => this.#time;
    const isExhausted = () => this.#acting !== null && this.#exchange.isCreditExhausted(this.#acting.party);
    return {
      get time() {
        return time();
      },
      get creditExhausted() {
        return isExhausted();
      },
      book: (contract) => this.#bookBefore ?? this.book(contract),
      isOpen: (contract) => this.#exchange.isOpen(this.#stateOf(contract)),
      forecast: (contract) => this.forecasts.of(contract),
    };
  }

  #stateOf({ index, id }: TradedContract): ContractState {
    const state = this.#contracts.get(index)?.state;
    if (state === undefined) throw new Error(`no contract ${id}`);
    return state;
  }

  #contractOf({ contract: { serial, id } }: Order): TradedContract {
    const contract = this.#contracts.get(serial)?.contract;
    if (contract === undefined) throw new Error(`no contract ${id}`);
    return contract;
  }
}
