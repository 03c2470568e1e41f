// A pack of one's own: which books have a wide spread between best bid and best ask. It brings one of everything that a pack
// may bring: a variable, a tool, a resource, a prompt and a route. docs/pack-parts.md explains each part.

import type { Context, Mkt, Requirements } from "./mkt-pack.d.ts";

export default (mkt: Mkt) => {
  const { z } = mkt;

  const settings = mkt.variables({
    SPREAD_WATCH_LEAST: z.coerce.number().min(0).default(100).describe("Smallest spread that is wide, cents/MWh"),
  });

  const requires: Requirements = { connection: "read", permissions: ["Market.View"] };

  const wideSpreads = mkt.defineTool({
    name: "acme_wide_spreads",
    title: "Wide spreads",
    description: "The books whose spread is wide, the widest first. Spreads in cents/MWh.",
    input: z.strictObject({
      productCode: z.string().min(1).max(100).optional().describe("Only this product"),
    }),
    output: z.looseObject({
      least: z.number().describe("cents/MWh"),
      spreads: z.array(z.looseObject({
        contractId: z.string(),
        productCode: z.string(),
        spread: z.number().describe("cents/MWh"),
      })),
    }),
    annotations: mkt.READ_ONLY,
    requires,
    handler({ productCode }, context) {
      const least = settings.SPREAD_WATCH_LEAST;
      return { least, spreads: spreadsOf(context, productCode).filter(({ spread }) => spread >= least) };
    },
  });

  const spread = mkt.defineResource({
    name: "spread",
    uri: "acme://spread/{contractId}",
    title: "Spread of a contract",
    description: "Best bid, best ask and spread of a contract's book, in cents/MWh.",
    requires,
    parameters: {
      contractId: (typed, context) => contractIds(context).filter((id) => id.startsWith(typed)),
    },
    list: (context) => contractIds(context).map((contractId) => ({ parameters: { contractId }, title: contractId })),
    version: ({ contractId }, context) => bookOf(context, contractId),
    read({ contractId }, context) {
      const book = bookOf(context, contractId);
      if (book === undefined) {
        throw new mkt.ToolError(
          "not_found",
          `There is no contract ${contractId}.`,
          "resources/list has the contracts.",
        );
      }
      const { bestBid, bestAsk } = book;
      return { contractId, bestBid, bestAsk, spread: bestBid === null || bestAsk === null ? null : bestAsk - bestBid };
    },
  });

  const report = mkt.definePrompt({
    name: "spread_report",
    title: "Report on wide spreads",
    description: "Explains the wide spreads of a product.",
    requires,
    arguments: {
      productCode: {
        description: "The product",
        complete: (typed, context) => productCodes(context).filter((code) => code.startsWith(typed)),
      },
    },
    uses: ["acme_wide_spreads"],
    messages: ({ productCode }) =>
      `Call acme_wide_spreads for the product ${productCode}. Write three sentences: which books are wide, how wide, ` +
      "and what may be the reason.",
  });

  const table = mkt.defineRoute({
    method: "GET",
    path: "/spreads/:productCode",
    description: "The spreads of a product as CSV, in cents/MWh",
    requires,
    readOnlyHint: true,
    handler({ parameters: { productCode } }, context) {
      const rows = spreadsOf(context, productCode).map(({ contractId, spread }) => `${contractId},${spread}`);
      const text = ["contract_id,spread", ...rows, ""].join("\n");
      return new Response(text, { headers: { "Content-Type": "text/csv; charset=utf-8" } });
    },
  });

  return mkt.definePack({
    name: "spread-watch",
    description: "Watches spreads",
    tools: [wideSpreads],
    resources: [spread],
    prompts: [report],
    routes: [table],
  });
};

/** The spreads of all books with both sides, the widest first. */
function spreadsOf({ snapshot }: Context, productCode: string | undefined) {
  const { modules } = snapshot.find("ENGINE", { equals: { productCode }, limit: 10_000 });
  return modules
    .flatMap(({ contractId, productCode, bestBid, bestAsk }) =>
      bestBid === null || bestAsk === null ? [] : [{ contractId, productCode, spread: bestAsk - bestBid }]
    )
    .sort((one, other) => other.spread - one.spread);
}

function bookOf({ snapshot }: Context, contractId: string) {
  return snapshot.find("ENGINE", { equals: { contractId }, limit: 1 }).modules[0];
}

function contractIds({ snapshot }: Context): string[] {
  return snapshot.find("CONTRACT", { limit: 10_000 }).modules.map(({ id }) => id);
}

function productCodes({ snapshot }: Context): string[] {
  return snapshot.find("PRODUCT", { limit: 10_000 }).modules.map(({ code }) => code);
}
