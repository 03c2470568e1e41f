// The findings of `mkt doctor`, and how they are printed.

import { oneLine } from "../../common/command-line.ts";
import { coloured } from "../../common/output.ts";

export interface Finding {
  readonly subject: string;
  /** `off`: not configured and not needed. `warning`: works, but should be changed. */
  readonly state: "ok" | "off" | "warning" | "failed";
  readonly detail: string;
}

/** A finding without its subject. */
export type Answer = Omit<Finding, "subject">;

const BY_SEVERITY = ["failed", "warning", "ok", "off"] as const;

/** One finding of several of the same subject, of which there is at least one: those of the severest state. */
export function severest(findings: readonly Answer[]): Answer {
  const state = BY_SEVERITY.find((each) => findings.some((finding) => finding.state === each)) ?? "off";
  const ofState = findings.filter((finding) => finding.state === state);
  return { state, detail: ofState.map(({ detail }) => detail).join("; ") };
}

const COLOURS = { ok: "green", off: "dim", warning: "yellow", failed: "red" } as const;

/** One line for each finding; text from a backend in `detail` is made safe. On a terminal the state has a colour. */
export function findingsAsText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  return findings.map(({ subject, state, detail }) =>
    `${coloured(state.padEnd(7), COLOURS[state])}  ${subject.padEnd(width)}  ${oneLine(detail)}\n`
  ).join("");
}
