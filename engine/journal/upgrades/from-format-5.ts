// Format 6: a checkpoint has each entity's position and money in each contract, published spot prices, and settled results.
//
// The positions follow from the trades. A checkpoint has the newest 10,000 of them. If a contract has older ones, the fills
// of the audit trail count instead. If that lacks some too, the upgrade is refused: profits would be wrong. Spot prices
// were not counted before, and nothing was settled: both begin with the upgrade.

import { addToAccount, emptyAccount, type PositionAccount } from "../../market/position-account.ts";
import { BUY, SELL, type Side } from "../../market/order-book.ts";
import { minutesOf } from "../../market/units.ts";
import { withoutRefusals, withSections } from "./early-parts.ts";
import { changeSections, type SavedSection } from "./sections.ts";
import { NotUpgradable, type PastFills, type UpgradeStep } from "./journal-content.ts";

interface Contract {
  readonly key: number;
  readonly definition: { readonly id: string; readonly hours: number };
  /** kW. */
  readonly tradedQuantity: number;
}

interface Trade {
  readonly contractId: string;
  readonly buyEntityId: string;
  readonly sellEntityId: string;
  readonly price: number;
  /** MW. */
  readonly quantity: number;
}

export const FROM_FORMAT_5: UpgradeStep = {
  *parts(parts, header, pastFills) {
    const { entities } = header["definition"] as { readonly entities: readonly { readonly id: string }[] };
    const parties = entities.map(({ id }) => id);
    const byContract = new Map<string, TradedPositions>();
    const inSections = changeSections(withSections(parts), ([name, items]): readonly SavedSection[] => {
      if (name === "contracts") {
        for (const item of items as Contract[]) byContract.set(item.definition.id, new TradedPositions(item, parties));
      }
      if (name === "trades") {
        for (const { contractId, buyEntityId, sellEntityId, price, quantity } of items as Trade[]) {
          byContract.get(contractId)?.add(BUY, buyEntityId, price, quantity);
          byContract.get(contractId)?.add(SELL, sellEntityId, price, quantity);
        }
      }
      return [[name === "positions" ? "userPositions" : name, items]];
    });
    let isTold = false;
    const told = () => {
      isTold = true;
      complete(byContract, pastFills);
      const items = [...byContract.values()].flatMap((positions) => [...positions.saved()]);
      return { kind: "state", sections: [["entityPositions", items]] };
    };
    for (const part of inSections) {
      // Only operations follow the state.
      if (!isTold && part["kind"] !== "state" && part["kind"] !== "host") yield told();
      yield part;
    }
    if (!isTold) yield told();
  },
  record: withoutRefusals,
};

/** Computes the positions of contracts that lack trades from all their fills. */
function complete(byContract: ReadonlyMap<string, TradedPositions>, pastFills: PastFills): void {
  const incomplete = new Map([...byContract].filter(([, { isComplete }]) => !isComplete));
  const fills = incomplete.size === 0 ? null : pastFills();
  if (fills === null) return;
  for (const positions of incomplete.values()) positions.accounts = new Map();
  for (const { contractId, entityId, side, price, quantity } of fills) {
    incomplete.get(contractId)?.add(side, entityId, price, quantity);
  }
}

/** The positions in one contract. */
class TradedPositions {
  accounts = new Map<number, PositionAccount>();

  constructor(readonly contract: Contract, readonly parties: readonly string[]) {}

  add(side: Side, entityId: string, price: number, megawatts: number): void {
    const account = this.accounts.getOrInsertComputed(this.parties.indexOf(entityId), emptyAccount);
    const { hours } = this.contract.definition;
    addToAccount(account, side, price, Math.round(megawatts * 1000), minutesOf(hours));
  }

  /** kW that the trades account for. */
  get quantity(): number {
    return this.accounts.values().reduce((sum, { bought }) => sum + bought, 0);
  }

  get isComplete(): boolean {
    return this.quantity === this.contract.tradedQuantity;
  }

  *saved(): Generator<readonly unknown[], void, undefined> {
    if (!this.isComplete) {
      const { definition: { id }, tradedQuantity } = this.contract;
      throw new NotUpgradable(
        `of contract ${id} it has trades of ${this.quantity / 1000} MW, but ${tradedQuantity / 1000} MW were traded, ` +
          "so positions and profits can't be computed",
      );
    }
    for (const [party, { net, bought, sold, cash, cost }] of this.accounts) {
      yield [this.contract.key, party, net, bought, sold, String(cash), String(cost)];
    }
  }
}
