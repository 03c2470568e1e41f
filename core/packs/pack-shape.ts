// What the value that an external pack gives must look like: a schema whose faults name their place, such as
// `resources.0.uri: ...`. A property that nobody reads is a fault, too, because it is probably mistyped.

// Gives the faults of schemas their words.
import "../../common/schema-fault.ts";
import { z } from "zod";
import { errorMessage } from "../../common/error-message.ts";
import { toolEntry } from "../dispatch/catalogue.ts";
import { publishedInput } from "../dispatch/tool-schemas.ts";
import type { Prompt, PromptArgument } from "../prompts/prompt.ts";
import { hasParameters } from "../resources/resource-catalogue.ts";
import type { Resource, ResourceAnnotations } from "../resources/resource.ts";
import { isView, VIEW_SCHEME, VIEW_TYPE } from "../resources/view.ts";
import type { Tool, ToolAnnotations } from "../tools/tool.ts";
import { uriFault, uriParameterFaults } from "./address-faults.ts";
import { headerFaults } from "./header-faults.ts";
import type { Pack } from "./pack.ts";
import { routeShape } from "./route-shape.ts";
import { callable, named, only, requires, type SchemasOf, text } from "./shape-parts.ts";

const FOR_BUILT_IN = "is for built-in packs";
const VIEW_RULE =
  `must be the URI of a resource of this pack that begins with ${VIEW_SCHEME} and has the mimeType ${VIEW_TYPE}`;

const objectSchema = z.custom<z.ZodObject>(
  (value) => value instanceof z.ZodObject,
  "must be an object schema of the given z",
);

const tool = only(
  "a tool",
  {
    name: named(/^[a-z][a-z0-9_]{0,63}$/, "lower case letters, digits and underscores, at most 64"),
    title: text,
    description: text,
    input: objectSchema,
    publishedInput: z.looseObject({ type: z.literal("object") }).optional(),
    output: objectSchema,
    annotations: only(
      "annotations",
      {
        readOnlyHint: z.boolean(),
        destructiveHint: z.boolean(),
        idempotentHint: z.boolean(),
        openWorldHint: z.boolean(),
      } satisfies SchemasOf<ToolAnnotations>,
    ),
    requires,
    view: text.optional(),
    usesClient: z.boolean().optional(),
    question: callable.optional(),
    onFailure: callable.optional(),
    handler: callable,
  } satisfies SchemasOf<Tool, "allowedInReadOnly" | "allowedWhenFrozen" | "allowedForViewers" | "reportsConnection">,
  {
    // Only built-in tools report on the connection, and may be excepted from read-only mode, the kill switch and the limits of
    // a session that only views.
    allowedInReadOnly: "is for built-in tools",
    allowedWhenFrozen: "is for built-in tools",
    allowedForViewers: "is for built-in tools",
    reportsConnection: "is for built-in tools",
  },
).superRefine((declared, context) => {
  try {
    toolEntry(declared as unknown as Tool);
    for (const message of headerFaults(publishedInput(declared as unknown as Tool))) {
      context.addIssue({ code: "custom", path: ["input"], message });
    }
  } catch (error) {
    context.addIssue({ code: "custom", message: `can't be listed: ${errorMessage(error)}` });
  }
});

const resource = only(
  "a resource",
  {
    name: named(/^[A-Za-z0-9][\w.-]{0,127}$/, "letters, digits, dots, dashes and underscores, at most 128"),
    uri: text.superRefine((uri, context) => {
      const fault = uriFault(uri);
      if (fault !== null) context.addIssue({ code: "custom", message: fault });
    }),
    title: text,
    description: text,
    mimeType: z.string().regex(/^[\w.+-]+\/[\w.+-]+( *;.*)?$/, "must be a media type, such as text/plain").optional(),
    annotations: only(
      "annotations",
      {
        audience: z.array(z.enum(["user", "assistant"])),
        priority: z.number().min(0).max(1),
      } satisfies SchemasOf<ResourceAnnotations>,
    ).optional(),
    meta: z.record(z.string(), z.unknown()).optional(),
    requires,
    cacheMs: z.int().min(0).optional(),
    parameters: z.record(z.string(), callable.nullable()).optional(),
    list: callable.optional(),
    version: callable.optional(),
    read: callable,
  } satisfies SchemasOf<Resource>,
).superRefine((declared, context) => {
  for (const message of uriParameterFaults(declared.uri, Object.keys(declared.parameters ?? {}))) {
    context.addIssue({ code: "custom", path: ["parameters"], message });
  }
  if (declared.list === undefined || hasParameters(declared as unknown as Resource)) return;
  context.addIssue({ code: "custom", path: ["list"], message: "is for a URI with parameters" });
});

const argumentName = named(/^[A-Za-z]\w{0,63}$/, "letters, digits and underscores, at most 64");

const prompt = only(
  "a prompt",
  {
    name: named(/^[A-Za-z][\w-]{0,63}$/, "letters, digits, dashes and underscores, at most 64"),
    title: text,
    description: text,
    arguments: z.record(
      argumentName,
      only(
        "an argument",
        {
          description: text,
          required: z.boolean().optional(),
          maxLength: z.int().min(1).optional(),
          complete: callable.optional(),
        } satisfies SchemasOf<PromptArgument>,
      ),
      {
        error: (issue) =>
          issue.code === "invalid_key" ? issue.issues.map(({ message }) => message).join(", ") : undefined,
      },
    ).optional(),
    requires,
    uses: z.array(text).optional(),
    mayUse: z.array(text).optional(),
    usesClient: z.boolean().optional(),
    messages: callable,
  } satisfies SchemasOf<Prompt>,
);

/** The value that an external pack's factory gives. */
export const packShape = only(
  "a pack",
  {
    name: named(/^[a-z][a-z0-9-]{0,31}$/, "lower case letters, digits and dashes, at most 32"),
    description: text,
    tools: z.array(tool),
    resources: z.array(resource),
    prompts: z.array(prompt),
    routes: z.array(routeShape),
    unavailable: callable.optional(),
  } satisfies SchemasOf<Pack, "advice" | "needs" | "origin">,
  {
    advice: FOR_BUILT_IN,
    needs: FOR_BUILT_IN,
    origin: "is set by mkt",
    variables: "can't be here: call mkt.variables({ ... }) and use the values",
  },
).superRefine(({ tools, resources, prompts, routes }, context) => {
  // A host must find every view that a tool names.
  const views = resources.filter(({ uri, mimeType }) => isView({ uri }) && mimeType === VIEW_TYPE);
  for (const [index, { view }] of tools.entries()) {
    if (view === undefined || views.some(({ uri }) => uri === view)) continue;
    context.addIssue({ code: "custom", path: ["tools", index, "view"], message: VIEW_RULE });
  }
  if ([tools, resources, prompts, routes].some((each) => each.length > 0)) return;
  context.addIssue({ code: "custom", message: "it brings nothing: it needs tools, resources, prompts or routes" });
});

/** All faults in one line, each with its place. */
export function packFaults({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join(".") || "pack"}: ${message}`).join("; ");
}
