// Credit and documentation, from the CREDIT modules of the snapshot. A user sees those of their own entity, or of every
// entity with Scope.Global.

import { z } from "zod";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { type CreditLimitType, DOCUMENTATION_STATUSES, type ModuleData } from "../../protocol/modules/registry.ts";
import { checkEntityScope } from "../toolkit/entity-scope.ts";
import { ToolError } from "../../core/error.ts";
import { idField } from "../../core/tools/fields.ts";
import { marketOf, moduleOf } from "../toolkit/lookup.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { counterpartyCredit, counterpartyCreditOf, limitConfig, limitConfigOf, sumOfDollars } from "./credit-view.ts";

const CREDIT_READ = { connection: "read", permissions: ["Credit.View"] } as const;

const ownEntity = idField("Entity that grants the credit: your own, or any with Scope.Global");

const getCreditStatus = defineTool({
  name: "mkt_get_credit_status",
  title: "Credit status",
  description:
    "Gives an entity's credit for each counterparty: limits, used and available credit in dollars, and every " +
    "configured limit. Needs mkt_connect_pubsub, Credit.View, and your own entityId (or Scope.Global). Credit covers all " +
    "markets; per_contract limits are those of the market's contracts.",
  input: z.strictObject({
    entityId: ownEntity,
    marketId: idField("Market id; the default market if absent").optional(),
  }),
  output: z.looseObject({
    entityId: z.string().describe("Entity that grants the credit"),
    marketId: z.string().describe("Market of the contracts in per_contract limits"),
    creditLimits: z.array(counterpartyCredit).describe("Notional credit by counterparty, dollars"),
    usedCredit: z.number().describe("Sum of usedCredit over the counterparties, dollars"),
    availableCredit: z.number().describe(
      "Sum of availableCredit over the counterparties with a limit, dollars; a negative one counts as 0",
    ),
    enhancedLimitConfigs: z.array(limitConfig).describe("Every configured limit (notional, MW, MWh) and its use"),
  }),
  annotations: READ_ONLY,
  requires: CREDIT_READ,
  handler: ({ entityId, marketId }, context) => {
    checkEntityScope(entityId, context);
    const { snapshot } = context;
    const market = marketOf(snapshot, marketId);
    const credits = creditsOf(snapshot, entityId);
    const creditLimits = credits.map(counterpartyCreditOf);
    return {
      entityId,
      marketId: market.id,
      creditLimits,
      usedCredit: sumOfDollars(creditLimits.map(({ usedCredit }) => usedCredit)),
      availableCredit: sumOfDollars(creditLimits.map(({ availableCredit }) => Math.max(0, availableCredit ?? 0))),
      enhancedLimitConfigs: credits.flatMap(({ counterpartyId, limits }) =>
        limits
          .filter(({ contractId }) => contractId === null || tradesIn(snapshot, contractId, market.id))
          .map((limit) => limitConfigOf(counterpartyId, limit))
      ),
    };
  },
});

const documentation = (description: string) => z.enum(DOCUMENTATION_STATUSES).describe(description);

const getExtendedCredit = defineTool({
  name: "mkt_get_extended_credit",
  title: "Credit for one counterparty",
  description: "Gives an entity's limits and usage by type (notional dollars, MW, MWh) for one counterparty, and the " +
    "documentation status in both directions. Needs mkt_connect_pubsub, Credit.View, and your own entityId (or " +
    "Scope.Global). The two can trade only if both have set docs_in_place.",
  input: z.strictObject({ entityId: ownEntity, counterpartyId: idField("Entity the credit is granted to") }),
  output: z.looseObject({
    entityId: z.string().describe("Entity that grants the credit"),
    counterpartyId: z.string().describe("Entity the credit is granted to"),
    limits: z.looseObject({
      notional: z.array(limitConfig).describe("Limits in dollars"),
      mw: z.array(limitConfig).describe("Limits in MW"),
      mwh: z.array(limitConfig).describe("Limits in MWh"),
    }).describe("Configured limits by type"),
    usage: z.looseObject({
      notional: z.number().describe("Gross notional of open trades at face value, dollars"),
      mw: z.number().describe("Gross quantity of open trades, MW"),
      mwh: z.number().describe("Gross energy of open trades, MWh"),
    }).describe("Use by open trades, by type"),
    documentationStatus: z.looseObject({
      entity: documentation("Status that the entity has set for the counterparty"),
      counterparty: documentation("Status that the counterparty has set for the entity"),
      inPlace: z.boolean().describe("Whether both have set docs_in_place, so the two may trade"),
    }).describe("Documentation status in both directions"),
    notes: z.string().nullable().describe("Notes given with the documentation status"),
    updatedAt: z.iso.datetime().describe("Time of the last change"),
  }),
  annotations: READ_ONLY,
  requires: CREDIT_READ,
  handler: ({ entityId, counterpartyId }, context) => {
    checkEntityScope(entityId, context);
    const credit = creditFor(context.snapshot, entityId, counterpartyId);
    const ofType = (type: CreditLimitType) =>
      credit.limits.filter(({ limitType }) => limitType === type).map((limit) => limitConfigOf(counterpartyId, limit));
    return {
      entityId,
      counterpartyId,
      limits: { notional: ofType("notional"), mw: ofType("mw"), mwh: ofType("mwh") },
      usage: { notional: credit.usedNotional, mw: credit.usedMw, mwh: credit.usedMwh },
      documentationStatus: {
        entity: credit.documentation,
        counterparty: credit.counterpartyDocumentation,
        inPlace: credit.documentation === "docs_in_place" && credit.counterpartyDocumentation === "docs_in_place",
      },
      notes: credit.notes,
      updatedAt: credit.updatedAt,
    };
  },
});

const listCreditLimitConfigs = defineTool({
  name: "mkt_list_credit_limit_configs",
  title: "List credit limits",
  description: "Lists every credit limit of an entity, for all counterparties: type, scope, value and " +
    "use. Needs mkt_connect_pubsub, Credit.View, and your own entityId (or Scope.Global). To change one: " +
    "mkt_set_credit_limit.",
  input: z.strictObject({ entityId: ownEntity }),
  output: z.looseObject({
    entityId: z.string().describe("Entity that grants the credit"),
    totalConfigs: z.int().describe("Number of configured limits"),
    configs: z.array(limitConfig).describe("Configured limits, by counterparty"),
  }),
  annotations: READ_ONLY,
  requires: CREDIT_READ,
  handler: ({ entityId }, context) => {
    checkEntityScope(entityId, context);
    const configs = creditsOf(context.snapshot, entityId).flatMap(({ counterpartyId, limits }) =>
      limits.map((limit) => limitConfigOf(counterpartyId, limit))
    );
    return { entityId, totalConfigs: configs.length, configs };
  },
});

/** All CREDIT modules of an entity: at most one for each other entity. Throws ToolError `not_found`. */
function creditsOf(snapshot: SnapshotReader, entityId: string): ModuleData<"CREDIT">[] {
  moduleOf(snapshot, "ENTITY", entityId);
  return snapshot.find("CREDIT", { equals: { entityId }, limit: Infinity }).modules;
}

function creditFor(snapshot: SnapshotReader, entityId: string, counterpartyId: string): ModuleData<"CREDIT"> {
  moduleOf(snapshot, "ENTITY", entityId);
  moduleOf(snapshot, "ENTITY", counterpartyId);
  const [credit] = snapshot.find("CREDIT", { equals: { entityId, counterpartyId }, limit: 1 }).modules;
  if (credit !== undefined) return credit;
  throw new ToolError(
    "not_found",
    `The backend has no limits and no documentation status of ${entityId} for ${counterpartyId}.`,
    "mkt_list_credit_limit_configs lists the counterparties that have limits.",
  );
}

/** True for a contract that the snapshot no longer has: its market is unknown, and no limit may be left out. */
function tradesIn(snapshot: SnapshotReader, contractId: string, marketId: string): boolean {
  const contract = snapshot.get("CONTRACT", contractId);
  return contract === undefined || contract.marketId === marketId;
}

export default [getCreditStatus, getExtendedCredit, listCreditLimitConfigs];
