// The plainest ways to play: nothing at all; the duty, or the best schedule, at once; and the duty in equal parts over
// the time.

import type { Baseline } from "./seat.ts";
import { ANY_PRICE, Desk } from "./desk.ts";
import { tradeSchedule } from "./schedule.ts";

const SLICE_MINUTES = 15;
/** Before the others have sent new orders, another try is of no use. */
const RETRY_MINUTES = 1;

export const nothing: Baseline = {
  name: "nothing",
  play: async (seat) => void await seat.call("mkt_arena_submit"),
};

export const plain: Baseline = {
  name: "plain",
  play: async (seat) => {
    const desk = await Desk.open(seat);
    if (desk.terms.asset !== null) await tradeSchedule(desk);
    while (!await takeParts(desk, 1) && !desk.isOver) await desk.wait(RETRY_MINUTES);
    await desk.submit();
  },
};

/** Time-weighted average price. */
export const twap: Baseline = {
  name: "twap",
  play: async (seat) => {
    const desk = await Desk.open(seat);
    while (!desk.isOver) {
      const slices = Math.max(1, Math.floor(desk.minutesLeft / SLICE_MINUTES));
      if (await takeParts(desk, slices)) break;
      await desk.wait(slices === 1 ? RETRY_MINUTES : SLICE_MINUTES);
    }
    await desk.submit();
  },
};

/** Trades one of `slices` equal parts of what is missing in each contract. Returns whether the duty is done. */
export async function takeParts(desk: Desk, slices: number): Promise<boolean> {
  const { duty } = desk.terms;
  if (duty === null) return true;
  let isDone = true;
  for (const { contractId } of desk.contracts) {
    const needed = duty - desk.positionIn(contractId);
    const part = Math.sign(needed) * Math.ceil(Math.abs(needed) / slices);
    if (part !== 0) await desk.take(contractId, part, part > 0 ? ANY_PRICE.buy : ANY_PRICE.sell);
    isDone &&= desk.positionIn(contractId) === duty;
  }
  return isDone;
}
