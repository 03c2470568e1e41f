// Sets credit and documents between all entities, so that a stress test can trade at once.

import { z } from "zod";
import { ToolError } from "../../core/error.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { hasAllParties } from "../toolkit/lookup.ts";
import { defineMutation } from "../toolkit/mutation.ts";

/** `pairs` are ordered pairs of entities; updates are the pairs whose values were set. */
const summary = z.looseObject({
  entities: z.int(),
  pairs: z.int(),
  creditUpdates: z.int(),
  docsUpdates: z.int(),
}).partial();

const resetCreditAndDocs = defineMutation({
  name: "mkt_dev_reset_credit_and_docs",
  title: "Reset credit and documents",
  description:
    "For stress tests: gives every pair of entities this one limit in place of all others, and docs_in_place. Needs " +
    "mkt_connect_pubsub and the engine's STRESS_TEST_SECRET.",
  input: z.strictObject({
    creditLimit: z.number().min(0).max(1e12).describe("Notional limit, dollars"),
    skipCredit: z.boolean().describe("Leave credit unchanged").optional(),
    skipDocs: z.boolean().describe("Leave documents unchanged").optional(),
  }),
  fields: {
    summary: summary.nullable(),
    errors: z.array(z.string()),
  },
  annotations: { destructiveHint: true, idempotentHint: true },
  specialStatuses: ["partial"],
  run: async (input, context, send) => {
    const { configuration } = context;
    const secret = configuration.stressTestSecret;
    if (secret === null) {
      throw new ToolError(
        "not_configured",
        "STRESS_TEST_SECRET is not set.",
        "Set it to that of the engine, and restart.",
      );
    }
    const outcome = await send("dev.reset", { ...input, secret }, { what: work(context) });
    if (outcome.kind !== "ok") return outcome;
    const { summary, errors } = outcome.result;
    const done = `${summary.creditUpdates} credit and ${summary.docsUpdates} documentation updates over ` +
      `${summary.pairs} pairs of ${summary.entities} entities`;
    return errors.length === 0
      ? { status: "success", message: `Done: ${done}.`, summary, errors }
      : { status: "partial", message: `Done in part: ${done}; ${errors.length} failed, see errors.`, summary, errors };
  },
  fieldsOfFailure: () => ({ summary: null, errors: [] }),
  afterTimeout: () => "It is safe to repeat: values that are already set do not change.",
});

/** What a reset does, for its progress. The engine sets all pairs at once. */
function work({ snapshot }: ToolContext): string {
  const between = hasAllParties(snapshot) ? `${snapshot.count("ENTITY")} entities` : "all entities";
  return `Sets credit and documents between ${between}`;
}

export default [resetCreditAndDocs];
