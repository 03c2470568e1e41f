// Credit and documentation, from the CREDIT modules of the snapshot. A user sees those of their own entity, or of every
// entity with Scope.Global.

import { z } from "zod";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { CreditLimit, CreditLimitType, ModuleData } from "../../protocol/modules/registry.ts";
import { entityInScope } from "../toolkit/entity-scope.ts";
import { ToolError } from "../../core/error.ts";
import { cursorField, idField, limitField, listParameters, listResult, noteField } from "../../core/tools/fields.ts";
import { pageOf } from "../toolkit/list-page.ts";
import { checkEntity, marketOf, moduleMeant } from "../toolkit/lookup.ts";
import { didYouMeanOne, onlyMeaning } from "../toolkit/meaning.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import {
  counterpartyCredit,
  counterpartyCreditOf,
  counterpartyView,
  creditReason,
  haveDocuments,
  limitConfig,
  limitConfigOf,
  listedContracts,
  sumOfDollars,
} from "../toolkit/credit-view.ts";

const CREDIT_READ = { connection: "read", permissions: ["Credit.View"] } as const;

const ownEntity = idField("Grants the credit: your own, or any with Scope.Global");
const counterparty = idField("Gets the credit");

/** So many take at most 20,000 bytes. */
const DEFAULT_CONFIGS = 80;
/** With the limits for them, so many take at most 20,000 bytes. */
const DEFAULT_COUNTERPARTIES = 30;
/** Limits beside a page of counterparties, unless the caller asks for more of these. */
const CONFIGS_BESIDE = 40;
/** Limits of each type for one counterparty, which may have one for each contract. */
const CONFIGS_OF_TYPE = 15;

const getCreditStatus = defineTool({
  name: "mkt_get_credit_status",
  title: "Credit status",
  description:
    "An entity's counterparties: whether the two can trade now and why not, documents of both, available credit, " +
    "limits. Needs mkt_connect_pubsub, Credit.View. See mkt_set_credit_limit.",
  input: z.strictObject({
    entityId: ownEntity,
    marketId: idField("Whose per_contract limits; the default market if absent").optional(),
    ...listParameters(DEFAULT_COUNTERPARTIES),
  }),
  output: () =>
    z.looseObject({
      entityId: z.string(),
      marketId: z.string(),
      ...listResult,
      note: noteField,
      creditLimits: z.array(counterpartyCredit),
      usedCredit: z.number().describe("dollars, of all counterparties"),
      availableCredit: z.number().describe("dollars, of all with documents of both"),
      enhancedLimitConfigs: z.array(z.unknown()).describe(
        "Of this page; without the value of mkt_list_credit_limit_configs",
      ),
    }),
  annotations: READ_ONLY,
  requires: CREDIT_READ,
  handler: ({ entityId: named, marketId, fields, ...page }, context) => {
    const entityId = entityInScope(named, context);
    const view = counterpartyView(fields);
    const { snapshot } = context;
    const market = marketOf(snapshot, marketId, moduleMeant);
    const credits = creditsOf(snapshot, entityId);
    const listed = listedContracts(snapshot);
    const creditOf = (credit: ModuleData<"CREDIT">) => counterpartyCreditOf(credit, listed);
    const all = credits.map(creditOf);
    const usable = credits.filter(haveDocuments).map(creditOf);
    const request = { ...page, list: "mkt_get_credit_status", filters: { entityId, marketId } };
    const { items, ...list } = pageOf(credits, ({ counterpartyId }) => counterpartyId, request);
    const configs = items.flatMap(({ counterpartyId, limits }) =>
      limits
        .filter(({ contractId }) => contractId === null || tradesIn(snapshot, contractId, market.id))
        .map((limit) => limitConfigOf(counterpartyId, limit))
    );
    const shown = configs.slice(0, Math.max(CONFIGS_BESIDE, page.limit));
    return {
      entityId,
      marketId: market.id,
      count: items.length,
      ...list,
      ...leftOutNote("enhancedLimitConfigs", configs.length - shown.length),
      creditLimits: items.map((credit) => view(creditOf(credit))),
      usedCredit: sumOfDollars(all.map(({ usedCredit }) => usedCredit)),
      availableCredit: sumOfDollars(usable.map(({ availableCredit }) => Math.max(0, availableCredit ?? 0))),
      enhancedLimitConfigs: shown.map(({ value: _, ...config }) => config),
    };
  },
});

const getExtendedCredit = defineTool({
  name: "mkt_get_extended_credit",
  title: "Credit for one counterparty",
  description:
    "One counterparty: limits and usage by type (notional dollars, MW, MWh), documents of both, and whether the " +
    "two can trade now. Needs mkt_connect_pubsub, Credit.View.",
  input: z.strictObject({ entityId: ownEntity, counterpartyId: counterparty }),
  output: () =>
    z.looseObject({
      entityId: z.string(),
      counterpartyId: z.string(),
      tradable: z.boolean(),
      reason: z.string().nullable(),
      limits: z.unknown().describe("notional, mw, mwh: limits of each"),
      usage: z.unknown().describe("notional, mw, mwh, at face value"),
      documentationStatus: z.unknown().describe("entity, counterparty, inPlace"),
      notes: z.string().nullable(),
      updatedAt: z.string(),
      note: noteField,
    }),
  annotations: READ_ONLY,
  requires: CREDIT_READ,
  handler: (named, context) => {
    const entityId = entityInScope(named.entityId, context);
    const credit = creditFor(context.snapshot, entityId, named.counterpartyId);
    const { counterpartyId } = credit;
    const limits = totalsFirst(credit.limits);
    const ofType = (type: CreditLimitType) =>
      limits.filter(({ limitType }) => limitType === type).slice(0, CONFIGS_OF_TYPE)
        .map((limit) => limitConfigOf(counterpartyId, limit));
    const shown = { notional: ofType("notional"), mw: ofType("mw"), mwh: ofType("mwh") };
    return {
      entityId,
      counterpartyId,
      tradable: credit.tradable,
      reason: creditReason(credit, listedContracts(context.snapshot)),
      limits: shown,
      ...leftOutNote("limits", limits.length - Object.values(shown).flat().length),
      usage: { notional: credit.usedNotional, mw: credit.usedMw, mwh: credit.usedMwh },
      documentationStatus: {
        entity: credit.documentation,
        counterparty: credit.counterpartyDocumentation,
        inPlace: haveDocuments(credit),
      },
      notes: credit.notes,
      updatedAt: credit.updatedAt,
    };
  },
});

const listCreditLimitConfigs = defineTool({
  name: "mkt_list_credit_limit_configs",
  title: "List credit limits",
  description: "Every credit limit of an entity and its use. Needs mkt_connect_pubsub, Credit.View. To change one: " +
    "mkt_set_credit_limit.",
  input: z.strictObject({ entityId: ownEntity, limit: limitField(DEFAULT_CONFIGS), cursor: cursorField.optional() }),
  output: () =>
    z.looseObject({
      entityId: z.string(),
      totalConfigs: z.int(),
      count: listResult.count,
      hasMore: listResult.hasMore,
      cursor: listResult.cursor,
      configs: z.array(limitConfig),
    }),
  annotations: READ_ONLY,
  requires: CREDIT_READ,
  handler: ({ entityId: named, ...page }, context) => {
    const entityId = entityInScope(named, context);
    const configs = creditsOf(context.snapshot, entityId).flatMap(({ counterpartyId, limits }) =>
      limits.map((limit) => limitConfigOf(counterpartyId, limit))
    );
    const request = { ...page, list: "mkt_list_credit_limit_configs", filters: { entityId } };
    const { items, total, hasMore, cursor } = pageOf(configs, limitName, request);
    return { entityId, totalConfigs: total, count: items.length, hasMore, cursor, configs: items };
  },
});

/** Those of scope total before those of single contracts. */
function totalsFirst(limits: readonly CreditLimit[]): CreditLimit[] {
  return limits.toSorted((one, other) => Number(other.contractId === null) - Number(one.contractId === null));
}

function leftOutNote(field: string, count: number): { readonly note?: string } {
  if (count === 0) return {};
  return {
    note: `${field} leaves out ${count} limits of these counterparties: mkt_list_credit_limit_configs lists all.`,
  };
}

/** Unique among the limits of an entity. */
function limitName({ counterpartyId, limitType, scope, contractId }: z.input<typeof limitConfig>): string {
  return JSON.stringify([counterpartyId, limitType, scope, contractId]);
}

/** All CREDIT modules of an entity: at most one for each other entity. */
function creditsOf(snapshot: SnapshotReader, entityId: string): ModuleData<"CREDIT">[] {
  return snapshot.find("CREDIT", { equals: { entityId }, limit: Infinity }).modules;
}

/** The counterparty may be one that the user does not see as an entity. Throws ToolError `not_found`. */
function creditFor(snapshot: SnapshotReader, entityId: string, named: string): ModuleData<"CREDIT"> {
  const counterpartyId = onlyMeaning(snapshot, "ENTITY", named) ?? named;
  const [credit] = snapshot.find("CREDIT", { equals: { entityId, counterpartyId }, limit: 1 }).modules;
  if (credit !== undefined) return credit;
  checkEntity(snapshot, counterpartyId);
  const meant = didYouMeanOne(counterpartyId, creditsOf(snapshot, entityId).map((one) => one.counterpartyId));
  throw new ToolError(
    "not_found",
    `The backend has no limits and no documentation status of ${entityId} for ${counterpartyId}.`,
    `${meant}mkt_list_credit_limit_configs lists the counterparties that have limits.`,
  );
}

/** True for a contract that the snapshot no longer has: its market is unknown, and no limit may be left out. */
function tradesIn(snapshot: SnapshotReader, contractId: string, marketId: string): boolean {
  const contract = snapshot.get("CONTRACT", contractId);
  return contract === undefined || contract.marketId === marketId;
}

export default [getCreditStatus, getExtendedCredit, listCreditLimitConfigs];
