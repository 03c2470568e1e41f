// Trades at its own forecast of each contract: the mean of the middle prices that it has seen.

import type { Baseline } from "./seat.ts";
import { Desk } from "./desk.ts";
import { takeParts } from "./plain.ts";

const STEP_MINUTES = 5;
/** From then on, what is missing is traded at any price. */
const LAST_MINUTES = 15;
/** The share of a new price in the forecast. */
const NEWS = 0.2;
/** Of a price, by which another must be better if nothing has to be traded. */
const MARGIN = 0.02;

export const forecast: Baseline = {
  name: "forecast",
  play: async (seat) => {
    const desk = await Desk.open(seat);
    const forecasts = new Map<string, number>();
    while (!desk.isOver) {
      await desk.cancelAll();
      if (desk.minutesLeft <= LAST_MINUTES && await takeParts(desk, 1)) break;
      for (const { contractId } of desk.contracts) {
        const { bids: [bid], asks: [ask] } = await desk.book(contractId);
        if (bid === undefined || ask === undefined) continue;
        const middle = (bid.price + ask.price) / 2;
        const expected = (forecasts.get(contractId) ?? middle) * (1 - NEWS) + middle * NEWS;
        forecasts.set(contractId, expected);
        await quote(desk, contractId, Math.round(expected));
      }
      await desk.wait(STEP_MINUTES);
    }
    await desk.submit();
  },
};

async function quote(desk: Desk, contractId: string, price: number): Promise<void> {
  const { terms: { duty } } = desk;
  if (duty !== null) {
    await desk.rest(contractId, duty - desk.positionIn(contractId), price);
    return;
  }
  const margin = Math.ceil(Math.abs(price) * MARGIN);
  const { buy, sell } = desk.roomIn(contractId);
  await desk.rest(contractId, buy, price - margin);
  await desk.rest(contractId, -sell, price + margin);
}
