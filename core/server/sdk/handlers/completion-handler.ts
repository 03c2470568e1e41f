// completion/complete: the arguments of prompts, and the parameters of resources. An argument that can't be completed has no
// values. A completion that needs a connection or a permission is refused as its prompt or resource is, because an empty list
// would say that there is no such thing.

import { type CompleteResult, type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { safeText } from "../../../../common/safe-text.ts";
import type { Offers } from "../../../dispatch/offers.ts";
import type { PackRequest } from "../../../dispatch/pack-requests.ts";
import { ToolError } from "../../../error.ts";
import { parameterNames } from "../../../resources/uri-template.ts";
import { type Completion, MAX_COMPLETIONS } from "../../../tools/completion.ts";
import type { Requirements } from "../../../tools/tool.ts";
import { scopeOf } from "../exchange/call-scope.ts";
import { unknownPrompt } from "./prompt-handlers.ts";

/** Maximum length of what a client made up, in the error message. */
const MAX_SHOWN = 100;

interface Completable {
  readonly name: string;
  readonly requires: Requirements | undefined;
  /** By argument; null for one that can't be completed. */
  readonly completions: Readonly<Record<string, Completion | null>>;
}

interface Argument {
  readonly name: string;
  readonly value: string;
}

type Reference = { readonly type: "ref/prompt"; readonly name: string } | {
  readonly type: "ref/resource";
  readonly uri: string;
};

export function serveCompletions({ server }: McpServer, offers: Offers): void {
  const { requests } = offers;
  server.setRequestHandler("completion/complete", async ({ params }, context) => {
    const { ref, argument } = params;
    const scope = scopeOf(context);
    const of = offered(ref, offers);
    if (of === null) {
      requests.recordUnknown("completion", ref.type === "ref/prompt" ? "prompt" : "resource", scope);
      throw unknownReference(ref, offers);
    }
    const others = params.context?.arguments ?? {};
    return await requests.run(requestOf(of, argument), scope, async (call) => {
      checkArgument(argument.name, of);
      return { completion: shown(await of.completions[argument.name]?.(argument.value, call, others) ?? []) };
    });
  });
}

/** Null if there is no such prompt or resource template. */
function offered(ref: Reference, { resources, prompts }: Offers): Completable | null {
  if (ref.type === "ref/prompt") {
    const prompt = prompts.get(ref.name);
    if (prompt === undefined) return null;
    const { name, requires, arguments: known = {} } = prompt;
    const completions = Object.entries(known).map(([argument, { complete }]) => [argument, complete ?? null]);
    return { name, requires, completions: Object.fromEntries(completions) };
  }
  const resource = resources.template(ref.uri);
  if (resource === undefined) return null;
  const { uri, requires, parameters = {} } = resource;
  const completions = parameterNames(uri).map((parameter) => [parameter, parameters[parameter] ?? null]);
  return { name: uri, requires, completions: Object.fromEntries(completions) };
}

/** What can't be completed needs no connection to say so. */
function requestOf({ name, requires, completions }: Completable, argument: Argument): PackRequest {
  const isKnown = Object.hasOwn(completions, argument.name);
  const typed = `(text, ${argument.value.length} characters)`;
  return {
    kind: "completion",
    name,
    arguments: isKnown ? { argument: argument.name, value: typed } : null,
    ...(isKnown && completions[argument.name] && requires && { requires }),
  };
}

/** A value that can't be shown as it is would not be that value any more, so it is left out. */
function shown(values: readonly string[]): CompleteResult["completion"] {
  const plain = values.filter((value) => safeText(value) === value);
  const first = plain.slice(0, MAX_COMPLETIONS);
  return { values: first, total: plain.length, hasMore: first.length < plain.length };
}

function unknownReference(ref: Reference, { prompts }: Offers): ProtocolError {
  if (ref.type === "ref/prompt") return unknownPrompt(ref.name, prompts.names);
  const message = `Resource template ${safeText(ref.uri, MAX_SHOWN)} not found; resources/templates/list names all.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function checkArgument(argument: string, { name, completions }: Completable): void {
  if (Object.hasOwn(completions, argument)) return;
  const known = Object.keys(completions);
  const all = known.length === 0 ? "It has none." : `It has ${known.join(", ")}.`;
  throw new ToolError("invalid_input", `${name} has no argument ${safeText(argument, MAX_SHOWN)}.`, all);
}
