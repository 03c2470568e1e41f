// The simulation: state, strategies, personas.

import type { PageProps } from "./page.ts";

export default function SimulationPage(_: PageProps) {
  return <p>SimulationPage</p>;
}
