// All pages of a list that a tool gives.

import { readTool } from "./server.ts";

/** More than a market has; a bound in case that a list never ends. */
const MAX_PAGES = 30;
const PAGE = 100;

type Listed<Name extends string, Row> = { readonly [name in Name]: readonly Row[] } & {
  readonly cursor: string | null;
};

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
    const answer: Listed<string, Row> = await readTool(
      tool,
      { ...given, limit: PAGE, ...(cursor !== null && { cursor }) },
      signal,
    );
    rows.push(...answer[list] as unknown as Row[]);
    cursor = answer.cursor;
    if (cursor === null) break;
  }
  return rows;
}
