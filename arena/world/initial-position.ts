// Gives an agent's user a position before anybody else trades: it trades with a user of another company that no persona trades
// for, in the empty book, at the forecast.

import { BUY, SELL, type Side } from "../../protocol/sides.ts";
import type { TradedContract } from "../../sim/personas/traded-contract.ts";
import type { World } from "./world.ts";

/** `megawatts`: in each contract; negative: sold. Throws RangeError if nobody can take the other side. */
export function hold(world: World, userId: string, contracts: readonly TradedContract[], megawatts: number): void {
  if (megawatts === 0) return;
  const other = counterpartyOf(world, userId);
  const [side, otherSide] = megawatts > 0 ? [BUY, SELL] : [SELL, BUY];
  for (const contract of contracts) {
    const price = Math.round(world.forecastOf(contract) / contract.tick) * contract.tick;
    const submit = (userId: string, side: Side) => {
      const payload = { contractId: contract.id, side, price, quantity: Math.abs(megawatts), timeInForce: "gtc" };
      const operationId = `initial-${contract.id}-${side}`;
      const { response } = world.execute({ userId, operationId, action: "order.submit", payload });
      if (response?.status !== "ok") throw new RangeError(`trading.position: ${response?.message}`);
    };
    submit(other, otherSide);
    submit(userId, side);
  }
}

function counterpartyOf({ definition: { users, entities } }: World, userId: string): string {
  const own = users.find(({ id }) => id === userId)?.entityId;
  const idle = new Set(entities.filter(({ simulated, id }) => simulated === false && id !== own).map(({ id }) => id));
  const other = users.find(({ entityId, permissions }) =>
    entityId !== null && idle.has(entityId) && permissions.includes("Order.Submit")
  );
  if (other === undefined) throw new RangeError("trading.position: the market has no idle company to trade it with");
  return other.id;
}
