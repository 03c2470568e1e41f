// The simulation: its state, and in control what starts it, stops it and shocks prices.

import { ErrorNote, Skeleton } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { PERSONA_COLUMNS } from "../../components/persona-table.tsx";
import { Simulation } from "../../components/simulation.tsx";
import type { SimulationResult } from "../../contract/tool-results.ts";
import { market } from "../live/market-store.ts";
import { timezone } from "../live/market-clock.ts";
import { usePolled } from "../live/polled.ts";
import { readTool } from "../live/server.ts";
import { isControl } from "../live/session.ts";
import { PageHead } from "./page-head.tsx";
import { address } from "./page.ts";
import { SimulationControls } from "./simulation-controls.tsx";

const EVERY_MS = 2_000;
/** As many as a simulation has at most. */
const ALL = 200;

export default function SimulationPage() {
  const read = (signal: AbortSignal) =>
    readTool<SimulationResult>("mkt_sim_status", { limit: ALL, fields: PERSONA_COLUMNS }, signal);
  const { value, error, reload } = usePolled(read, "simulation", EVERY_MS);
  return (
    <div class="page">
      <PageHead title="Simulation" />
      {isControl.value && <SimulationControls status={value} nodes={nodes()} onDone={reload} />}
      {error !== null && <ErrorNote report={error} onRetry={reload} />}
      {value === null ? error === null && <Skeleton label="Asking the simulator" /> : (
        <Panel title="Run">
          <Simulation
            status={value}
            timezone={timezone.value}
            entityAddress={(entityId) => address("entities", entityId)}
          />
        </Panel>
      )}
    </div>
  );
}

function nodes(): readonly string[] {
  return [...new Set(market.markets.value.flatMap(({ nodes }) => nodes))];
}
