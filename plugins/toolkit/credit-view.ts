// CREDIT modules as tool results: limits with their unit, used and available credit, and whether the two entities can trade.
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
import { ToolError } from "../../core/error.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { CreditReason } from "../../web/contract/credit.ts";

type Credit = ModuleData<"CREDIT">;
type Contract = ModuleData<"CONTRACT">;
type Row = Readonly<Record<string, unknown>>;

/** In `fields`: every property. */
const ALL = "all";
/** Limits and needs are rounded for display, to a ten-thousandth at most. */
const ROUNDING = 1e-7;

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

/** The contracts in one of which two entities that are `tradable` can trade. */
export function listedContracts(snapshot: SnapshotReader): readonly Contract[] {
  return snapshot.find("CONTRACT", { equals: { status: "listed" }, limit: Infinity }).modules;
}

/** `listed`: listedContracts(). */
export function counterpartyCreditOf(credit: Credit, listed: readonly Contract[]) {
  const limit = credit.limits.find(({ limitType, scope }) => limitType === "notional" && scope === "total");
  return {
    counterpartyId: credit.counterpartyId,
    tradable: credit.tradable,
    reason: creditReason(credit, listed),
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

type CounterpartyCredit = ReturnType<typeof counterpartyCreditOf>;

/** Shows the columns in `fields`, or all, of a counterparty's credit. Throws ToolError `invalid_input` for an unknown name. */
export function counterpartyView(fields: readonly string[] | undefined): (credit: CounterpartyCredit) => Row {
  if (fields === undefined || fields.includes(ALL)) return (credit) => credit;
  const unknown = fields.find((name) => !(name in counterpartyCredit.shape));
  if (unknown === undefined) {
    return (credit) => ({
      counterpartyId: credit.counterpartyId,
      ...Object.fromEntries(fields.map((name) => [name, credit[name as keyof CounterpartyCredit]])),
    });
  }
  throw new ToolError(
    "invalid_input",
    `fields: ${JSON.stringify(unknown)} is not a property of creditLimits.`,
    `Choose from ${Object.keys(counterpartyCredit.shape).join(", ")}, or ["${ALL}"].`,
  );
}

/** Of the limits of scope total, in their unit. */
function leastAvailable({ limits }: Credit, type: CreditLimitType): number | null {
  const available = limits.filter(({ limitType, scope }) => limitType === type && scope === "total")
    .map((limit) => limit.available);
  return available.length === 0 ? null : Math.min(...available);
}

/** Sum in dollars, rounded to a millionth to drop floating-point error. */
export function sumOfDollars(amounts: readonly number[]): number {
  return Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 1e6) / 1e6;
}

/**
 * Why the two can't trade any listed contract; null if they can. `entity` is the module's entity. The names are those in
 * `blockedBy` of an order, and `no_contract`. The module does not show the other side's limits, so they are taken as the reason
 * if no other is found.
 */
export function creditReason(credit: Credit, listed: readonly Contract[]): CreditReason | null {
  if (credit.tradable) return null;
  if (credit.documentation !== "docs_in_place") return "entity_documents";
  if (credit.counterpartyDocumentation !== "docs_in_place") return "counterparty_documents";
  if (credit.limits.length === 0) return "entity_no_limit";
  if (listed.length === 0) return "no_contract";
  return listed.some((contract) => leaveLot(credit.limits, contract)) ? "counterparty_limit" : "entity_limit";
}

export function haveDocuments({ documentation, counterpartyDocumentation }: Credit): boolean {
  return documentation === "docs_in_place" && counterpartyDocumentation === "docs_in_place";
}

/** Whether the limits leave one lot of the contract, at the allowed price nearest to 0. */
function leaveLot(limits: readonly CreditLimit[], contract: Contract): boolean {
  const { id, lot, hours, tick, minimumPrice, maximumPrice } = contract;
  const price = Math.max(0, Math.ceil(minimumPrice / tick) * tick, Math.ceil(-maximumPrice / tick) * tick);
  const needed = { mw: lot, mwh: lot * hours, notional: price * lot * hours / 100 };
  const covering = limits.filter(({ contractId }) => contractId === null || contractId === id);
  return covering.length > 0 && covering.every(({ limitType, marginPercent, available }) => {
    const margin = limitType === "notional" ? marginPercent / 100 : 1;
    return available > 0 && available + ROUNDING >= needed[limitType] * margin;
  });
}

/** A sentence: whether the two can trade, else why not and what to do next. */
export function tradableSentence(credit: Credit, listed: readonly Contract[]): string {
  const { entityId, counterpartyId } = credit;
  const cannot = `${entityId} and ${counterpartyId} can't trade:`;
  const byCounterparty = (tool: string) => `a user of ${counterpartyId} with Credit.Manage calls ${tool}`;
  switch (creditReason(credit, listed)) {
    case null:
      return `${entityId} and ${counterpartyId} can trade; their crossed orders trade by themselves, at once in an open market.`;
    case "entity_documents":
      return `${cannot} set docs_in_place for ${counterpartyId} with mkt_set_documentation_status.`;
    case "counterparty_documents":
      return `${cannot} ${counterpartyId} has not set docs_in_place; ${
        byCounterparty("mkt_set_documentation_status")
      }.`;
    case "entity_no_limit":
      return `${cannot} ${entityId} has set no limit for ${counterpartyId}; set one with mkt_set_credit_limit.`;
    case "entity_limit":
      return `${cannot} ${entityId}'s limits for ${counterpartyId} leave no lot of any contract; raise them with mkt_set_credit_limit.`;
    case "counterparty_limit":
      return `${cannot} ${counterpartyId}'s limits for ${entityId} are missing or leave no lot of any contract; ${
        byCounterparty("mkt_set_credit_limit")
      }.`;
    case "no_contract":
      return `${cannot} no contract is listed now.`;
  }
}
