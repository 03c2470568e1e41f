// Sets credit limits and documentation status of the acting user's entity for a counterparty.

import { z } from "zod";
import {
  CREDIT_LIMIT_SCOPES,
  CREDIT_LIMIT_TYPES,
  type CreditLimitType,
  DOCUMENTATION_STATUSES,
} from "../../protocol/modules/registry.ts";
import { checkOwnEntity } from "../toolkit/entity-scope.ts";
import { ToolError } from "../../core/error.ts";
import { idField, moduleObject, textField } from "../../core/tools/fields.ts";
import { defineMutation } from "../toolkit/mutation.ts";

const CREDIT_WRITE = { connection: "write", permissions: ["Credit.Manage"] } as const;

const ownEntity = idField("Entity that grants the credit: that of the acting user");
const counterparty = idField("The other entity");

const fields = {
  result: moduleObject("CREDIT").nullable().describe(
    "The entity's credit for the counterparty after the change; null on failure",
  ),
};

const afterTimeout = () => "mkt_get_extended_credit for the pair shows whether it took effect.";

const setCreditLimit = defineMutation({
  name: "mkt_set_credit_limit",
  title: "Set a credit limit",
  description: "Sets one limit of your entity for a counterparty: notional (dollars), mw or mwh, for all open trades " +
    "(total) or one contract (per_contract). A limit below the credit in use prevents new trades; existing trades stay. " +
    "Needs mkt_connect_pubsub and Credit.Manage. See mkt_list_credit_limit_configs.",
  input: z.strictObject({
    entityId: ownEntity,
    counterpartyId: counterparty,
    limitType: z.enum(CREDIT_LIMIT_TYPES).describe("What is limited: notional in dollars, mw in MW, mwh in MWh"),
    scope: z.enum(CREDIT_LIMIT_SCOPES).describe("All open trades with the counterparty, or those of one contract"),
    limit: z.number().min(0).max(1e12).describe("The limit: dollars, MW or MWh, by limitType"),
    marginPercent: z.number().min(0).max(100).describe(
      "Percent of face value that counts as used, 0 to 100, for notional limits; 100 if absent",
    ).optional(),
    contractId: idField("The contract; required if scope is per_contract, not allowed if it is total").optional(),
  }),
  fields,
  annotations: { destructiveHint: true, idempotentHint: true },
  requires: CREDIT_WRITE,
  run: async (input, context, options) => {
    checkContract(input.scope, input.contractId);
    checkOwnEntity(input.entityId, context);
    const outcome = await context.pubsub.request("credit.setLimit", input, options);
    if (outcome.kind !== "ok") return outcome;
    return {
      status: "success",
      message: `The ${input.scope} ${input.limitType} limit of ${input.entityId} for ${input.counterpartyId} is ` +
        `${input.limit}.${withoutEffect(input)}`,
      result: { ...outcome.result.credit },
    };
  },
  fieldsOfFailure: () => ({ result: null }),
  afterTimeout,
});

/** Only notional limits use the margin percent. */
function withoutEffect({ limitType, marginPercent }: { limitType: CreditLimitType; marginPercent?: number }): string {
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
    "Sets the status of your entity's trading documents with a counterparty. Two entities trade only while " +
    "both have set docs_in_place. Needs mkt_connect_pubsub and Credit.Manage. mkt_get_extended_credit shows both " +
    "directions.",
  input: z.strictObject({
    entityId: ownEntity,
    counterpartyId: counterparty,
    status: z.enum(DOCUMENTATION_STATUSES).describe("docs_in_place allows trading once both entities have set it"),
    notes: textField("Notes on the status; up to 1000 characters").optional(),
  }),
  fields,
  annotations: { destructiveHint: true, idempotentHint: true },
  requires: CREDIT_WRITE,
  run: async (input, context, options) => {
    checkOwnEntity(input.entityId, context);
    const outcome = await context.pubsub.request("credit.setDocumentation", input, options);
    if (outcome.kind !== "ok") return outcome;
    const { credit } = outcome.result;
    return {
      status: "success",
      message:
        `${input.entityId} has set ${credit.documentation} for ${input.counterpartyId}; ${input.counterpartyId} has ` +
        `set ${credit.counterpartyDocumentation} for ${input.entityId}.`,
      result: { ...credit },
    };
  },
  fieldsOfFailure: () => ({ result: null }),
  afterTimeout,
});

export default [setCreditLimit, setDocumentationStatus];
