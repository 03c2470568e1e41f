// The routes of the HTTP API, as traces and metrics name them: without the ids in their paths.

import { PATHS } from "./http.ts";
import { SIMULATOR_PATHS } from "./simulator.ts";

const ID = "{id}";
const ROUTES: ReadonlySet<string> = new Set<string>([
  ...Object.values(PATHS).map((path) => typeof path === "string" ? path : decodeURIComponent(path(ID))),
  ...Object.values(SIMULATOR_PATHS),
]);

/** For example `/api/admin/orders/{id}/blocks`; null if the API has no such path. */
export function routeOf(path: string): string | null {
  const route = path.replace(/^(\/api\/admin\/(?:entities|orders)\/)[^/]+(\/[a-z]+)$/, `$1${ID}$2`);
  return ROUTES.has(route) ? route : null;
}
