// What a client and an operator may see differ between the two paths. Each exception is named here with its reason;
// everything else is the same, byte for byte.

import type { Observed } from "./twins.ts";

interface Exception {
  readonly name: string;
  readonly reason: string;
  /** The observation without what may differ. */
  readonly without: (observed: Observed) => Observed;
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    name: "reference of an internal error",
    reason: "a random id that leads from an answer to the log",
    without: (observed) => ({
      ...observed,
      body: observed.body.replaceAll(/under [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "under REFERENCE"),
    }),
  },
  {
    name: "request state of a question",
    reason: "a random id, signed with a key of the process",
    without: (observed) => ({
      ...observed,
      body: observed.body.replaceAll(/"requestState":"[\w.-]+"/g, '"requestState":"STATE"'),
    }),
  },
];

/** What must be the same. */
export function comparable(observed: Observed): Omit<Observed, "answeredBySdk"> {
  const { answeredBySdk: _, ...rest } = EXCEPTIONS.reduce((left, { without }) => without(left), observed);
  return rest;
}

/** The state of the question in an answer; undefined if the answer is none. */
export function requestStateOf({ body }: Observed): string | undefined {
  return /"requestState":"([\w.-]+)"/.exec(body)?.[1];
}
