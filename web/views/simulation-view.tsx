// The view of mkt_sim_status: the simulation, its strategies, and the personas of all strategies or of one.

import { PERSONA_COLUMNS } from "../components/persona-table.tsx";
import { Simulation } from "../components/simulation.tsx";
import type { SimulationResult } from "../contract/tool-results.ts";
import type { View, ViewProps } from "./view.ts";

/** As many as a simulation has at most. */
const ALL_PERSONAS = 200;

export const simulationView: View = {
  title: "Simulation",
  tool: "mkt_sim_status",
  values: ({ strategy }) => ({
    limit: ALL_PERSONAS,
    fields: PERSONA_COLUMNS,
    ...(strategy !== undefined && { strategy }),
  }),
  // Other columns than the usual ones, or a later page.
  suits: ({ fields, cursor }) => fields === undefined && cursor === undefined,
  Content: SimulationContent,
};

function SimulationContent({ result, timezone }: ViewProps) {
  return (
    <>
      <h2>Run</h2>
      <Simulation status={result as unknown as SimulationResult} timezone={timezone} />
    </>
  );
}
