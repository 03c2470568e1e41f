// A market maker by Avellaneda & Stoikov (sim/strategies/avellaneda-stoikov.ts has the formulas), around the middle of each
// book. It keeps within the limits of its terms. In the end it trades what is missing of a duty, or, without a duty and an
// asset, whatever it holds.

import { optimalSpread, PAPER, reservationPrice, scaledParameters } from "../../sim/strategies/avellaneda-stoikov.ts";
import type { Baseline } from "./seat.ts";
import { Desk } from "./desk.ts";
import { takeParts } from "./plain.ts";

/** For each four contracts, so that many of them don't use up its calls. */
const STEP_MINUTES = 2;
const CONTRACTS_PER_STEP = 4;
/** From then on, what is missing is traded at any price, and what is left is only reduced. */
const LAST_MINUTES = 15;
/** From then on it holds nothing: spot prices move far more than it earns. */
const FLAT_MINUTES = 8;
const HORIZON_MS = 24 * 3_600_000;
/** Half the spread without inventory, as a share of the price. */
const HALF_SPREAD = 0.006;
/** Orders of this many that fill the room between the limits. */
const ORDERS_PER_SIDE = 4;

export const maker: Baseline = {
  name: "maker",
  play: async (seat) => {
    const desk = await Desk.open(seat);
    const step = STEP_MINUTES * Math.ceil(desk.contracts.length / CONTRACTS_PER_STEP);
    while (!desk.isOver) {
      await desk.cancelAll();
      const isLast = desk.minutesLeft <= LAST_MINUTES;
      if (isLast && desk.terms.duty !== null && await takeParts(desk, 1)) break;
      const isFlat = desk.minutesLeft <= FLAT_MINUTES && desk.terms.duty === null && desk.terms.asset === null;
      for (const { contractId } of desk.contracts) {
        if (isFlat) await desk.flatten(contractId);
        else await quote(desk, contractId, isLast);
      }
      await desk.wait(step);
    }
    await desk.submit();
  },
};

async function quote(desk: Desk, contractId: string, isLast: boolean): Promise<void> {
  const { bids: [bid], asks: [ask] } = await desk.book(contractId);
  if (bid === undefined || ask === undefined) return;
  const { least, most, duty } = desk.terms;
  const quantity = Math.max(1, Math.floor((most - least) / 2 / ORDERS_PER_SIDE));
  const middle = (bid.price + ask.price) / 2;
  const parameters = {
    ...scaledParameters(Math.max(1, Math.abs(middle) * HALF_SPREAD), quantity, PAPER),
    horizonMs: HORIZON_MS,
  };
  const target = duty ?? Math.min(most, Math.max(least, 0));
  const inventory = desk.positionIn(contractId) - target;
  const centre = reservationPrice(middle, inventory / quantity, 1, parameters);
  const half = optimalSpread(1, parameters) / 2;
  const { buy, sell } = desk.roomIn(contractId);
  if (!isLast || inventory < 0) {
    await desk.rest(contractId, Math.min(quantity, Math.floor(buy)), Math.floor(centre - half));
  }
  if (!isLast || inventory > 0) {
    await desk.rest(contractId, -Math.min(quantity, Math.floor(sell)), Math.ceil(centre + half));
  }
}
