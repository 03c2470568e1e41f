// Documents and credit limits. Both are directed: a party grants them to a counterparty.

import { type Limit, limitOf, type LimitTerms } from "./credit-limit.ts";

export type DocumentationStatus = "docs_in_place" | "no_docs" | "pending";

export interface PartyLimit {
  readonly party: number;
  readonly counterparty: number;
  readonly terms: LimitTerms;
}

interface GrantedTerms {
  documentation: DocumentationStatus;
  /** In the order in which they were first set. */
  limits: Limit[];
}

export class CreditTerms {
  readonly #granted: GrantedTerms[];

  constructor(readonly partyCount: number) {
    this.#granted = Array.from({ length: partyCount ** 2 }, () => ({ documentation: "no_docs", limits: [] }));
  }

  of(party: number, counterparty: number): GrantedTerms {
    const granted = this.#granted[party * this.partyCount + counterparty];
    if (granted === undefined) throw new RangeError(`no parties ${party} and ${counterparty}`);
    return granted;
  }

  /** Sets the limit of one type and scope, in place of an earlier one. */
  setLimit(party: number, counterparty: number, terms: LimitTerms): void {
    const { limits } = this.of(party, counterparty);
    const at = limits.findIndex((limit) => limit.limitType === terms.limitType && limit.contract === terms.contract);
    if (at < 0) limits.push(limitOf(terms));
    else limits[at] = limitOf(terms);
  }

  /** Drops the limits on a contract, and returns them by party and counterparty. */
  dropLimitsOn(key: number): PartyLimit[] {
    const dropped: PartyLimit[] = [];
    this.#granted.forEach((granted, at) => {
      const party = Math.floor(at / this.partyCount);
      const counterparty = at % this.partyCount;
      const onContract = granted.limits.filter(({ contract }) => contract === key);
      if (onContract.length === 0) return;
      granted.limits = granted.limits.filter(({ contract }) => contract !== key);
      for (const terms of onContract) dropped.push({ party, counterparty, terms });
    });
    return dropped;
  }
}
