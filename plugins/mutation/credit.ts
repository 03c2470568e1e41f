// Setting credit limits and documentation status, of the acting user's own entity for a counterparty.

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

const ownEntity = idField("Entity that grants the credit: the acting user's own");
const counterparty = idField("The other entity");

const fields = {
  result: moduleObject("CREDIT").nullable().describe(
    "The entity's credit for the counterparty after it; null on failure",
  ),
};

const afterTimeout = () => "mkt_get_extended_credit for the pair shows whether it took effect.";

const setCreditLimit = defineMutation({
  name: "mkt_set_credit_limit",
  title: "Set a credit limit",
  description: "Sets one limit of your entity for a counterparty: notional (dollars), mw or mwh, for all open trades " +
    "(total) or one contract (per_contract). Below what is used it stops new trades and undoes nothing. Needs " +
    "mkt_connect_pubsub and Credit.Manage. See mkt_list_credit_limit_configs.",
  input: z.strictObject({
    entityId: ownEntity,
    counterpartyId: counterparty,
    limitType: z.enum(CREDIT_LIMIT_TYPES).describe("What is limited: notional in dollars, mw in MW, mwh in MWh"),
    scope: z.enum(CREDIT_LIMIT_SCOPES).describe("All open trades with the counterparty, or those of one contract"),
    limit: z.number().min(0).max(1e12).describe("The limit: dollars, MW or MWh, by limitType"),
    marginPercent: z.number().min(0).max(100).describe(
      "Percent of face value that counts as used, 0 to 100, for notional limits; 100 where absent",
    ).optional(),
    contractId: idField("The contract; required where scope is per_contract, not allowed where it is total").optional(),
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

/** A margin is a share of a face value, which only a notional limit has. */
function withoutEffect({ limitType, marginPercent }: { limitType: CreditLimitType; marginPercent?: number }): string {
  if (marginPercent === undefined || limitType === "notional") return "";
  return ` marginPercent ${marginPercent} has no effect: it applies to notional limits only.`;
}

function checkContract(scope: string, contractId: string | undefined): void {
  if ((scope === "per_contract") === (contractId !== undefined)) return;
  throw contractId === undefined
    ? new ToolError(
      "invalid_input",
      "contractId: required, since scope is per_contract.",
      "Give contractId: mkt_find_modules with moduleType CONTRACT lists them.",
    )
    : new ToolError(
      "invalid_input",
      `contractId: ${JSON.stringify(contractId)} is given, but a limit of scope total is for all contracts.`,
      "Leave contractId out, or give scope per_contract.",
    );
}

const setDocumentationStatus = defineMutation({
  name: "mkt_set_documentation_status",
  title: "Set documentation status",
  description:
    "Marks the state of your entity's trading documents with a counterparty. Two entities trade only while " +
    "both have marked docs_in_place. Needs mkt_connect_pubsub and Credit.Manage. mkt_get_extended_credit shows both " +
    "directions.",
  input: z.strictObject({
    entityId: ownEntity,
    counterpartyId: counterparty,
    status: z.enum(DOCUMENTATION_STATUSES).describe("docs_in_place allows trading, once both have marked it"),
    notes: textField("Notes to keep with it; up to 1000 characters").optional(),
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
      message: `${input.entityId} has marked ${credit.documentation} for ${input.counterpartyId}, which has marked ` +
        `${credit.counterpartyDocumentation} in return.`,
      result: { ...credit },
    };
  },
  fieldsOfFailure: () => ({ result: null }),
  afterTimeout,
});

export default [setCreditLimit, setDocumentationStatus];
