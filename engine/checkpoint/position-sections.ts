// The sections of a checkpoint for positions, marks and settled results. Large integers are written as text.

import { exactFrom } from "../market/exact-integer.ts";
import type { EngineState } from "../state/engine-state.ts";
import type { ContractState } from "../state/market-state.ts";
import { restoreUserPosition } from "../state/open-orders.ts";
import { required } from "../state/required.ts";
import { paired, type Section } from "./section.ts";

/** A user's net position in a contract, in kW. What open orders add to it follows from the orders. */
type SavedUserPosition = readonly [contract: number, userId: string, net: number];

export const USER_POSITIONS: Section<SavedUserPosition> = {
  *write(state) {
    for (const { key, userPositions } of contractsIn(state)) {
      const held = [...userPositions].filter(([, { net }]) => net !== 0).sort(([a], [b]) => a.id < b.id ? -1 : 1);
      for (const [{ id }, { net }] of held) yield [key, id, net];
    }
  },
  read(state, [contract, userId, net]) {
    restoreUserPosition(contractAt(state, contract), required(state.users.get(userId), `user ${userId}`), net);
  },
};

/** An entity's position in a contract: kW, and cents/MWh x kW x min. */
type SavedEntityPosition = readonly [
  contract: number,
  party: number,
  net: number,
  bought: number,
  sold: number,
  cash: string,
  cost: string,
];

export const ENTITY_POSITIONS: Section<SavedEntityPosition> = {
  *write(state) {
    for (const { key, entityPositions } of contractsIn(state)) {
      for (const [party, { net, bought, sold, cash, cost }] of entityPositions) {
        yield [key, party, net, bought, sold, String(cash), String(cost)];
      }
    }
  },
  read(state, [contract, party, net, bought, sold, cash, cost]) {
    const position = { net, bought, sold, cash: exactFrom(cash), cost: exactFrom(cost) };
    contractAt(state, contract).entityPositions.set(party, position);
  },
};

/** Only contracts for which prices were published. */
export const SPOT_PRICES: Section<readonly [contract: number, sum: string, count: number]> = {
  *write(state) {
    for (const { key, spotPrices: { sum, count } } of contractsIn(state)) {
      if (count > 0) yield [key, String(sum), count];
    }
  },
  read(state, [contract, sum, count]) {
    Object.assign(contractAt(state, contract).spotPrices, { sum: exactFrom(sum), count });
  },
};

/** One item, with the results of each entity. */
export const SETTLED: Section<readonly (readonly [contracts: number, cash: string, profit: string])[]> = {
  write: ({ parties }) => [
    parties.map(({ settled: { contracts, cash, profit } }) => [contracts, String(cash), String(profit)] as const),
  ],
  read({ parties }, items) {
    for (const [{ settled }, [contracts, cash, profit]] of paired(parties, items, "entities")) {
      Object.assign(settled, { contracts, cash: exactFrom(cash), profit: BigInt(profit) });
    }
  },
};

function* contractsIn({ contractsByKey }: EngineState): Generator<ContractState, void, undefined> {
  for (const contract of contractsByKey) if (contract !== undefined) yield contract;
}

function contractAt({ contractsByKey }: EngineState, key: number): ContractState {
  return required(contractsByKey[key], `contract ${key}`);
}
