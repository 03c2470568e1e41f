// A pack with every kind of thing that clients ask for, each in the same variants.

import { z } from "zod";
import { ToolError } from "../../../../core/error.ts";
import { definePack } from "../../../../core/packs/pack.ts";
import { definePrompt } from "../../../../core/prompts/prompt.ts";
import { defineResource } from "../../../../core/resources/resource.ts";
import { defineRoute } from "../../../../core/routes/route.ts";
import type { ToolContext } from "../../../../core/tools/context.ts";
import { defineTool, READ_ONLY, type Requirements } from "../../../../core/tools/tool.ts";

export const KINDS = ["tool", "resource", "prompt", "completion", "subscription", "route"] as const;
export type Kind = (typeof KINDS)[number];

/** A text from the market that would hide what follows it. */
const MARKET_TEXT = "no\u202e";

interface Variant {
  readonly requires?: Requirements;
  /** What happens in the handler. */
  readonly act?: (context: ToolContext) => unknown;
}

const VARIANTS = {
  plain: {},
  read: { requires: { connection: "read" } },
  write: { requires: { connection: "write" } },
  allowed: { requires: { permissions: ["Market.Operate"] } },
  broken: {
    act: () => {
      throw new Error("inside");
    },
  },
  refused: {
    act: () => {
      throw new ToolError("rejected", `The market says ${MARKET_TEXT}`, "Try another.");
    },
  },
  slow: {
    act: async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      signal.throwIfAborted();
    },
  },
} as const satisfies Record<string, Variant>;

export type VariantName = keyof typeof VARIANTS | "changing" | "unknown";

const each = <Made>(make: (name: string, variant: Variant) => Made) =>
  Object.entries<Variant>(VARIANTS).map(([name, variant]) => make(name, variant));
const both = { title: "t", description: "d" };
const done = Promise.resolve.bind(Promise);

async function acted<Value>({ act }: Variant, context: ToolContext, value: Value): Promise<Value> {
  await act?.(context);
  return await done(value);
}

const changing = { ...READ_ONLY, readOnlyHint: false };
const NO_INPUT = z.strictObject({ id: z.string().optional() });

export const KINDS_PACK = definePack({
  name: "kinds",
  description: "d",
  tools: [
    ...each((name, variant) =>
      defineTool({
        ...both,
        name: `acme_${name}`,
        input: NO_INPUT,
        output: z.looseObject({}),
        annotations: READ_ONLY,
        ...(variant.requires && { requires: variant.requires }),
        handler: (_, context) => acted(variant, context, {}),
      })
    ),
    defineTool({
      ...both,
      name: "acme_changing",
      input: NO_INPUT,
      output: z.looseObject({}),
      annotations: changing,
      handler: () => ({}),
    }),
  ],
  resources: each((name, variant) =>
    defineResource({
      ...both,
      name: `acme-${name}`,
      uri: `acme://${name}/{id}`,
      ...(variant.requires && { requires: variant.requires }),
      version: (_, context) => variant.act?.(context) instanceof Promise ? 0 : 1,
      read: (_, context) => acted(variant, context, { name }),
    })
  ),
  prompts: each((name, variant) =>
    definePrompt({
      ...both,
      name: `acme_${name}`,
      arguments: {
        id: { description: "d", required: false, complete: (_, context) => acted(variant, context, ["a"]) },
        note: { description: "d", required: false },
      },
      ...(variant.requires && { requires: variant.requires }),
      messages: (_, context) => acted(variant, context, "text"),
    })
  ),
  routes: [
    ...each((name, variant) =>
      defineRoute({
        method: "GET",
        path: `/acme/${name}/:id`,
        description: "d",
        readOnlyHint: true,
        ...(variant.requires && { requires: variant.requires }),
        handler: (_, context) => acted(variant, context, new Response("text")),
      })
    ),
    defineRoute({
      method: "POST",
      path: "/acme/changing/:id",
      description: "d",
      readOnlyHint: false,
      handler: () => new Response("text"),
    }),
  ],
});
