// The packs that come with mkt, in the order in which their tools are listed.

import type { Pack } from "../core/packs/pack.ts";
import dashboard from "./dashboard/index.ts";
import dev from "./dev/index.ts";
import monitor from "./monitor/index.ts";
import mutation from "./mutation/index.ts";
import query from "./query/index.ts";
import sim from "./sim/index.ts";

export const PACKS: readonly Pack[] = [query, mutation, monitor, sim, dashboard, dev];
