// Format 11: a market has a clock of its own, so calls have market time and real time. Both were the same before.

import { changeSections } from "./sections.ts";
import type { JsonObject, UpgradeStep } from "./journal-content.ts";

export const FROM_FORMAT_10: UpgradeStep = {
  parts: (parts) =>
    changeSections(parts, ([name, items]) => {
      if (name !== "numbers") return [[name, items]];
      const clock = { mode: "real", speed: 1 };
      return [[name, items.map((item) => ({ ...item as JsonObject, realNow: (item as JsonObject)["now"], clock }))]];
    }),
};
