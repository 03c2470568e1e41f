// Format 6: a checkpoint has each entity's position and money in each contract, published spot prices, and settled results.
//
// The positions follow from the trades. A checkpoint has the newest 10,000 of them, so a contract with older trades can't be
// upgraded: its profits would be wrong. Spot prices were not counted before, and nothing was settled: both begin
// with the upgrade.

import { addToAccount, emptyAccount, type PositionAccount } from "../../market/position-account.ts";
import { minutesOf } from "../../market/units.ts";
import { withoutRefusals, withSections } from "./early-parts.ts";
import { changeSections, type SavedSection } from "./sections.ts";
import { type JsonObject, NotUpgradable, type UpgradeStep } from "./journal-content.ts";

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
  *parts(parts, header) {
    const { entities } = header["definition"] as { readonly entities: readonly { readonly id: string }[] };
    const positions = new TradedPositions(entities.map(({ id }) => id));
    let isTold = false;
    const inSections = changeSections(withSections(parts), ([name, items]): readonly SavedSection[] => {
      if (name === "contracts") { for (const item of items) positions.addContract(item as Contract); }
      if (name === "trades") { for (const item of items) positions.addTrade(item as Trade); }
      return [[name === "positions" ? "userPositions" : name, items]];
    });
    for (const part of inSections) {
      // All trades are read: only operations follow.
      if (!isTold && part["kind"] !== "state" && part["kind"] !== "host") {
        isTold = true;
        yield positions.part();
      }
      yield part;
    }
    if (!isTold) yield positions.part();
  },
  record: withoutRefusals,
};

class TradedPositions {
  readonly #byContract = new Map<
    string,
    { readonly contract: Contract; readonly accounts: Map<number, PositionAccount> }
  >();

  constructor(readonly parties: readonly string[]) {}

  addContract(contract: Contract): void {
    this.#byContract.set(contract.definition.id, { contract, accounts: new Map() });
  }

  addTrade({ contractId, buyEntityId, sellEntityId, price, quantity }: Trade): void {
    const traded = this.#byContract.get(contractId);
    if (traded === undefined) return;
    const { contract: { definition }, accounts } = traded;
    const kilowatts = Math.round(quantity * 1000);
    const minutes = minutesOf(definition.hours);
    for (const [side, entityId] of [[0, buyEntityId], [1, sellEntityId]] as const) {
      const account = accounts.getOrInsertComputed(this.parties.indexOf(entityId), emptyAccount);
      addToAccount(account, side, price, kilowatts, minutes);
    }
  }

  part(): JsonObject {
    const items: unknown[] = [];
    for (const { contract, accounts } of this.#byContract.values()) {
      let bought = 0;
      for (const [party, account] of accounts) {
        bought += account.bought;
        const { net, sold, cash, cost } = account;
        items.push([contract.key, party, net, account.bought, sold, String(cash), String(cost)]);
      }
      if (bought !== contract.tradedQuantity) {
        throw new NotUpgradable(
          `of contract ${contract.definition.id} it has trades of ${bought / 1000} MW, but ${
            contract.tradedQuantity / 1000
          } MW were traded, so positions and profits can't be computed`,
        );
      }
    }
    return { kind: "state", sections: [["entityPositions", items]] satisfies SavedSection[] };
  }
}
