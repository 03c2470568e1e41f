// What a prepared order would cost, and the credit that is left for it.

import type { CreditMatrix } from "../../contract/credit.ts";
import { market } from "../live/market-store.ts";
import { usePolled } from "../live/polled.ts";
import { send } from "../live/server.ts";
import { costOf, costWords, creditWords } from "./cost.ts";
import { sideOf, type TypedDeed } from "./deed.ts";
import type { Terms } from "./terms.ts";

/** Credit changes with every trade of the entity. */
const CREDIT_MS = 3_000;

interface DeedFiguresProps {
  readonly deed: TypedDeed;
  readonly terms: Terms;
  /** Of delivery. */
  readonly hours: number;
}

export function DeedFigures({ deed, terms: { price, quantity }, hours }: DeedFiguresProps) {
  const filled = deed.kind === "change" ? deed.order.filledQuantity : 0;
  const cost = costOf({ price, quantity: quantity - filled }, hours);
  return (
    <dl class="trade-figures">
      <div>
        <dt>Cost if all of it trades</dt>
        <dd>{costWords(cost, sideOf(deed), price)}</dd>
      </div>
      <div>
        <dt>Credit left by your own limits</dt>
        <dd>
          <CreditLeft cost={cost} />
        </dd>
      </div>
    </dl>
  );
}

function CreditLeft({ cost }: { readonly cost: ReturnType<typeof costOf> }) {
  const { entityId = null, permissions = [] } = market.connection.value ?? {};
  const canSee = permissions.includes("Credit.View");
  const read = async (signal: AbortSignal) => {
    if (!canSee) return null;
    return await send("GET", "/dashboard/credit", undefined, signal) as CreditMatrix;
  };
  const { value, error } = usePolled(read, `credit ${entityId} ${canSee}`, canSee ? CREDIT_MS : null);
  if (!canSee) return <>not shown: it needs Credit.View</>;
  if (value === null || entityId === null) return <>{error === null ? "being read" : `unknown: ${error.message}`}</>;
  return <>{creditWords(value.pairs, entityId, cost)}</>;
}
