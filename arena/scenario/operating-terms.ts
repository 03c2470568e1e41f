// What an operating scenario asks for, besides its words: an answer, and a state of the market at the end. Both are scored
// against the facts of its incidents. What the agent did to others, and need not have done, costs.

import { z } from "zod";
import { idField } from "../../core/tools/fields.ts";
import { schemaFaults } from "../../sim/experiment/schema-faults.ts";
import { FACT_TYPES, factsOf, incidentWith } from "./incident-terms.ts";
import { drawnInto } from "./trading-terms.ts";

const MOST_IDS = 100;

const fact = z.string().describe("Name of a fact that an incident leaves");
const weight = z.number().positive().describe("Its part of the score, beside those of the others");
const cost = z.number().min(0);

const answerField = z.strictObject({
  type: z.enum(FACT_TYPES).describe("id: one id; ids: a list; choice: one of a few words; number"),
  description: z.string().min(1).max(300).describe("What it is, for the agent"),
  of: z.array(z.string().min(1)).min(2).optional().describe("The words of a choice"),
  inOrder: z.boolean().default(false).describe("Whether the order of ids counts"),
  tolerance: z.number().min(0).default(0).describe("By how much a number may differ"),
  truth: fact,
  weight,
}).refine(({ type, of }) => (type === "choice") === (of !== undefined), "a choice needs `of`, and nothing else has it");
type AnswerField = z.output<typeof answerField>;

/** `Amount`: a number, or what stands for one. */
function termsWith<Amount extends z.ZodType<number | string>>(amount: Amount) {
  const tradedWith = z.strictObject({
    kind: z.literal("traded-with").describe("An order has traded in full with another one"),
    order: fact,
    other: fact,
    weight,
  });
  const noOpenOrders = z.strictObject({
    kind: z.literal("no-open-orders").describe("A user has no open order; it does not count if the fact is missing"),
    user: fact,
    weight,
  });
  const oneOrder = z.strictObject({
    kind: z.literal("one-order").describe(
      "Exactly one order of the agent's user is open or has traded, and it is this one",
    ),
    product: z.string(),
    side: z.enum(["BUY", "SELL"]),
    price: amount.describe("cents/MWh"),
    megawatts: amount,
    weight,
  });
  return z.strictObject({
    operators: z.array(z.string()).default([]).describe("Ids of users who may operate the market, besides its own"),
    incidents: z.array(incidentWith(amount)).min(1).describe("What happens; at most one of each kind"),
    answer: z.record(z.string().regex(/^[a-z]\w*$/i), answerField).default({}).describe("Its fields, by name"),
    checks: z.array(z.discriminatedUnion("kind", [tradedWith, noOpenOrders, oneOrder])).default([]).describe(
      "States of the market at the end",
    ),
    harms: z.strictObject({
      order: cost.describe("For each order of others that the agent cancelled, but those that had to be"),
      credit: cost.describe("For each change of a credit limit or of documents, but the one that was needed"),
      halt: cost.describe("For each halt and each resumption of the market"),
    }).describe("What is taken off the score"),
  });
}

const operatingTerms = termsWith(z.number());
export type OperatingTerms = z.output<typeof operatingTerms>;
export type Check = OperatingTerms["checks"][number];
export type Answer = Readonly<Record<string, string | number | readonly string[] | undefined>>;

const drawnAmount = z.string().regex(/^\{\w+\}$/, "is neither a number nor {name}");

/** As a scenario's file has them: {name} stands for what the seed draws, also within a text. */
export const drawnOperatingTerms = termsWith(z.union([z.number(), drawnAmount]));
type DrawnOperatingTerms = z.output<typeof drawnOperatingTerms>;

type Draws = Readonly<Record<string, number | string>>;

/** The terms with what was drawn in its places. Throws ZodError if a text is in place of a number. */
export function operatingTermsWith(terms: DrawnOperatingTerms, draws: Draws): OperatingTerms {
  return operatingTerms.parse(drawnInto(terms, draws));
}

/** The schema of an answer; null if none is asked for. Every field may be left out. */
export function answerSchema({ answer }: Pick<OperatingTerms, "answer">): z.ZodObject | null {
  const fields = Object.entries(answer);
  if (fields.length === 0) return null;
  return z.strictObject(Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field).optional()])));
}

function schemaOf({ type, description, of = [] }: AnswerField): z.ZodType {
  if (type === "id") return idField(description);
  if (type === "ids") return z.array(idField("An id")).max(MOST_IDS).describe(description);
  return type === "number" ? z.number().describe(description) : z.enum(of).describe(description);
}

/**
 * One line each: incidents of one kind, facts that none of them leaves or that are of another type, and texts in place of
 * numbers. `samples`: what may be drawn.
 */
export function operatingFaults(terms: DrawnOperatingTerms, samples: Draws): string[] {
  const { incidents, answer, checks } = terms;
  const kinds = incidents.map(({ kind }) => kind);
  const twice = kinds.filter((kind, at) => kinds.indexOf(kind) !== at);
  const facts = factsOf(incidents);
  const fault = (path: string, name: string, type: string) =>
    facts.get(name) === type ? [] : [`operating.${path}: no incident leaves a fact "${name}" of the type ${type}`];
  return [
    ...schemaFaults(operatingTerms, drawnInto(terms, samples), ["operating"]),
    ...twice.map((kind) => `operating.incidents: more than one is of the kind ${kind}`),
    ...Object.entries(answer).flatMap(([name, { truth, type }]) => fault(`answer.${name}.truth`, truth, type)),
    ...checks.flatMap((check, at) => {
      if (check.kind === "one-order") return [];
      const subjects = check.kind === "no-open-orders"
        ? { user: check.user }
        : { order: check.order, other: check.other };
      return Object.entries(subjects).flatMap(([name, subject]) => fault(`checks[${at}].${name}`, subject, "id"));
    }),
  ];
}
