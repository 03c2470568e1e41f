// The guard of mkt's speed over HTTP: in one run, the processor time of a call beside the SDK's server with the same tools.
//
// It asks for less than bench/README.md promises, in the median of pairs of rounds, in one of a few attempts. So a slow or
// busy machine, or a processor clock that ticks in 10 ms, doesn't fail it, but the loss of the plain path does. Runs in
// test:long: tests/core/server/two-paths.test.ts notices the loss of the plain path in every run, by counting.

import { expect, test } from "bun:test";
import { requiredAgainst } from "../../bench/serving/comparison.ts";
import { Fleet } from "../../bench/serving/fleet.ts";
import { measureInTurn, measureRound, ratiosOf } from "../../bench/serving/rounds.ts";
import type { ServerName } from "../../bench/serving/servers.ts";
import { startProcess } from "../support/processes.ts";
import { LONG } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { atEnd } from "../support/at-end.ts";

const CASES: readonly (readonly [string, ServerName])[] = [
  ["mkt_get_order", "SDK"],
  ["mkt_list_orders", "SDK"],
  ["tools/list", "SDK"],
  ["tools/list", "SDK, schemas kept"],
];
/** The least share of the promised ratio. */
const SHARE = 0.7;
const ATTEMPTS = 3;
const PAIRS = 5;
const WARM_UP = { milliseconds: 500, minProcessorMs: 100 };
const ROUND = { milliseconds: 200, minProcessorMs: 100 };

async function ratioTo(peer: ServerName, name: string, fleet: Fleet): Promise<number> {
  const sides = { mkt: await fleet.side("mkt", [name]), peer: await fleet.side(peer, [name]) };
  for (const side of Object.values(sides)) await measureRound(side, WARM_UP);
  const rounds = await measureInTurn(sides, PAIRS, ROUND);
  return ratiosOf(rounds.mkt, rounds.peer).processor;
}

test.if(LONG)("a call and the list of tools cost a fraction of the SDK's processor time", async () => {
  const fleet = await Fleet.start(startProcess, temporaryDirectory(), ["mkt", "SDK", "SDK, schemas kept"]);
  atEnd(() => fleet.end());
  for (const [name, peer] of CASES) {
    const least = SHARE * (requiredAgainst(peer, name) ?? NaN);
    const ratios: number[] = [];
    while (ratios.length < ATTEMPTS && !ratios.some((ratio) => ratio >= least)) {
      ratios.push(await ratioTo(peer, name, fleet));
    }
    const shown = ratios.map((ratio) => ratio.toFixed(2)).join(", ");
    console.log(`${name}: ${shown} times ${peer}; least: ${least.toFixed(2)}`);
    expect({ name, peer, ratios, isEnough: Math.max(...ratios) >= least }).toMatchObject({ isEnough: true });
  }
});
