// Sets credit limits and documentation status of the acting user's entity for a counterparty.

import { z } from "zod";
import {
  CREDIT_LIMIT_SCOPES,
  CREDIT_LIMIT_TYPES,
  CREDIT_LIMIT_UNITS,
  DOCUMENTATION_STATUSES,
  type ModuleData,
} from "../../protocol/modules/registry.ts";
import { checkOwnEntity } from "../toolkit/entity-scope.ts";
import { ToolError } from "../../core/error.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { idField, textField } from "../../core/tools/fields.ts";
import { listedContracts, tradableSentence } from "../toolkit/credit-view.ts";
import { checkEntity, moduleOf } from "../toolkit/lookup.ts";
import { defineMutation } from "../toolkit/mutation.ts";

const CREDIT_WRITE = { connection: "write", permissions: ["Credit.Manage"] } as const;

const ownEntity = idField("Grants the credit: the acting user's own");
const counterparty = idField("The other entity");

const pairFields = {
  entityId: z.string(),
  counterpartyId: z.string(),
  tradable: z.boolean(),
  documentation: z.string(),
  counterpartyDocumentation: z.string(),
  updatedAt: z.string(),
};

const afterTimeout = () => "mkt_get_extended_credit for the pair shows whether it took effect.";

const limitInput = z.strictObject({
  entityId: ownEntity,
  counterpartyId: counterparty,
  limitType: z.enum(CREDIT_LIMIT_TYPES).describe("notional is in dollars"),
  scope: z.enum(CREDIT_LIMIT_SCOPES).describe("All open trades, or one contract's"),
  limit: z.number().min(0).max(1e12).describe("dollars, MW or MWh. Below what is used, it stops only new trades"),
  marginPercent: z.number().min(0).max(100).describe("Share of face value that counts, for notional; 100 if absent")
    .optional(),
  contractId: idField("Required with per_contract, else absent").optional(),
});
type LimitTerms = z.output<typeof limitInput>;

const setCreditLimit = defineMutation({
  name: "mkt_set_credit_limit",
  title: "Set a credit limit",
  description: "Sets one limit of your entity for a counterparty, for all open trades (total) or one contract " +
    "(per_contract). Crossed orders that now have credit trade at once. Needs mkt_connect_pubsub and Credit.Manage.",
  input: limitInput,
  fields: { result: z.looseObject({ ...pairFields, limits: z.array(z.unknown()) }).partial().nullable() },
  annotations: { destructiveHint: true, idempotentHint: true },
  requires: CREDIT_WRITE,
  run: async (input, context, send) => {
    checkContract(input.scope, input.contractId);
    checkOwnEntity(input.entityId, context);
    checkNames(input, context.snapshot);
    const outcome = await send("credit.setLimit", input);
    if (outcome.kind !== "ok") return outcome;
    const { credit } = outcome.result;
    return {
      status: "success",
      message: `${limitSentence(input)}${withoutEffect(input)} ${
        tradableSentence(credit, listedContracts(context.snapshot))
      }`,
      result: { ...pairOf(credit), limits: credit.limits },
    };
  },
  fieldsOfFailure: () => ({ result: null }),
  afterTimeout,
});

/** What both tools show of a CREDIT module. */
function pairOf(credit: ModuleData<"CREDIT">) {
  const { entityId, counterpartyId, tradable, documentation, counterpartyDocumentation, updatedAt } = credit;
  return { entityId, counterpartyId, tradable, documentation, counterpartyDocumentation, updatedAt };
}

/** Throws ToolError `not_found`, with what was probably meant. */
function checkNames(
  { counterpartyId, contractId }: { readonly counterpartyId: string; readonly contractId?: string | undefined },
  snapshot: SnapshotReader,
): void {
  checkEntity(snapshot, counterpartyId);
  if (contractId !== undefined) moduleOf(snapshot, "CONTRACT", contractId);
}

function limitSentence({ entityId, counterpartyId, scope, limitType, contractId, limit }: LimitTerms): string {
  const on = contractId === undefined ? "" : ` on ${contractId}`;
  return `The ${scope} ${limitType} limit of ${entityId} for ${counterpartyId}${on} is ${limit} ` +
    `${CREDIT_LIMIT_UNITS[limitType]}.`;
}

/** Only notional limits use the margin percent. */
function withoutEffect({ limitType, marginPercent }: LimitTerms): string {
  if (marginPercent === undefined || limitType === "notional") return "";
  return ` marginPercent ${marginPercent} has no effect: it applies to notional limits only.`;
}

function checkContract(scope: string, contractId: string | undefined): void {
  if ((scope === "per_contract") === (contractId !== undefined)) return;
  throw contractId === undefined
    ? new ToolError(
      "invalid_input",
      "contractId is required if scope is per_contract.",
      "Give contractId: mkt_find_modules with moduleType CONTRACT lists them.",
    )
    : new ToolError(
      "invalid_input",
      `contractId ${JSON.stringify(contractId)} was given, but a limit of scope total applies to all contracts.`,
      "Leave contractId out, or give scope per_contract.",
    );
}

const setDocumentationStatus = defineMutation({
  name: "mkt_set_documentation_status",
  title: "Set documentation status",
  description:
    "Sets the status of your entity's trading documents with a counterparty. The two trade only while both have " +
    "set docs_in_place; crossed orders then trade at once. Needs mkt_connect_pubsub and Credit.Manage.",
  input: z.strictObject({
    entityId: ownEntity,
    counterpartyId: counterparty,
    status: z.enum(DOCUMENTATION_STATUSES).describe("Status to set"),
    notes: textField("Up to 1000 characters").optional(),
  }),
  fields: { result: z.looseObject({ ...pairFields, notes: z.string().nullable() }).partial().nullable() },
  annotations: { destructiveHint: true, idempotentHint: true },
  requires: CREDIT_WRITE,
  run: async (input, context, send) => {
    checkOwnEntity(input.entityId, context);
    checkNames(input, context.snapshot);
    const outcome = await send("credit.setDocumentation", input);
    if (outcome.kind !== "ok") return outcome;
    const { credit } = outcome.result;
    return {
      status: "success",
      message:
        `${input.entityId} has set ${credit.documentation} for ${input.counterpartyId}; ${input.counterpartyId} has ` +
        `set ${credit.counterpartyDocumentation} for ${input.entityId}. ${
          tradableSentence(credit, listedContracts(context.snapshot))
        }`,
      result: { ...pairOf(credit), notes: credit.notes },
    };
  },
  fieldsOfFailure: () => ({ result: null }),
  afterTimeout,
});

export default [setCreditLimit, setDocumentationStatus];
