// Which personas are told of the trades and quotes in which contracts. A persona listens while a market update may change
// what it does. Updates reach listeners in the order in which they began to listen.
//
// Cost of an update: one call for each listener of its contract and kind.

import type { ContractUpdate, MarketWindow, Persona } from "./persona.ts";
import type { TradedContract } from "./traded-contract.ts";

/** trades: only trades; quotes: trades and quotes. */
export type Hearing = "trades" | "quotes";

type Listener = Pick<Persona, "onMarketUpdate">;

export class MarketListeners {
  /** By the contract's index; listeners of quotes are in both sets. */
  readonly #trades = new Map<number, Set<Listener>>();
  readonly #quotes = new Map<number, Set<Listener>>();
  readonly #all = new Set<Listener>();

  listen(contract: TradedContract, listener: Listener, hearing: Hearing): void {
    setAt(this.#trades, contract).add(listener);
    if (hearing === "quotes") setAt(this.#quotes, contract).add(listener);
  }

  ignore({ index }: TradedContract, listener: Listener): void {
    this.#trades.get(index)?.delete(listener);
    this.#quotes.get(index)?.delete(listener);
  }

  /** Listens to every contract, after those who listen to one. */
  listenToAll(listener: Listener): void {
    this.#all.add(listener);
  }

  /** The contract is no longer traded. */
  forget({ index }: TradedContract): void {
    this.#trades.delete(index);
    this.#quotes.delete(index);
  }

  /** Whether anybody would be told. */
  isHeard({ index }: TradedContract, isTrade: boolean): boolean {
    const listeners = (isTrade ? this.#trades : this.#quotes).get(index);
    return this.#all.size > 0 || (listeners !== undefined && listeners.size > 0);
  }

  publish(update: ContractUpdate, window: MarketWindow): void {
    const listeners = (update.isTrade ? this.#trades : this.#quotes).get(update.contract.index);
    if (listeners !== undefined) { for (const listener of listeners) listener.onMarketUpdate(update, window); }
    for (const listener of this.#all) listener.onMarketUpdate(update, window);
  }
}

function setAt(byContract: Map<number, Set<Listener>>, { index }: TradedContract): Set<Listener> {
  let listeners = byContract.get(index);
  if (listeners === undefined) byContract.set(index, listeners = new Set());
  return listeners;
}
