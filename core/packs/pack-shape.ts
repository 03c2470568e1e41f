// What the value that an external pack gives must look like: a schema whose faults name their place, such as
// `resources.0.uri: ...`. A property that nobody reads is a fault, too, because it is probably mistyped.

import { z } from "zod";
import { PERMISSIONS } from "../../protocol/permissions.ts";
import { didYouMean } from "../../common/command-line.ts";
import { toolEntry } from "../dispatch/catalogue.ts";
import { hasParameters } from "../resources/resource-catalogue.ts";
import type { Resource } from "../resources/resource.ts";
import { ROUTE_METHODS } from "../routes/route.ts";
import type { Tool } from "../tools/tool.ts";
import { pathFault, uriFault, uriParameterFaults } from "./address-faults.ts";

const FOR_BUILT_IN = "is for built-in packs";

/** An object with these properties only. `refused`: why well-known others may not be there. */
function only<Shape extends z.ZodRawShape>(what: string, shape: Shape, refused: Readonly<Record<string, string>> = {}) {
  const names = Object.keys(shape);
  const faultOf = (key: string) =>
    Object.hasOwn(refused, key)
      ? `${key} ${refused[key]}`
      : `${key} is not a property of ${what}${didYouMean(key, names)}`;
  return z.strictObject(shape, {
    error: (issue) => issue.code === "unrecognized_keys" ? issue.keys.map(faultOf).join(", ") : undefined,
  });
}

function named(pattern: RegExp, rule: string) {
  return z.string().regex(pattern, `must be ${rule}`);
}

const text = z.string().min(1);
const callable = z.custom((value) => typeof value === "function", "must be a function");
const objectSchema = z.custom<z.ZodObject>(
  (value) => value instanceof z.ZodObject,
  "must be an object schema of the given z",
);

const requires = only("requires", {
  connection: z.enum(["read", "write"]).optional(),
  permissions: z.array(z.enum(PERMISSIONS, {
    error: ({ input }) => `must be one of ${PERMISSIONS.join(", ")}${didYouMean(String(input), PERMISSIONS)}`,
  })).optional(),
  withoutPermission: text.optional(),
}).optional();

const tool = only("a tool", {
  name: named(/^[a-z][a-z0-9_]{0,63}$/, "lower case letters, digits and underscores, at most 64"),
  title: text,
  description: text,
  input: objectSchema,
  publishedInput: z.looseObject({ type: z.literal("object") }).optional(),
  output: objectSchema,
  annotations: only("annotations", {
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  }),
  requires,
  usesClient: z.boolean().optional(),
  question: callable.optional(),
  onFailure: callable.optional(),
  handler: callable,
}, {
  // Only built-in tools may be excepted from read-only mode and the kill switch.
  allowedInReadOnly: FOR_BUILT_IN,
  allowedWhenFrozen: FOR_BUILT_IN,
}).superRefine((declared, context) => {
  try {
    toolEntry(declared as unknown as Tool);
  } catch (error) {
    context.addIssue({ code: "custom", message: `can't be listed: ${error instanceof Error ? error.message : error}` });
  }
});

const resource = only("a resource", {
  name: named(/^[A-Za-z0-9][\w.-]{0,127}$/, "letters, digits, dots, dashes and underscores, at most 128"),
  uri: text.superRefine((uri, context) => {
    const fault = uriFault(uri);
    if (fault !== null) context.addIssue({ code: "custom", message: fault });
  }),
  title: text,
  description: text,
  mimeType: z.string().regex(/^[\w.+-]+\/[\w.+-]+( *;.*)?$/, "must be a media type, such as text/plain").optional(),
  requires,
  cacheMs: z.int().min(0).optional(),
  parameters: z.record(z.string(), callable.nullable()).optional(),
  list: callable.optional(),
  version: callable.optional(),
  read: callable,
}).superRefine((declared, context) => {
  for (const message of uriParameterFaults(declared.uri, Object.keys(declared.parameters ?? {}))) {
    context.addIssue({ code: "custom", path: ["parameters"], message });
  }
  if (declared.list === undefined || hasParameters(declared as unknown as Resource)) return;
  context.addIssue({ code: "custom", path: ["list"], message: "is for a URI with parameters" });
});

const argumentName = named(/^[A-Za-z]\w{0,63}$/, "letters, digits and underscores, at most 64");

const prompt = only("a prompt", {
  name: named(/^[A-Za-z][\w-]{0,63}$/, "letters, digits, dashes and underscores, at most 64"),
  title: text,
  description: text,
  arguments: z.record(
    argumentName,
    only("an argument", {
      description: text,
      required: z.boolean().optional(),
      complete: callable.optional(),
    }),
    {
      error: (issue) =>
        issue.code === "invalid_key" ? issue.issues.map(({ message }) => message).join(", ") : undefined,
    },
  ).optional(),
  requires,
  uses: z.array(text).optional(),
  usesClient: z.boolean().optional(),
  messages: callable,
});

const route = only("a route", {
  method: z.enum(ROUTE_METHODS),
  path: text.superRefine((path, context) => {
    const fault = pathFault(path);
    if (fault !== null) context.addIssue({ code: "custom", message: fault });
  }),
  description: text,
  requires,
  readOnlyHint: z.boolean().optional(),
  handler: callable.optional(),
  publicFile: only("a public file", {
    content: z.union([z.string(), z.instanceof(Uint8Array)], { error: "must be a string or a Uint8Array" }),
    contentType: text,
    cacheControl: text.optional(),
    contentSecurityPolicy: text.optional(),
  }).optional(),
}).superRefine((declared, context) => {
  const fault = declared.publicFile === undefined ? handledRouteFault(declared) : publicRouteFault(declared);
  if (fault !== null) context.addIssue({ code: "custom", path: [fault.property], message: fault.message });
});

interface DeclaredRoute {
  readonly method: string;
  readonly requires?: unknown;
  readonly readOnlyHint?: boolean | undefined;
  readonly handler?: unknown;
}

function handledRouteFault({ method, readOnlyHint, handler }: DeclaredRoute) {
  if (typeof handler !== "function") return { property: "handler", message: "must be a function" };
  if (readOnlyHint === undefined) return { property: "readOnlyHint", message: "must be true or false" };
  if (method !== "GET" || readOnlyHint) return null;
  const message =
    "must be true for GET, since any link can make a browser send it: use POST, PUT or DELETE for changes";
  return { property: "readOnlyHint", message };
}

function publicRouteFault({ method, requires, readOnlyHint, handler }: DeclaredRoute) {
  if (method !== "GET") return { property: "method", message: "must be GET for a public file" };
  const extra = Object.entries({ requires, readOnlyHint, handler }).find(([, value]) => value !== undefined);
  if (extra === undefined) return null;
  return { property: extra[0], message: "can't be there, because everybody gets a public file" };
}

/** The value that an external pack's factory gives. */
export const packShape = only("a pack", {
  name: named(/^[a-z][a-z0-9-]{0,31}$/, "lower case letters, digits and dashes, at most 32"),
  description: text,
  tools: z.array(tool),
  resources: z.array(resource),
  prompts: z.array(prompt),
  routes: z.array(route),
  unavailable: callable.optional(),
}, {
  advice: FOR_BUILT_IN,
  needs: FOR_BUILT_IN,
  origin: "is set by mkt",
  variables: "is not a property of a pack: call mkt.variables({ ... }) and use the values",
}).superRefine(({ tools, resources, prompts, routes }, context) => {
  if ([tools, resources, prompts, routes].some((each) => each.length > 0)) return;
  context.addIssue({ code: "custom", message: "it brings nothing: it needs tools, resources, prompts or routes" });
});

/** All faults in one line, each with its place. */
export function packFaults({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join(".") || "pack"}: ${message}`).join("; ");
}
