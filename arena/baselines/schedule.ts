// Trades the best schedule of a plant or battery for what is in the books.

import { CENTS_PER_DOLLAR } from "../../engine/market/units.ts";
import { addPhysical } from "../score/physical.ts";
import { Programme, type Term } from "../score/programme.ts";
import type { Desk } from "./desk.ts";

/** MW that a schedule must differ from the position. */
const LEAST_TRADE = 1;

/** Trades what the best schedule for the books differs from the position. The solver must be loaded. */
export async function tradeSchedule(desk: Desk): Promise<void> {
  const { terms, contracts } = desk;
  const programme = new Programme();
  const offers: { contractId: string; variable: number; direction: number; price: number }[] = [];
  const periods = [];
  const nets = [];
  for (const { contractId, hours } of contracts) {
    const { bids, asks, lastPrice } = await desk.book(contractId);
    const [bid, ask] = [bids[0]?.price, asks[0]?.price];
    const value = (bid !== undefined && ask !== undefined ? (bid + ask) / 2 : bid ?? ask ?? lastPrice ?? 0) /
      CENTS_PER_DOLLAR;
    const flows: Term[] = [];
    for (const [levels, direction] of [[asks, 1], [bids, -1]] as const) {
      if (terms.side === (direction > 0 ? "sell" : "buy")) continue;
      for (const { price, volume } of levels) {
        const worth = direction * (value - price / CENTS_PER_DOLLAR) * hours;
        const variable = programme.variable({ most: volume, worth });
        offers.push({ contractId, variable, direction, price });
        flows.push([variable, direction]);
      }
    }
    const position = desk.positionIn(contractId);
    programme.row(flows, terms.least - position, terms.most - position);
    periods.push({ contractId, hours, value });
    nets.push({ constant: position, terms: flows });
  }
  addPhysical(programme, terms, periods, nets);
  const { values } = programme.maximum();
  for (const { contractId } of contracts) {
    const own = offers.filter((offer) => offer.contractId === contractId && values[offer.variable]! > 0);
    const wanted = Math.trunc(own.reduce((sum, { variable, direction }) => sum + direction * values[variable]!, 0));
    if (Math.abs(wanted) < LEAST_TRADE) continue;
    const prices = own.filter(({ direction }) => direction === Math.sign(wanted)).map(({ price }) => price);
    await desk.take(contractId, wanted, wanted > 0 ? Math.max(...prices) : Math.min(...prices));
  }
}
