// Credit and documents in place between all entities, so that a stress test can trade at once.

import { z } from "zod";
import { ToolError } from "../../core/error.ts";
import { defineMutation } from "../toolkit/mutation.ts";

const summary = z.looseObject({
  entities: z.int().describe("Entities of the market"),
  pairs: z.int().describe("Ordered pairs of entities"),
  creditUpdates: z.int().describe("Pairs whose credit was set"),
  docsUpdates: z.int().describe("Pairs whose documents were set"),
});

const resetCreditAndDocs = defineMutation({
  name: "mkt_dev_reset_credit_and_docs",
  title: "Reset credit and documents",
  description:
    "For stress tests: gives every pair of entities the same notional limit (dollars) and marks docs_in_place " +
    "between all. Overwrites what is set; a repeat changes nothing more. Needs mkt_connect_pubsub, and " +
    "STRESS_TEST_SECRET to be the engine's. status partial: see errors.",
  input: z.strictObject({
    creditLimit: z.number().min(0).max(1e12).describe("Notional limit for every entity pair, dollars"),
    skipCredit: z.boolean().describe("Leave credit as it is").optional(),
    skipDocs: z.boolean().describe("Leave documents as they are").optional(),
  }),
  fields: {
    summary: summary.nullable().describe("What was done; null on failure"),
    errors: z.array(z.string()).describe("What could not be done, one text each"),
  },
  annotations: { destructiveHint: true, idempotentHint: true },
  specialStatuses: ["partial"],
  run: async (input, { configuration, pubsub }, options) => {
    const secret = configuration.stressTestSecret;
    if (secret === null) {
      throw new ToolError("not_configured", "STRESS_TEST_SECRET is not set.", "Set it to the engine's, and restart.");
    }
    const outcome = await pubsub.request("dev.reset", { ...input, secret }, options);
    if (outcome.kind !== "ok") return outcome;
    const { summary, errors } = outcome.result;
    const done = `${summary.creditUpdates} credit and ${summary.docsUpdates} documentation updates over ` +
      `${summary.pairs} pairs of ${summary.entities} entities`;
    return errors.length === 0
      ? { status: "success", message: `Done: ${done}.`, summary, errors }
      : { status: "partial", message: `Done in part: ${done}; ${errors.length} failed, see errors.`, summary, errors };
  },
  fieldsOfFailure: () => ({ summary: null, errors: [] }),
  afterTimeout: () => "It may be repeated: what was set already stays as it is.",
});

export default [resetCreditAndDocs];
