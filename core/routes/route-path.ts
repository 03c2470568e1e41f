// The path of a request, and the pattern of a route's path: `/acme/zones/:zone`, `/acme/files/*`. `:name` stands for one
// segment that is not empty, and `*` at the end for the rest, which may be empty.
//
// Segments are compared after decoding. A path that can't be decoded matches nothing. Neither does the rest if one of its
// segments would leave the folder of a file: `.`, `..`, or with a slash, a backslash or a zero character in it.

type Segment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "parameter"; readonly name: string }
  | { readonly kind: "rest" };

export type RoutePattern = readonly Segment[];

/** The pattern of a valid path. */
export function routePattern(path: string): RoutePattern {
  return path.slice(1).split("/").map((segment) => {
    if (segment === "*") return { kind: "rest" };
    return segment.startsWith(":") ? { kind: "parameter", name: segment.slice(1) } : { kind: "literal", text: segment };
  });
}

/** The decoded segments of a request's path; null if they can't be decoded. */
export function pathSegments(pathname: string): string[] | null {
  try {
    return pathname.slice(1).split("/").map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** The parameters of a path that matches; null for any other path. */
export function matchPath(pattern: RoutePattern, segments: readonly string[]): Record<string, string> | null {
  const parameters: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    if (part.kind === "rest") {
      const rest = segments.slice(index);
      return rest.every(isSafeInRest) ? { ...parameters, "*": rest.join("/") } : null;
    }
    const segment = segments[index];
    if (segment === undefined || (part.kind === "literal" ? segment !== part.text : segment === "")) return null;
    if (part.kind === "parameter") parameters[part.name] = segment;
  }
  return segments.length === pattern.length ? parameters : null;
}

/**
 * Sorts patterns that match the same path: at the first different segment a literal goes before a parameter, and the rest last.
 */
export function bySpecificity(left: RoutePattern, right: RoutePattern): number {
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = rankOf(left[at]) - rankOf(right[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A path that ends here is more specific than the rest, which may be empty. */
function rankOf(segment: Segment | undefined): number {
  if (segment === undefined) return 0;
  return segment.kind === "literal" ? 1 : segment.kind === "parameter" ? 2 : 3;
}

function isSafeInRest(segment: string): boolean {
  return segment !== "." && segment !== ".." && !/[/\\\0]/.test(segment);
}
