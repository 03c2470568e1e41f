// The dev pack: tools for stress tests, offered only if STRESS_TEST_SECRET is set.

import { definePack } from "../../core/packs/pack.ts";
import reset from "./reset.ts";

export default definePack({
  name: "dev",
  description: "For stress tests: reset credit and documents between all entities",
  tools: [...reset],
  needs: {
    setting: "stressTestSecret",
    reason: "it is for stress tests: set STRESS_TEST_SECRET to that of the engine",
  },
});
