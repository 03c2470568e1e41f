// The entities of the market, as mkt_list_entities gives them: read once, and again when a page asks for it.

import { signal } from "@preact/signals";
import type { EntityRow } from "../../contract/tool-results.ts";
import { readAllPages } from "./paged-reads.ts";

/** Null: not read yet. */
export const entities = signal<readonly EntityRow[] | null>(null);

let names: ReadonlyMap<string, string> = new Map();
let reading: Promise<readonly EntityRow[]> | null = null;

/** Throws what `readTool` throws. Calls while the list is being read share one request. */
export function loadEntities(): Promise<readonly EntityRow[]> {
  reading ??= read().finally(() => void (reading = null));
  return reading;
}

/** Empty if unknown. */
export function entityName(entityId: string): string {
  return names.get(entityId) ?? "";
}

async function read(): Promise<readonly EntityRow[]> {
  const rows = await readAllPages<EntityRow>("mkt_list_entities", "entities");
  names = new Map(rows.map(({ id, name }) => [id, name]));
  entities.value = rows;
  return rows;
}
