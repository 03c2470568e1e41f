// Makes a market around the public forecast, as in Avellaneda & Stoikov ("High-frequency trading in a limit order book",
// Quantitative Finance 8, 2008): the prices of both orders move against the position, so that it comes back to nothing. The
// forecast knows of news before the books do, so what others still offer at the prices of before is taken. Spot prices may
// miss the forecast by far more than this earns, so in the end the position is traded away.

import type { Desk } from "./desk.ts";

const STEP_MINUTES = 2;
/** From then on, orders only reduce the position. */
const LAST_MINUTES = 40;
/** From then on, what is left of it is traded away at any price. */
const FLAT_MINUTES = 8;
/** Orders of this many that fill the room between the limits. */
const ORDERS_PER_SIDE = 4;

/** The others are shares of the forecast. */
const HALF_SPREAD = 0.015;
/** What somebody must offer better than it, so that it is taken. */
const LEAST_GAIN = 0.02;
/** Given to reduce a position in the end. */
const GIVEN = 0.005;
/** By how much both orders move against the position, for each order that has been filled. */
const SHIFT = 0.7 * HALF_SPREAD;

export async function tradeFairValue(desk: Desk): Promise<void> {
  while (!desk.isOver) {
    await desk.cancelAll();
    await desk.readForecasts();
    for (const { contractId, forecast } of desk.contracts) {
      if (desk.minutesLeft <= FLAT_MINUTES) await desk.flatten(contractId);
      else if (desk.minutesLeft <= LAST_MINUTES) await reduce(desk, contractId, forecast);
      else await quote(desk, contractId, forecast);
    }
    await desk.wait(STEP_MINUTES);
  }
  await desk.submit();
}

async function reduce(desk: Desk, contractId: string, forecast: number): Promise<void> {
  const net = desk.positionIn(contractId);
  await desk.rest(contractId, -net, Math.round(forecast - Math.sign(net) * Math.abs(forecast) * GIVEN));
}

async function quote(desk: Desk, contractId: string, forecast: number): Promise<void> {
  const scale = Math.abs(forecast);
  const { bids: [bid], asks: [ask] } = await desk.book(contractId);
  const [dear, cheap] = [Math.ceil(forecast + scale * LEAST_GAIN), Math.floor(forecast - scale * LEAST_GAIN)];
  if (ask !== undefined && ask.price < cheap) await desk.take(contractId, desk.roomIn(contractId).buy, cheap);
  if (bid !== undefined && bid.price > dear) await desk.take(contractId, -desk.roomIn(contractId).sell, dear);
  const { least, most } = desk.terms;
  const quantity = Math.max(1, Math.floor((most - least) / 2 / ORDERS_PER_SIDE));
  const centre = forecast - SHIFT * scale * desk.positionIn(contractId) / quantity;
  const half = Math.max(1, HALF_SPREAD * scale);
  const { buy, sell } = desk.roomIn(contractId);
  await desk.rest(contractId, Math.min(quantity, Math.floor(buy)), Math.floor(centre - half));
  await desk.rest(contractId, -Math.min(quantity, Math.floor(sell)), Math.ceil(centre + half));
}
