// What somebody who knows the trade does with each kind of trading terms, which proves that a scenario can be solved:
//
// - A duty is traded patiently: an order leads its side of the book by a tick, and what others offer at the forecast, or little
//   worse, is taken: a better offer may come, but the forecast itself moves meanwhile. The rate at which it must be done rises
//   towards the end.
// - A plant or battery trades its rolling intrinsic value: the best schedule for the prices in the books now, again every half
//   hour (Gray & Khandelwal, "Towards a realistic gas storage model", Commodities Now, 2004).
// - Without either, it makes a market around the forecast.

import { Desk, type DeskContract } from "./desk.ts";
import { tradeFairValue } from "./fair-value.ts";
import { takeParts } from "./plain.ts";
import { tradeSchedule } from "./schedule.ts";
import type { Baseline } from "./seat.ts";

const STEP_MINUTES = 2;
/** From then on, what is missing is traded at any price. */
const LAST_MINUTES = 10;
const REVISION_MINUTES = 30;
/** For a duty as large as what the book shows. */
const MINUTES_PER_BOOK = 15;
const LEAST_MINUTES = 10;
/** Of the time that there is. */
const MOST_SHARE = 0.85;
/** By how much an offer that is taken may be worse than the forecast, as a share of it. Chosen by trial. */
const MOST_WORSE = 0.015;

export const expert: Baseline = {
  name: "expert",
  play: async (seat) => {
    const desk = await Desk.open(seat);
    if (desk.terms.asset !== null) await rollingIntrinsic(desk);
    else if (desk.terms.duty !== null) await patient(desk, desk.terms.duty);
    else await tradeFairValue(desk);
  },
};

/** Does the duty with orders that lead their side of the book. */
async function patient(desk: Desk, duty: number): Promise<void> {
  const [begun, minutes] = [desk.minutesLeft, await minutesFor(desk, duty)];
  while (!desk.isOver) {
    await desk.cancelAll();
    await desk.readForecasts();
    const left = Math.max(0, 1 - ((begun - desk.minutesLeft) / minutes) ** 2);
    if (desk.contracts.every(({ contractId }) => desk.positionIn(contractId) === duty)) break;
    if (desk.minutesLeft <= LAST_MINUTES) {
      if (await takeParts(desk, 1)) break;
    } else {
      for (const contract of desk.contracts) await lead(desk, contract, duty, left);
    }
    await desk.wait(STEP_MINUTES, ["fill"]);
  }
  await desk.submit();
}

/**
 * How long to take for it: prices move while one waits, and an order that is large for the book moves them itself. So it is in
 * proportion to what the book shows.
 */
async function minutesFor(desk: Desk, duty: number): Promise<number> {
  let most = LEAST_MINUTES;
  for (const { contractId } of desk.contracts) {
    const { bids, asks } = await desk.book(contractId);
    const needed = duty - desk.positionIn(contractId);
    const shown = (needed > 0 ? asks : bids).reduce((sum, { volume }) => sum + volume, 0);
    most = Math.max(most, MINUTES_PER_BOOK * Math.abs(needed) / Math.max(1, shown));
  }
  return Math.min(most, MOST_SHARE * desk.minutesLeft);
}

/** `left`: the share of the duty that may be left to do by now. */
async function lead(desk: Desk, { contractId, forecast }: DeskContract, duty: number, left: number): Promise<void> {
  const { bids: [bid], asks: [ask] } = await desk.book(contractId);
  if (bid === undefined || ask === undefined) return;
  const needed = () => duty - desk.positionIn(contractId);
  const direction = Math.sign(needed());
  const [near, far] = direction > 0 ? [bid.price, ask.price] : [ask.price, bid.price];
  const limit = Math.round(forecast + direction * Math.abs(forecast) * MOST_WORSE);
  if ((limit - far) * direction >= 0) await desk.take(contractId, needed(), limit);
  const late = Math.floor(Math.abs(needed()) - Math.abs(duty - desk.terms.position) * left);
  if (late >= 1) await desk.take(contractId, direction * late, far);
  const leading = near + direction;
  await desk.rest(contractId, needed(), (far - leading) * direction > 0 ? leading : near);
}

async function rollingIntrinsic(desk: Desk): Promise<void> {
  while (!desk.isOver) {
    await tradeSchedule(desk);
    await desk.wait(REVISION_MINUTES);
  }
}
