// completion/complete: the arguments of prompts, and the parameters of resources. An argument that can't be completed, or that
// the acting user may not see values of, has no values.

import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { safeText } from "../../../common/safe-text.ts";
import type { PackRequests } from "../../dispatch/pack-requests.ts";
import type { PromptCatalogue } from "../../prompts/prompt-catalogue.ts";
import type { ResourceCatalogue } from "../../resources/resource-catalogue.ts";
import { type Completion, MAX_COMPLETIONS } from "../../tools/completion.ts";
import type { Requirements } from "../../tools/tool.ts";
import { scopeOf } from "./call-scope.ts";
import { unknownPrompt } from "./prompt-handlers.ts";

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
    const known = prompt.arguments ?? {};
    return { name: prompt.name, requires: prompt.requires, complete: own(known, argument)?.complete };
  }
  const resource = resources.template(ref.uri);
  if (resource === undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Resource template ${safeText(ref.uri, 100)} not found; resources/templates/list names all.`,
    );
  }
  return { name: resource.uri, requires: resource.requires, complete: own(resource.parameters ?? {}, argument) };
}

function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
