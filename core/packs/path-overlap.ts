// Patterns of URIs and of HTTP paths, and whether two of them match the same text. A parameter stands for one whole segment.

/** A segment is a literal text, one parameter, or, at the end only, the rest. */
type Segment = { readonly literal: string } | "parameter" | "rest";

export type SegmentPattern = readonly Segment[];

/** Of a URI template: `acme://zones/{zone}`. The scheme is the first literal. */
export function uriPattern(template: string): SegmentPattern {
  return template.split("/").map((segment) => /^\{.*\}$/.test(segment) ? "parameter" : { literal: segment });
}

/** Of a route's path: `/acme/:zone`, `/acme/*`. */
export function pathPattern(path: string): SegmentPattern {
  return path.split("/").map((segment) => {
    if (segment === "*") return "rest";
    return segment.startsWith(":") ? "parameter" : { literal: segment };
  });
}

/** Whether a text can match both. The rest may be empty, as a route `/acme/*` also answers `/acme`. */
export function overlap(left: SegmentPattern, right: SegmentPattern): boolean {
  const [first, ...others] = left;
  const [second, ...further] = right;
  if (first === "rest" || second === "rest") return true;
  if (first === undefined) return second === undefined;
  if (second === undefined) return false;
  if (first !== "parameter" && second !== "parameter" && first.literal !== second.literal) return false;
  if (isEmpty(first) && second === "parameter" || isEmpty(second) && first === "parameter") return false;
  return overlap(others, further);
}

/** A parameter matches no empty segment. */
function isEmpty(segment: Segment): boolean {
  return typeof segment === "object" && segment.literal === "";
}
