// The view of mkt_sim_status: the simulation, and the personas of all strategies or of one.

import { Field } from "../components/field.tsx";
import { Simulation } from "../components/simulation.tsx";
import type { SimulationResult } from "../contract/tool-results.ts";
import type { View, ViewProps } from "./view.ts";

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
  const strategies = status.strategies.map(({ strategy }) => String(strategy));
  return (
    <>
      {follow !== null && strategies.length > 1 && (
        <Field label="Personas of">
          <select
            value={(values["strategy"] as string | undefined) ?? ""}
            onChange={({ currentTarget: { value } }) => follow(value === "" ? {} : { strategy: value })}
          >
            <option value="">all strategies</option>
            {strategies.map((strategy) => <option key={strategy} value={strategy}>{strategy}</option>)}
          </select>
        </Field>
      )}
      <Simulation status={status} />
    </>
  );
}
