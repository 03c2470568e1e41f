// What a person reads of an error. Tools write their reports for agents: they name other tools, which a page has no button for.

import type { ErrorReport } from "../../contract/calls.ts";

export const NO_ANSWER = "no_answer";
export const UNREACHABLE: ErrorReport = {
  code: "unreachable",
  message: "The server can't be reached.",
  hint: "The page tries again by itself.",
};

const HINTS: Readonly<Record<string, string>> = {
  forbidden:
    "This server acts as one user at a time: its operator chooses whom (MKT_USER_ID), or an agent connects it as another.",
  not_connected: "The page shows this once the server has connected to the market.",
  [NO_ANSWER]: "The page tries again by itself.",
};

const TOOL = /\bmkt_[a-z_]+/g;

/** The same report without the names of tools, with a hint of this page's own if there is one for this code. */
export function forPeople({ code, message, hint }: ErrorReport): ErrorReport {
  const said = HINTS[code] ?? withoutTools(hint ?? "");
  return { code, message: message.replaceAll(TOOL, "this tool"), ...(said !== "" && { hint: said }) };
}

/** Without the sentences that name a tool. */
function withoutTools(text: string): string {
  return text.split(/(?<=[.!?])\s+/).filter((sentence) => sentence.search(TOOL) < 0).join(" ");
}
