import fc from "fast-check";

/** A random command of a kind, for `fc.oneof`. */
export function weighted<Kind extends string, Fields extends object>(
  weight: number,
  kind: Kind,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) {
  return { weight, arbitrary: fc.record(fields).map((values) => ({ kind, ...values })) };
}
