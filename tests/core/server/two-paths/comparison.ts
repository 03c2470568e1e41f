// What a client and an operator may see differ between the two paths. Each exception is named here with its reason;
// everything else is the same, byte for byte.

import { withoutProcess } from "../../../support/metrics-text.ts";
import type { Observed } from "./twins.ts";

/** Each gives an observation without what may differ. */
const EXCEPTIONS: readonly ((observed: Observed) => Observed)[] = [
  // The reference of an internal error is a random id that leads from an answer to the log.
  bodyWithout(/under [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "under REFERENCE"),
  // GET /metrics tells the memory and the processor time of the moment.
  (observed) => ({ ...observed, body: withoutProcess(observed.body) }),
  // The request state of a question is a random id, signed with a key of the process.
  bodyWithout(/"requestState":"[\w.-]+"/g, '"requestState":"STATE"'),
  // A plain answer is complete when it begins, so the short timeout is set again; the SDK may still be sending its stream.
  (observed) => isEventStream(observed) ? { ...observed, timeouts: observed.timeouts.slice(0, 1) } : observed,
  // A plain answer begins as a stream 250 ms later, so the last comment that keeps it open may come before or after the answer.
  (observed) => isEventStream(observed) ? bodyWithout(/: keepalive\n\n/g, "")(observed) : observed,
];

function bodyWithout(pattern: RegExp, replacement: string) {
  return (observed: Observed) => ({ ...observed, body: observed.body.replaceAll(pattern, replacement) });
}

function isEventStream({ headers }: Observed): boolean {
  return headers.some(([name, value]) => name === "content-type" && value === "text/event-stream");
}

/** What must be the same. */
function comparable(observed: Observed): Omit<Observed, "answeredBySdk"> {
  const { answeredBySdk: _, ...rest } = EXCEPTIONS.reduce((left, without) => without(left), observed);
  return rest;
}

/** The members that differ, as text; empty if there are none. */
export function differences(plain: Observed, sdk: Observed): string {
  const [one, other] = [comparable(plain), comparable(sdk)];
  const names = Object.keys(one) as (keyof typeof one)[];
  return names.filter((name) => !Bun.deepEquals(one[name], other[name], true))
    .map((name) => `${name}\n  plain path: ${shortOf(one[name])}\n  SDK:        ${shortOf(other[name])}`).join("\n");
}

function shortOf(value: unknown): string {
  return (JSON.stringify(value) ?? "undefined").slice(0, 3000);
}

/** The state of the question in an answer; undefined if the answer is none. */
export function requestStateOf({ body }: Observed): string | undefined {
  return /"requestState":"([\w.-]+)"/.exec(body)?.[1];
}
