// The cursor of a list: the position of the last item of a page, as text that only this file reads.
//
// A cursor belongs to one list with one set of filters. It holds a hash of both, so that a cursor of another list, or with
// other filters, is refused instead of giving a wrong page.

import { ToolError } from "../error.ts";

/** A list as its caller asked for it. */
export interface ListRequest {
  /** Name of the tool. */
  readonly list: string;
  /** The parameters that choose the items; undefined ones count as absent. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The last item of a page. `rank`: its place in the order of the list; null if the id alone determines it. */
export interface ListPosition {
  readonly rank: string | number | null;
  readonly id: string;
}

const UTF8 = new TextEncoder();

export function encodeCursor(request: ListRequest, { rank, id }: ListPosition): string {
  const parts = JSON.stringify([keyOf(request), rank, id]);
  return UTF8.encode(parts).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Undefined without a cursor. Throws ToolError `invalid_input`. */
export function positionOf(request: ListRequest): ListPosition | undefined {
  if (request.cursor === undefined) return undefined;
  const parts = partsOf(request.cursor);
  if (parts === null) throw notACursor();
  const [key, rank, id] = parts;
  if (key !== keyOf(request)) throw refusal("belongs to another list or to other filters");
  return { rank, id };
}

/** The item after which the list would continue is gone, and the list has no other way to find its place. */
export function lostPosition(): ToolError {
  return refusal("can't be continued: the last item of that page is gone");
}

export function notACursor(): ToolError {
  return refusal("is not a cursor from an answer");
}

function refusal(what: string): ToolError {
  return new ToolError("invalid_input", `cursor ${what}.`, "Start again without cursor.");
}

/** The keys of lists without filters, which are asked for most. */
const keysOfWholeLists = new Map<string, string>();

function keyOf({ list, filters }: ListRequest): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  if (given.length > 0) return hashOf(list, given.toSorted(([a], [b]) => a < b ? -1 : 1));
  const key = keysOfWholeLists.get(list) ?? hashOf(list, []);
  keysOfWholeLists.set(list, key);
  return key;
}

function hashOf(list: string, given: readonly (readonly [string, unknown])[]): string {
  return Bun.hash(JSON.stringify([list, given])).toString(36);
}

type Parts = readonly [key: string, rank: ListPosition["rank"], id: string];

function partsOf(cursor: string): Parts | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return isParts(parts) ? parts : null;
  } catch {
    // Text that is no JSON can't be a cursor of ours.
    return null;
  }
}

function isParts(value: unknown): value is Parts {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [key, rank, id]: unknown[] = value;
  return typeof key === "string" && typeof id === "string" &&
    (rank === null || typeof rank === "string" || Number.isFinite(rank));
}
