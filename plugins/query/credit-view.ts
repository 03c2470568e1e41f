// How CREDIT modules read in tool results: limits with their unit, and what is used and left of the notional credit.
//
// Notional is dollars. A limit of scope total holds for all open trades with the counterparty, one of scope per_contract
// for those of one contract. What is used of a notional limit is after its margin percent (design, Credit).

import { z } from "zod";
import {
  CREDIT_LIMIT_SCOPES,
  CREDIT_LIMIT_TYPES,
  type CreditLimit,
  type CreditLimitType,
  type ModuleData,
} from "../../protocol/modules/registry.ts";

const UNITS: Readonly<Record<CreditLimitType, string>> = { notional: "dollars", mw: "MW", mwh: "MWh" };

/** One configured limit, with its use. */
export const limitConfig = z.looseObject({
  counterpartyId: z.string().describe("Entity the credit is granted to"),
  limitType: z.enum(CREDIT_LIMIT_TYPES).describe("What is limited"),
  scope: z.enum(CREDIT_LIMIT_SCOPES).describe("All open trades, or those of one contract"),
  contractId: z.string().nullable().describe("The contract, where scope is per_contract"),
  limit: z.number().describe("The limit, in unit"),
  value: z.number().describe("The same as limit"),
  unit: z.string().describe("dollars, MW or MWh"),
  marginPercent: z.number().describe("Percent of face value that counts as used, for notional limits"),
  used: z.number().describe("What open trades use of it, in unit"),
  available: z.number().describe("limit - used, in unit; negative where it was lowered below what is used"),
});

export function limitConfigOf(counterpartyId: string, limit: CreditLimit): z.input<typeof limitConfig> {
  return { counterpartyId, ...limit, value: limit.limit, unit: UNITS[limit.limitType] };
}

/** Notional credit for one counterparty, in dollars. */
export const counterpartyCredit = z.looseObject({
  counterpartyId: z.string().describe("Entity the credit is granted to"),
  creditLimit: z.number().nullable().describe("Notional limit of scope total, dollars; null where none is set"),
  usedCredit: z.number().describe(
    "What open trades use of it, dollars, after the margin percent; at face value where no such limit is set",
  ),
  availableCredit: z.number().nullable().describe("creditLimit - usedCredit, dollars; null where none is set"),
});

export function counterpartyCreditOf(credit: ModuleData<"CREDIT">): z.output<typeof counterpartyCredit> {
  const limit = credit.limits.find(({ limitType, scope }) => limitType === "notional" && scope === "total");
  return {
    counterpartyId: credit.counterpartyId,
    creditLimit: limit?.limit ?? null,
    usedCredit: limit?.used ?? credit.usedNotional,
    availableCredit: limit?.available ?? null,
  };
}

/** A sum of dollars without the noise of binary fractions, which is below a millionth. */
export function sumOfDollars(amounts: readonly number[]): number {
  return Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 1e6) / 1e6;
}
