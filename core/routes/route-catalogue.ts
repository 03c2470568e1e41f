// The offered routes, and which one a request means. Created once for a process. If several routes of a pack match a path, the
// most specific one answers; routes of two packs never match the same path, because such packs are refused (core/packs).

import { bySpecificity, matchPath, pathSegments, type RoutePattern, routePattern } from "./route-path.ts";
import { type Route, ROUTE_METHODS } from "./route.ts";

export interface FoundRoute {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The path is known, but not with this method. */
export interface OtherMethods {
  /** As the header Allow has them. */
  readonly allow: string;
}

interface Entry {
  readonly route: Route;
  readonly pattern: RoutePattern;
}

export class RouteCatalogue {
  /** The most specific ones first. */
  readonly #entries: readonly Entry[];

  constructor(readonly routes: readonly Route[]) {
    this.#entries = routes.map((route) => ({ route, pattern: routePattern(route.path) }))
      .sort((left, right) => bySpecificity(left.pattern, right.pattern));
  }

  /** HEAD finds the route of GET. Null if no route has such a path. */
  find(method: string, pathname: string): FoundRoute | OtherMethods | null {
    if (this.#entries.length === 0) return null;
    const segments = pathSegments(pathname);
    if (segments === null) return null;
    const wanted = method === "HEAD" ? "GET" : method;
    const methods = new Set<string>();
    for (const { route, pattern } of this.#entries) {
      const parameters = matchPath(pattern, segments);
      if (parameters === null) continue;
      if (route.method === wanted) return { route, parameters };
      methods.add(route.method);
    }
    return methods.size === 0 ? null : { allow: allowed(methods) };
  }
}

function allowed(methods: ReadonlySet<string>): string {
  return ROUTE_METHODS.filter((method) => methods.has(method))
    .map((method) => method === "GET" ? "GET, HEAD" : method)
    .join(", ");
}
