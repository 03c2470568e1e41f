// Whether two patterns of URIs, or of the paths of routes, match the same text. A parameter stands for one whole segment.

import type { RoutePattern } from "../routes/route-path.ts";

type Segment = RoutePattern[number];

/** Of a URI template: `acme://zones/{zone}`. The scheme is the first literal. */
export function uriPattern(template: string): RoutePattern {
  return template.split("/").map((segment) =>
    /^\{.*\}$/.test(segment) ? { kind: "parameter", name: segment.slice(1, -1) } : { kind: "literal", text: segment }
  );
}

/** The rest may be empty, as a route `/acme/*` also answers `/acme`. */
export function overlap(left: RoutePattern, right: RoutePattern): boolean {
  const [first, ...others] = left;
  const [second, ...further] = right;
  if (first?.kind === "rest" || second?.kind === "rest") return true;
  if (first === undefined || second === undefined) return first === second;
  return meet(first, second) && overlap(others, further);
}

/** Whether two patterns match the same paths, whatever the names of their parameters. */
export function isSamePattern(left: RoutePattern, right: RoutePattern): boolean {
  return left.length === right.length && left.every((segment, index) => {
    const other = right[index];
    return segment.kind === other?.kind &&
      (segment.kind !== "literal" || other.kind !== "literal" || segment.text === other.text);
  });
}

/** A parameter matches no empty segment. */
function meet(first: Segment, second: Segment): boolean {
  if (first.kind === "literal") return second.kind === "literal" ? first.text === second.text : first.text !== "";
  return second.kind !== "literal" || second.text !== "";
}
