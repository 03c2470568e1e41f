// The positions of an entity by contract, with its profit.

import type { PositionsResult } from "../contract/tool-results.ts";

export function Positions({ entity }: { readonly entity: PositionsResult }) {
  return <pre>{JSON.stringify(entity)}</pre>;
}
