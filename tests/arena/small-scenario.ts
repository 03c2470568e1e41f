// A scenario that is played in a moment: few others, half an hour, and deliveries so far away that none settles at spot.

import eveningPeak from "../../arena/scenario/built-in/evening-peak.json" with { type: "json" };

/** As in a file. */
export const SMALL_SCENARIO = {
  ...eveningPeak,
  name: "small",
  brief: "Buy {volumeMw} MW of each of the next months, and never sell.",
  others: { preset: "thin" },
  warmUpMinutes: 5,
  minutes: 30,
  trading: { ...eveningPeak.trading, products: ["NORTH-MO-BASE"] },
};
