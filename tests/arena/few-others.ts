// The others in a market that is played in a moment: few traders, who wait long.

/** Whoever knows something revises forecasts seldom, which otherwise takes most of the time. */
const SELDOM = { revisionMeanMs: 3_600_000 };

/** As in a scenario's file. */
export const FEW_OTHERS = {
  preset: "thin",
  information: { makers: SELDOM, informed: SELDOM },
  trading: {
    pace: { kind: "exponential", meanMs: 240_000 },
    paces: { "avellaneda-stoikov": { kind: "jittered", meanMs: 60_000 } },
  },
};
