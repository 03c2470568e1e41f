// What `mkt doctor` finds out about one subject, and how findings are printed.

import { oneLine } from "../../common/command-line.ts";

export interface Finding {
  readonly subject: string;
  /** `off` is for what is not configured and not needed; a `warning` works, and should be changed. */
  readonly state: "ok" | "off" | "warning" | "failed";
  readonly detail: string;
}

/** One line each: `detail` may hold text from a backend, which is data. */
export function findingsAsText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  return findings.map(({ subject, state, detail }) =>
    `${state.padEnd(7)}  ${subject.padEnd(width)}  ${oneLine(detail)}`
  ).join("\n");
}
