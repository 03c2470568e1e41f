// A pack with every kind of thing that clients ask for, each in the same variants.

import { z } from "zod";
import { ToolError } from "../../../../core/error.ts";
import { definePack } from "../../../../core/packs/pack.ts";
import { definePrompt } from "../../../../core/prompts/prompt.ts";
import { defineResource } from "../../../../core/resources/resource.ts";
import type { ToolContext } from "../../../../core/tools/context.ts";
import type { Requirements } from "../../../../core/tools/tool.ts";
import { CHANGING, failing, testRoute, testTool } from "../../support/declarations.ts";

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
  broken: { act: failing(new Error("inside")) },
  refused: { act: failing(new ToolError("rejected", `The market says ${MARKET_TEXT}`, "Try another.")) },
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

async function acted<Value>({ act }: Variant, context: ToolContext, value: Value): Promise<Value> {
  await act?.(context);
  return value;
}

const needs = ({ requires }: Variant) => requires && { requires };
const INPUT = z.strictObject({ id: z.string().optional() });

export const KINDS_PACK = definePack({
  name: "kinds",
  description: "d",
  tools: [
    ...each((name, variant) =>
      testTool(`acme_${name}`, (_, context) => acted(variant, context, {}), { input: INPUT, ...needs(variant) })
    ),
    testTool("acme_changing", () => ({}), { input: INPUT, ...CHANGING }),
  ],
  resources: each((name, variant) =>
    defineResource({
      ...both,
      name: `acme-${name}`,
      uri: `acme://${name}/{id}`,
      ...needs(variant),
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
      ...needs(variant),
      messages: (_, context) => acted(variant, context, "text"),
    })
  ),
  routes: [
    ...each((name, variant) =>
      testRoute(`/acme/${name}/:id`, (_, context) => acted(variant, context, new Response("text")), needs(variant))
    ),
    testRoute("/acme/changing/:id", () => new Response("text"), { method: "POST", readOnlyHint: false }),
  ],
});
