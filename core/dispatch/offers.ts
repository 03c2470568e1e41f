// What packs offer besides tools, as the transports need it. Created once for a process.

import { PromptCatalogue } from "../prompts/prompt-catalogue.ts";
import type { Prompt } from "../prompts/prompt.ts";
import { ResourceCatalogue } from "../resources/resource-catalogue.ts";
import type { Resource } from "../resources/resource.ts";
import { RouteCatalogue } from "../routes/route-catalogue.ts";
import type { Route } from "../routes/route.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { type ObserveRequest, PackRequests } from "./pack-requests.ts";

export interface Offers {
  readonly resources: ResourceCatalogue;
  readonly prompts: PromptCatalogue;
  readonly routes: RouteCatalogue;
  /** Runs the requests for all of them. */
  readonly requests: PackRequests;
  /** Aborts when the process begins to end. */
  readonly ending: AbortSignal;
}

interface Offering {
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  readonly routes: readonly Route[];
}

/** Requests share the capacity and the end of the dispatcher's calls. */
export function offersOf(
  packs: readonly Offering[],
  { services, running, tracer }: Dispatcher,
  observe?: ObserveRequest,
): Offers {
  return {
    resources: new ResourceCatalogue(packs.flatMap((pack) => pack.resources)),
    prompts: new PromptCatalogue(packs.flatMap((pack) => pack.prompts)),
    routes: new RouteCatalogue(packs.flatMap((pack) => pack.routes)),
    requests: new PackRequests(services, running, observe, tracer),
    ending: running.ending,
  };
}
