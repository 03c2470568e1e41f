// Trades at random, within the limits of its terms, and ends the episode at a random moment: the least that anybody else
// should beat.

import { SeededRandom } from "../../sim/random/seeded-random.ts";
import type { Baseline } from "./seat.ts";
import { ANY_PRICE, Desk } from "./desk.ts";

const STEP_MINUTES = 10;
/** Of a step, to be the last one. */
const CHANCE_OF_END = 0.1;
/** Contracts that are traded in a step. */
const MOST_CONTRACTS = 4;

export const random: Baseline = {
  name: "random",
  play: async (seat) => {
    const desk = await Desk.open(seat);
    const draw = new SeededRandom(seat.seed).fork("random baseline");
    while (!desk.isOver && draw.next() >= CHANCE_OF_END) {
      for (let count = 0; count < MOST_CONTRACTS && desk.contracts.length > 0; count += 1) {
        const { contractId } = desk.contracts[draw.integer(0, desk.contracts.length - 1)]!;
        const { buy, sell } = desk.roomIn(contractId);
        const isBuying = draw.next() < 0.5;
        const most = Math.floor(isBuying ? buy : sell);
        if (most === 0) continue;
        const megawatts = draw.integer(1, most);
        await desk.take(contractId, isBuying ? megawatts : -megawatts, isBuying ? ANY_PRICE.buy : ANY_PRICE.sell);
      }
      await desk.wait(STEP_MINUTES);
    }
    await desk.submit();
  },
};
