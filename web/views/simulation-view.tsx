// The view of mkt_sim_status: the simulation, and the personas of all strategies or of one.

import { Simulation } from "../components/simulation.tsx";
import type { SimulationResult } from "../contract/tool-results.ts";
import { Selection } from "./selection.tsx";
import type { View, ViewProps } from "./view.ts";

/** No strategy has this name. */
const ALL = "";

export const simulationView: View = {
  title: "Simulation",
  tool: "mkt_sim_status",
  values: ({ strategy }) => ({ ...(strategy !== undefined && { strategy }) }),
  // Other columns than the usual ones, or a later page.
  suits: ({ fields, cursor }) => fields === undefined && cursor === undefined,
  Content: SimulationContent,
};

function SimulationContent({ result, values, follow }: ViewProps) {
  const status = result as unknown as SimulationResult;
  // The result has the figures of all strategies, whichever is chosen.
  const strategies = status.strategies.map(({ strategy }) => ({ value: String(strategy), text: String(strategy) }));
  return (
    <>
      {follow !== null && strategies.length > 1 && (
        <Selection
          label="Personas of"
          options={[{ value: ALL, text: "all strategies" }, ...strategies]}
          value={(values["strategy"] as string | undefined) ?? ALL}
          onChange={(strategy) => follow(strategy === ALL ? {} : { strategy })}
        />
      )}
      <Simulation status={status} />
    </>
  );
}
