// CREDIT modules as tool results: limits with their unit, and used and available notional credit.
//
// Notional is dollars. A limit of scope total applies to all open trades with the counterparty, a limit of scope
// per_contract to those of one contract. Use of a notional limit is after its margin percent.

import { z } from "zod";
import {
  CREDIT_LIMIT_SCOPES,
  CREDIT_LIMIT_TYPES,
  type CreditLimit,
  type CreditLimitType,
  type ModuleData,
} from "../../protocol/modules/registry.ts";

const UNITS: Readonly<Record<CreditLimitType, string>> = { notional: "dollars", mw: "MW", mwh: "MWh" };

/** One configured limit and its use. */
export const limitConfig = z.looseObject({
  counterpartyId: z.string().describe("Entity the credit is granted to"),
  limitType: z.enum(CREDIT_LIMIT_TYPES).describe("What is limited"),
  scope: z.enum(CREDIT_LIMIT_SCOPES).describe("All open trades, or those of one contract"),
  contractId: z.string().nullable().describe("The contract, if scope is per_contract"),
  limit: z.number().describe("The limit, in unit"),
  value: z.number().describe("The same as limit"),
  unit: z.string().describe("dollars, MW or MWh"),
  marginPercent: z.number().describe("Percent of face value that counts as used, for notional limits"),
  used: z.number().describe("Used by open trades, in unit"),
  available: z.number().describe("limit - used, in unit; negative if the limit was lowered below used"),
});

export function limitConfigOf(counterpartyId: string, limit: CreditLimit): z.input<typeof limitConfig> {
  return { counterpartyId, ...limit, value: limit.limit, unit: UNITS[limit.limitType] };
}

/** Notional credit for one counterparty, in dollars. */
export const counterpartyCredit = z.looseObject({
  counterpartyId: z.string().describe("Entity the credit is granted to"),
  creditLimit: z.number().nullable().describe("Notional limit of scope total, dollars; null if none is set"),
  usedCredit: z.number().describe(
    "Used by open trades, dollars, after the margin percent; at face value if no such limit is set",
  ),
  availableCredit: z.number().nullable().describe("creditLimit - usedCredit, dollars; null if no limit is set"),
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

/** Sum in dollars, rounded to a millionth to drop floating-point error. */
export function sumOfDollars(amounts: readonly number[]): number {
  return Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 1e6) / 1e6;
}
