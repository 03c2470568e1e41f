// The state of the simulation: its strategies and personas.

import type { SimulationResult } from "../contract/tool-results.ts";

export function Simulation({ status }: { readonly status: SimulationResult }) {
  return <pre>{JSON.stringify(status)}</pre>;
}
