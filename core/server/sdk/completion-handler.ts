// completion/complete: the arguments of prompts, and the parameters of resources. An argument that can't be completed has no
// values. A completion that needs a connection or a permission is refused as its prompt or resource is, because an empty list
// would say that there is no such thing.

import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { safeText } from "../../../common/safe-text.ts";
import type { PackRequests } from "../../dispatch/pack-requests.ts";
import type { PromptCatalogue } from "../../prompts/prompt-catalogue.ts";
import type { ResourceCatalogue } from "../../resources/resource-catalogue.ts";
import { parameterNames } from "../../resources/uri-template.ts";
import { type Completion, MAX_COMPLETIONS } from "../../tools/completion.ts";
import type { Requirements } from "../../tools/tool.ts";
import { scopeOf } from "./call-scope.ts";
import { unknownPrompt } from "./prompt-handlers.ts";

/** Maximum length of what a client made up, in the error message. */
const MAX_SHOWN = 100;

interface Completable {
  readonly name: string;
  readonly requires: Requirements | undefined;
  readonly complete: Completion | null | undefined;
}

interface Catalogues {
  readonly resources: ResourceCatalogue;
  readonly prompts: PromptCatalogue;
}

type Reference = { readonly type: "ref/prompt"; readonly name: string } | {
  readonly type: "ref/resource";
  readonly uri: string;
};

export function serveCompletions({ server }: McpServer, catalogues: Catalogues, requests: PackRequests): void {
  server.setRequestHandler("completion/complete", async ({ params }, context) => {
    const { ref, argument } = params;
    const { name, requires, complete } = completable(ref, argument.name, catalogues);
    if (complete === null || complete === undefined) return { completion: { values: [], total: 0, hasMore: false } };
    const others = params.context?.arguments ?? {};
    const values = await requests.run(
      { kind: "completion", name, ...(requires && { requires }) },
      scopeOf(context),
      (call) => complete(argument.value, call, others),
    );
    const shown = values.slice(0, MAX_COMPLETIONS);
    return { completion: { values: shown, total: values.length, hasMore: shown.length < values.length } };
  });
}

function completable(ref: Reference, argument: string, { resources, prompts }: Catalogues): Completable {
  if (ref.type === "ref/prompt") {
    const prompt = prompts.get(ref.name);
    if (prompt === undefined) throw unknownPrompt(ref.name, prompts.names);
    const { name, requires, arguments: known = {} } = prompt;
    checkArgument(argument, name, Object.keys(known));
    return { name, requires, complete: known[argument]?.complete };
  }
  const resource = resources.template(ref.uri);
  if (resource === undefined) {
    throw invalid(`Resource template ${safeText(ref.uri, MAX_SHOWN)} not found; resources/templates/list names all.`);
  }
  const { uri, requires, parameters = {} } = resource;
  checkArgument(argument, uri, parameterNames(uri));
  return { name: uri, requires, complete: parameters[argument] };
}

function checkArgument(argument: string, of: string, known: readonly string[]): void {
  if (known.includes(argument)) return;
  const all = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
  throw invalid(`${of} has no argument ${safeText(argument, MAX_SHOWN)}; ${all}.`);
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
