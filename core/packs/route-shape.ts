// What a route of an external pack must look like.

import { z } from "zod";
import { type HandledRoute, type PublicFile, ROUTE_METHODS } from "../routes/route.ts";
import { pathFault } from "./address-faults.ts";
import { callable, only, requires, type SchemasOf, text } from "./shape-parts.ts";

/** Any other text would fail each request. */
const headerValue = z.string().regex(/^[\x20-\x7e]+$/, "must be the value of an HTTP header: printable ASCII text");

/** Of a handled route or of a public file. */
export const routeShape = only(
  "a route",
  {
    method: z.enum(ROUTE_METHODS),
    path: text.superRefine((path, context) => {
      const fault = pathFault(path);
      if (fault !== null) context.addIssue({ code: "custom", message: fault });
    }),
    description: text,
    requires,
    readOnlyHint: z.boolean().optional(),
    handler: callable.optional(),
    publicFile: only(
      "a public file",
      {
        content: z.union([z.string(), z.instanceof(Uint8Array)], { error: "must be a string or a Uint8Array" }),
        contentType: headerValue,
        cacheControl: headerValue.optional(),
        contentSecurityPolicy: headerValue.optional(),
      } satisfies SchemasOf<PublicFile>,
    ).optional(),
  } satisfies SchemasOf<HandledRoute, "browser" | "allowedWhenFrozen">,
  { browser: "is for built-in packs", allowedWhenFrozen: "is for built-in packs" },
).superRefine((declared, context) => {
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
