// CREDIT modules as tool results: limits with their unit, and used and available credit.
//
// Notional is dollars. A limit of scope total applies to all open trades with the counterparty, a limit of scope
// per_contract to those of one contract. Use of a notional limit is after its margin percent.

import { z } from "zod";
import {
  CREDIT_LIMIT_UNITS,
  type CreditLimit,
  type CreditLimitType,
  type ModuleData,
} from "../../protocol/modules/registry.ts";
import { creditReason } from "./credit-reasons.ts";

/** One configured limit and its use, in `unit`: dollars, MW or MWh. */
export const limitConfig = z.looseObject({
  counterpartyId: z.string(),
  limitType: z.string(),
  scope: z.string(),
  contractId: z.string().nullable(),
  limit: z.number(),
  value: z.number(),
  unit: z.string(),
  marginPercent: z.number(),
  used: z.number(),
  available: z.number(),
}).partial();

export function limitConfigOf(counterpartyId: string, limit: CreditLimit): z.input<typeof limitConfig> {
  return { counterpartyId, ...limit, value: limit.limit, unit: CREDIT_LIMIT_UNITS[limit.limitType] };
}

/** Credit for one counterparty, in dollars, MW and MWh. */
export const counterpartyCredit = z.looseObject({
  counterpartyId: z.string(),
  tradable: z.boolean(),
  reason: z.string().nullable(),
  documentation: z.unknown().describe("entity, counterparty"),
  available: z.unknown().describe("notional, mw, mwh: least left of the total limits"),
  creditLimit: z.number().nullable(),
  usedCredit: z.number(),
  availableCredit: z.number().nullable(),
}).partial();

export function counterpartyCreditOf(credit: ModuleData<"CREDIT">) {
  const limit = credit.limits.find(({ limitType, scope }) => limitType === "notional" && scope === "total");
  return {
    counterpartyId: credit.counterpartyId,
    tradable: credit.tradable,
    reason: creditReason(credit),
    documentation: { entity: credit.documentation, counterparty: credit.counterpartyDocumentation },
    available: {
      notional: leastAvailable(credit, "notional"),
      mw: leastAvailable(credit, "mw"),
      mwh: leastAvailable(credit, "mwh"),
    },
    creditLimit: limit?.limit ?? null,
    usedCredit: limit?.used ?? credit.usedNotional,
    availableCredit: limit?.available ?? null,
  };
}

/** Of the limits of scope total, in their unit. */
function leastAvailable({ limits }: ModuleData<"CREDIT">, type: CreditLimitType): number | null {
  const available = limits.filter(({ limitType, scope }) => limitType === type && scope === "total")
    .map((limit) => limit.available);
  return available.length === 0 ? null : Math.min(...available);
}

/** Sum in dollars, rounded to a millionth to drop floating-point error. */
export function sumOfDollars(amounts: readonly number[]): number {
  return Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 1e6) / 1e6;
}
