// The contracts of a headless run on the exchange, and as personas see them.

import type { ReadonlyContract } from "../../engine/embedded/read-only.ts";
import { BUY, SELL } from "../../protocol/sides.ts";
import type { ContractBook } from "../personas/persona.ts";
import { type TradedContract, tradedContract } from "../personas/traded-contract.ts";

interface Entry {
  readonly contract: TradedContract;
  readonly state: ReadonlyContract;
}

export class ContractTable {
  readonly #bySerial = new Map<number, Entry>();

  add(state: ReadonlyContract): TradedContract {
    const contract = tradedContract(state.serial, state.definition, state.product);
    this.#bySerial.set(state.serial, { contract, state });
    return contract;
  }

  remove({ index }: TradedContract): void {
    this.#bySerial.delete(index);
  }

  contractOf({ serial }: ReadonlyContract): TradedContract {
    return this.#entry(serial).contract;
  }

  stateOf({ index }: TradedContract): ReadonlyContract {
    return this.#entry(index).state;
  }

  book(contract: TradedContract): ContractBook {
    const { book, lastPrice } = this.stateOf(contract);
    return { bestBid: book.bestPrice(BUY), bestAsk: book.bestPrice(SELL), lastPrice };
  }

  #entry(serial: number): Entry {
    const entry = this.#bySerial.get(serial);
    if (entry === undefined) throw new Error(`no contract has the serial number ${serial}`);
    return entry;
  }
}
