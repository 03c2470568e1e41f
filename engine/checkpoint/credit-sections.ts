// The sections of a checkpoint for credit.

import { exactFrom } from "../market/exact-integer.ts";
import type { DocumentationStatus } from "../market/credit-terms.ts";
import type { LimitTerms } from "../market/credit-limit.ts";
import type { EngineState, PairState } from "../state/engine-state.ts";
import { paired, pick, type Section } from "./section.ts";

interface SavedPair extends Pick<PairState, "notes" | "updatedAt"> {
  readonly documentation: DocumentationStatus;
  readonly limits: readonly LimitTerms[];
}

/** What each entity grants and notes, by party x parties + counterparty. */
export const PAIRS: Section<readonly SavedPair[]> = {
  write: (state) => [
    state.pairs.map(({ notes, updatedAt }, index) => {
      const [party, counterparty] = partiesOf(state, index);
      const documentation = state.ledger.documentation(party, counterparty);
      const limits = state.ledger.limits(party, counterparty)
        .map((limit) => pick(limit, ["limitType", "contract", "limit", "marginPercent"]));
      return { notes, updatedAt, documentation, limits };
    }),
  ],
  read(state, items) {
    for (const [index, [pair, item]] of paired(state.pairs, items, "pairs").entries()) {
      const [party, counterparty] = partiesOf(state, index);
      pair.notes = item.notes;
      pair.updatedAt = item.updatedAt;
      state.ledger.setDocumentation(party, counterparty, item.documentation);
      state.ledger.replaceLimits(party, counterparty, item.limits);
    }
  },
};

function partiesOf({ parties }: EngineState, index: number): [party: number, counterparty: number] {
  return [Math.floor(index / parties.length), index % parties.length];
}

/** What the open trades of a contract use between two parties: kW, kW x min and cents/MWh x kW x min. */
type SavedUsage = readonly [
  contract: number,
  party: number,
  counterparty: number,
  quantity: string,
  energy: string,
  notional: string,
];

export const USAGE: Section<SavedUsage> = {
  *write({ contractsByKey, ledger }) {
    for (const contract of contractsByKey) {
      if (contract === undefined) continue;
      const { key } = contract;
      for (const { party, counterparty, usage } of ledger.contractUsage(key)) {
        yield [key, party, counterparty, String(usage.quantity), String(usage.energy), String(usage.notional)];
      }
    }
  },
  read({ ledger }, [contract, party, counterparty, quantity, energy, notional]) {
    const usage = { quantity: exactFrom(quantity), energy: exactFrom(energy), notional: exactFrom(notional) };
    ledger.addUsage(party, counterparty, contract, usage);
  },
};
