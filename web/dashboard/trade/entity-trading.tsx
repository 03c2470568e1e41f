// What the page of the own entity shows to whoever may trade for it: open orders and fills in every contract. Positions and
// profit are on that page already.

import { market } from "../live/market-store.ts";
import { mayTrade } from "./desk.ts";
import { OwnFills } from "./own-fills.tsx";
import { type Links, OwnOrders } from "./own-orders.tsx";
import { useOwnOrders } from "./own-reads.ts";
import "./trade.css";

interface EntityTradingProps extends Links {
  readonly entityId: string;
}

/** Nothing for another entity, without the permission, and outside of control. */
export function EntityTrading({ entityId, ...links }: EntityTradingProps) {
  if (!mayTrade.value || market.connection.value?.entityId !== entityId) return null;
  return <OwnTrading entityId={entityId} {...links} />;
}

function OwnTrading({ entityId, ...links }: EntityTradingProps) {
  const orders = useOwnOrders(entityId, null);
  return (
    <>
      <OwnOrders orders={orders.value} error={orders.error} onRetry={orders.reload} contractId={null} {...links} />
      <OwnFills entityId={entityId} contractId={null} {...links} />
    </>
  );
}
