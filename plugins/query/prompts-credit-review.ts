// The prompt that reviews the credit of an entity: with whom it can trade, what its limits leave, what should change.

import { definePrompt, type PromptArguments } from "../../core/prompts/prompt.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { ToolError } from "../../core/error.ts";
import { entityIds, entityIdsInScope } from "../toolkit/completions.ts";
import { entityInScope } from "../toolkit/entity-scope.ts";
import { hasAllParties, moduleMeant } from "../toolkit/lookup.ts";
import { onlyMeaning } from "../toolkit/meaning.ts";
import { CONNECT_TOOLS, ONLY_READ, promptText, quoted, step, YOUR_ENTITY } from "../toolkit/prompt-text.ts";

/** Percent of a limit from which its use is worth a line in the report. */
const HIGH_USE = 80;

interface Pair {
  readonly entityId: string;
  readonly counterpartyId: string | undefined;
}

export const creditReview = definePrompt({
  name: "mkt_credit_review",
  title: "Review an entity's credit",
  description:
    "Reviews documents, credit limits and their use: with whom an entity can trade, which limits are nearly used up " +
    "and what has changed lately. Changes nothing.",
  arguments: {
    entityId: {
      description: "Whose credit, such as RIVERBEND; absent: your own entity",
      required: false,
      complete: entityIdsInScope,
    },
    counterpartyId: {
      description: "Only towards this entity, such as HEARTLAND; absent: all",
      required: false,
      complete: async (typed, context, others) => {
        const reviewed = reviewedEntity(others, context);
        return (await entityIds(typed, context, others)).filter((id) => id !== reviewed);
      },
    },
  },
  requires: { permissions: ["Credit.View"] },
  uses: [
    "mkt_get_entity",
    "mkt_get_credit_status",
    "mkt_get_extended_credit",
    "mkt_list_credit_limit_configs",
    "mkt_get_audit_log",
  ],
  mayUse: CONNECT_TOOLS,
  messages: (given, context) => {
    const { entityId, counterpartyId } = context.pubsub.session === null ? unchecked(given) : checked(given, context);
    const towards = counterpartyId === undefined ? "" : ` towards ${quoted(counterpartyId)}`;
    return promptText({
      task: `Review the credit of entity ${quoted(entityId)}${towards}: can it trade, with whom, and how much is left?`,
      rules: [
        ONLY_READ,
        "A limit is what an entity grants the other. Two entities trade only if both have docs_in_place for each other, and " +
        "the limits of both that cover the contract leave credit. Used credit is the gross of open trades; orders use none.",
      ],
      steps: stepsFor({ entityId, counterpartyId }),
      report: [
        "First a sentence: with how many counterparties it can trade, of how many, and the most urgent matter.",
        "A line for each counterparty that can't trade: reason, and who can remove it.",
        `A line for each limit with at least ${HIGH_USE} % used: unit, limit, used, available, percent.`,
        "Totals: usedCredit, availableCredit, creditUsed of the open positions (face value, so it may differ).",
        "Changes of the last week: what, when, by whom.",
      ],
    }, context);
  },
});

/** The id of the entity that a person has typed so far, or else of the own one. */
function reviewedEntity(
  { entityId = "" }: Readonly<Record<string, string>>,
  { snapshot, pubsub }: ToolContext,
): string | null | undefined {
  const typed = entityId.trim();
  return typed === "" ? pubsub.session?.entityId : onlyMeaning(snapshot, "ENTITY", typed) ?? typed;
}

function unchecked({ entityId = YOUR_ENTITY, counterpartyId }: PromptArguments): Pair {
  return { entityId, counterpartyId };
}

/** Throws ToolError `not_found`, `forbidden` as the tools do, and `invalid_input` if there is no entity or only one. */
function checked(given: PromptArguments, context: ToolContext): Pair {
  const { snapshot, pubsub } = context;
  const named = given["entityId"] ?? pubsub.session?.entityId;
  if (named === null || named === undefined) throw noEntity(pubsub.session?.userId);
  const entityId = entityInScope(named, context);
  const other = given["counterpartyId"];
  const counterpartyId = other === undefined ? undefined : entityMeant(snapshot, other);
  if (counterpartyId !== entityId) return { entityId, counterpartyId };
  throw new ToolError(
    "invalid_input",
    `counterpartyId: ${JSON.stringify(counterpartyId)} is the entity itself.`,
    "Give another entity, or leave counterpartyId out for all.",
  );
}

function entityMeant(snapshot: SnapshotReader, named: string): string {
  return hasAllParties(snapshot) ? moduleMeant(snapshot, "ENTITY", named).id : named;
}

function noEntity(userId: string | undefined): ToolError {
  return new ToolError(
    "invalid_input",
    `entityId is missing, and user ${userId} belongs to no entity.`,
    "Give entityId: mkt_list_entities lists the entities.",
  );
}

function stepsFor({ entityId, counterpartyId }: Pair): string[] {
  return [
    step(
      "mkt_get_entity",
      { entityId, positions: true },
      "creditStatus (ok; exhausted: limits, but nothing left; none: no limit), totals, and the open positions that use credit.",
    ),
    ...(counterpartyId === undefined ? stepsForAll(entityId) : stepsForPair(entityId, counterpartyId)),
    step(
      "mkt_get_audit_log",
      { moduleType: "CREDIT", search: counterpartyId ?? entityId, startTime: "-7d" },
      "creditLimitSet, creditLimitRemoved and documentationStatusSet of the last week, newest first. Needs Market.View.",
    ),
  ];
}

function stepsForAll(entityId: string): string[] {
  const pair = { entityId, counterpartyId: "<counterpartyId of mkt_get_credit_status>" };
  const oneOfThem = step(
    "mkt_get_extended_credit",
    pair,
    "documentationStatus of both sides, usage at face value, notes, updatedAt.",
  );
  return [
    step(
      "mkt_get_credit_status",
      { entityId },
      "for each counterparty tradable (can the two trade a lot of a listed contract), and if not, reason: entity_documents or " +
        "counterparty_documents (that side has not set docs_in_place), entity_no_limit (no limit set), entity_limit (its own " +
        "limits leave no lot), counterparty_limit (the other side's limits are missing or leave no lot; you can't see " +
        "them), no_contract (none is listed). creditLimit, usedCredit and availableCredit are its total notional limit; null: it has none.",
    ),
    step(
      "mkt_list_credit_limit_configs",
      { entityId },
      "every limit, also mw, mwh and per_contract. used / limit is its use; marginPercent is the share of face value that " +
        "counts. A limit of 0 leaves no credit.",
    ),
    `For up to five counterparties that can't trade or have used much: ${oneOfThem}`,
  ];
}

function stepsForPair(entityId: string, counterpartyId: string): string[] {
  return [
    step(
      "mkt_get_extended_credit",
      { entityId, counterpartyId },
      "tradable, and if not, reason (entity_: this side must act; counterparty_: the other side); documentationStatus of " +
        "both; limits with used, available and marginPercent; usage at face value. Not found: it has set neither limits nor " +
        "documents for the other.",
    ),
    step(
      "mkt_get_extended_credit",
      { entityId: counterpartyId, counterpartyId: entityId },
      "the limits in return. Forbidden without Scope.Global: then they are unknown, and reason counterparty_limit is all that " +
        "shows.",
    ),
  ];
}
