// The sections of a checkpoint for the market itself. Markets, listings and entities come in the definition's order.

import { addContract } from "../state/contract-list.ts";
import type { EngineState, RecordedRejections } from "../state/engine-state.ts";
import type { ContractState, MarketState } from "../state/market-state.ts";
import type { EntityState } from "../state/party-state.ts";
import { required } from "../state/required.ts";
import { paired, pick, type Section } from "./section.ts";

const NUMBER_FIELDS = ["epoch", "sequence", "now", "realNow", "clock"] as const;

export const NUMBERS: Section<Pick<EngineState, typeof NUMBER_FIELDS[number] | "counters">> = {
  write: ({ counters, ...state }) => [{ ...pick(state, NUMBER_FIELDS), counters: { ...counters } }],
  read(state, { counters, ...numbers }) {
    Object.assign(state, numbers);
    Object.assign(state.counters, counters);
  },
};

export const MARKETS: Section<readonly Pick<MarketState, "session" | "halted" | "haltReason">[]> = {
  write: ({ markets }) => [[...markets.values()].map((market) => pick(market, ["session", "halted", "haltReason"]))],
  read(state, items) {
    for (const [market, item] of paired([...state.markets.values()], items, "markets")) Object.assign(market, item);
  },
};

/** When each listing rule lists next. */
export const LISTINGS: Section<readonly number[]> = {
  write: ({ listings }) => [listings.map(({ next }) => next)],
  read(state, times) {
    for (const [listing, next] of paired(state.listings, times, "listings")) listing.next = next;
    state.nextListing = Math.min(Infinity, ...times);
  },
};

const CONTRACT_FIELDS = [
  "key",
  "serial",
  "definition",
  "expired",
  "delivered",
  "lastPrice",
  "tradedQuantity",
  "bookUpdatedAt",
  "queueUpdatedAt",
] as const;

/** In the order of listing. */
export const CONTRACTS: Section<Pick<ContractState, typeof CONTRACT_FIELDS[number]>> = {
  write: ({ contracts }) => contracts.values().map((contract) => pick(contract, CONTRACT_FIELDS)),
  read(state, { key, serial, definition, ...rest }) {
    state.deadlines.add(Object.assign(addContract(state, definition, { key, serial }), rest));
  },
};

/** Which users are connected. The credit status follows from other sections: earlier versions with this format read it. */
export const PARTIES: Section<{
  readonly creditStatus: readonly EntityState["creditStatus"][];
  readonly connectedUsers: readonly string[];
}> = {
  write: ({ parties, users }) => [{
    creditStatus: parties.map(({ creditStatus }) => creditStatus),
    connectedUsers: [...users.values()].filter(({ connected }) => connected).map(({ id }) => id),
  }],
  read({ parties, users }, { creditStatus, connectedUsers }) {
    // Checks that the checkpoint belongs to the definition.
    paired(parties, creditStatus, "entities");
    for (const userId of connectedUsers) required(users.get(userId), `user ${userId}`).connected = true;
  },
};

export const REJECTIONS: Section<readonly [userId: string, RecordedRejections]> = {
  write: ({ rejections }) => rejections,
  read({ rejections }, [userId, recorded]) {
    rejections.set(userId, { ...recorded });
  },
};
