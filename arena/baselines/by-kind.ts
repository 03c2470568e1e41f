// Baselines that play both kinds of scenarios: a trading scenario as they trade, and an operating one in another way.

import { z } from "zod";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { EXPERTS } from "./operating/experts.ts";
import { Inquiry } from "./operating/inquiry.ts";
import { randomAnswer } from "./operating/random-answer.ts";
import type { Baseline, Seat } from "./seat.ts";

const brief = z.looseObject({ scenario: z.string(), terms: z.unknown(), answer: z.unknown() });
type Brief = z.output<typeof brief>;
type Play = (seat: Seat, brief: Brief) => Promise<unknown>;

/** `operate`: what it does in an operating scenario. */
export function byKind({ name, play }: Baseline, operate: Play): Baseline {
  return {
    name,
    play: async (seat) => {
      const given = brief.parse(await seat.call("mkt_arena_brief"));
      if (given.terms !== null) await play(seat);
      else await operate(seat, given);
    },
  };
}

export const submitNothing: Play = (seat) => seat.call("mkt_arena_submit");

export const submitAtRandom: Play = async (seat, { answer }) => {
  const random = new SeededRandom(seat.seed).fork("random baseline");
  await seat.call("mkt_arena_submit", answer === null ? {} : { answer: randomAnswer(answer, random) });
};

/** Throws if the scenario is none that is built in. */
export const operateAsExpert: Play = async (seat, { scenario }) => {
  const expert = EXPERTS[scenario];
  if (expert === undefined) throw new Error(`no expert knows the scenario ${scenario}`);
  await expert(await Inquiry.open(seat));
};
