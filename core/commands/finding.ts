// The findings of `mkt doctor`, and how they are printed.

import { oneLine } from "../../common/command-line.ts";

export interface Finding {
  readonly subject: string;
  /** `off`: not configured and not needed. `warning`: works, but should be changed. */
  readonly state: "ok" | "off" | "warning" | "failed";
  readonly detail: string;
}

/** One line for each finding; text from a backend in `detail` is made safe. */
export function findingsAsText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  return findings.map(({ subject, state, detail }) =>
    `${state.padEnd(7)}  ${subject.padEnd(width)}  ${oneLine(detail)}`
  ).join("\n");
}
