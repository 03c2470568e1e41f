// Begins the incidents of an operating scenario in its world, which has not begun to trade.

import type { Incident, IncidentKind, IncidentOf } from "../scenario/incident-terms.ts";
import { blockedOrder } from "./blocked-order.ts";
import { lostAnswer } from "./lost-answer.ts";
import { marketIncident } from "./market-incident.ts";
import { priceMove } from "./price-move.ts";
import { report } from "./report.ts";
import { runawayTrader } from "./runaway-trader.ts";
import { Stage } from "./stage.ts";

const KINDS: { readonly [Kind in IncidentKind]: (stage: Stage, terms: IncidentOf<Kind>) => void } = {
  "blocked-order": blockedOrder,
  "price-move": priceMove,
  "market-incident": marketIncident,
  "runaway-trader": runawayTrader,
  "lost-answer": lostAnswer,
  "report": report,
};

/** Throws RangeError if the market has nobody who can take part. */
export function beginIncidents(incidents: readonly Incident[], options: ConstructorParameters<typeof Stage>[0]): Stage {
  const stage = new Stage(options);
  for (const incident of incidents) {
    const begin = KINDS[incident.kind] as (stage: Stage, terms: Incident) => void;
    begin(stage, incident);
  }
  return stage;
}
