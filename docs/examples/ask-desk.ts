// A pack that asks the person at the client: docs/pack-parts.md explains it.

import type { Mkt } from "./mkt-pack.d.ts";

export default (mkt: Mkt) => {
  const { z } = mkt;

  const filledIn = z.looseObject({ action: z.literal("accept"), content: z.looseObject({ price: z.number() }) });

  const expectedPrice = mkt.defineTool({
    name: "acme_expected_price",
    title: "Expected price",
    description: "Asks the person at the client which price they expect of a contract, in cents/MWh.",
    input: z.strictObject({ contractId: z.string().min(1).max(100) }),
    output: z.looseObject({
      contractId: z.string(),
      price: z.number().nullable().describe("cents/MWh; null if the person gave none"),
    }),
    annotations: mkt.READ_ONLY,
    usesClient: true,
    async handler({ contractId }, { client }) {
      const answer = client.responses["price"];
      if (answer !== undefined) return { contractId, price: filledIn.safeParse(answer).data?.content.price ?? null };
      await client.log("info", `Asks for the expected price of ${contractId}`);
      return new mkt.InputRequired({
        requests: {
          price: {
            method: "elicitation/create",
            params: {
              mode: "form",
              message: `Which price do you expect of ${contractId}?`,
              requestedSchema: {
                type: "object",
                properties: { price: { type: "number", title: "Price", description: "cents/MWh" } },
                required: ["price"],
              },
            },
          },
        },
      });
    },
  });

  return mkt.definePack({ name: "ask-desk", description: "Asks the desk", tools: [expectedPrice] });
};
