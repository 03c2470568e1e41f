// All pages of a list that a tool gives.

import { readTool } from "./server.ts";

/** More than a market has; a bound in case that a list never ends. */
const MAX_PAGES = 30;
const PAGE = 100;

/** Throws what `readTool` throws. */
export async function readAllPages<Row>(
  tool: string,
  list: string,
  given: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const request = { ...given, limit: PAGE, ...(cursor !== null && { cursor }) };
    const answer = await readTool<Readonly<Record<string, unknown>>>(tool, request, signal);
    rows.push(...answer[list] as Row[]);
    cursor = answer["cursor"] as string | null;
    if (cursor === null) break;
  }
  return rows;
}
