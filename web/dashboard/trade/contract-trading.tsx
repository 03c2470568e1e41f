// What a contract's page shows to whoever may trade there: the ladder, the prepared order, own orders, position and fills.

import { useEffect } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Skeleton } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import type { ContractFacts } from "../live/contract-facts.ts";
import { contractLabel } from "../live/listed-contracts.ts";
import { market } from "../live/market-store.ts";
import { type Deed, type OpenOrder, sideOf, type TradeSide, type Typed } from "./deed.ts";
import { drop, leave, mayTrade, prepare, ticket } from "./desk.ts";
import { OwnFills } from "./own-fills.tsx";
import { type Links, OwnOrders } from "./own-orders.tsx";
import { OwnPosition } from "./own-position.tsx";
import { useOwnOrders } from "./own-reads.ts";
import { megawattsText, priceText, termsOf } from "./terms.ts";
import { TicketForm } from "./ticket-form.tsx";
import { TradeLadder } from "./trade-ladder.tsx";
import "./trade.css";

interface ContractTradingProps extends Links {
  /** Null or undefined: not known. */
  readonly facts: ContractFacts | null | undefined;
}

/** Nothing without the permission, and nothing outside of control. */
export function ContractTrading({ facts, ...links }: ContractTradingProps) {
  const { entityId = null, userId = null } = market.connection.value ?? {};
  if (!mayTrade.value || entityId === null || facts === null || facts === undefined) return null;
  // Another user, entity or contract begins with nothing prepared.
  return <Trading key={`${facts.id} ${userId} ${entityId}`} facts={facts} entityId={entityId} {...links} />;
}

interface TradingProps extends Links {
  readonly facts: ContractFacts;
  readonly entityId: string;
}

function Trading({ facts, entityId, ...links }: TradingProps) {
  const { id: contractId } = facts;
  useEffect(() => leave, []);
  const orders = useOwnOrders(entityId, contractId);
  const change = (order: OpenOrder, price = order.price) =>
    prepare({
      kind: "change",
      contractId,
      order,
      price: priceText(price),
      megawatts: megawattsText(order.quantity),
    });
  const cancel = (order: OpenOrder) => prepare({ kind: "cancel", contractId, order });
  const place = (side: TradeSide, price: string) =>
    prepare({ kind: "place", contractId, side, price, megawatts: typedBefore(facts) });
  return (
    <div
      class="trade"
      onKeyDown={({ key }) => {
        if (key === "Escape") drop();
      }}
    >
      <Ladder facts={facts} orders={orders.value ?? []} onPlace={place} onChange={change} onCancel={cancel} />
      <TicketForm contractId={contractId} steps={facts} />
      <OwnPosition entityId={entityId} contractId={contractId} />
      <OwnOrders
        orders={orders.value}
        error={orders.error}
        onRetry={orders.reload}
        contractId={contractId}
        onChange={change}
        onCancel={cancel}
        {...links}
      />
      <OwnFills entityId={entityId} contractId={contractId} {...links} />
    </div>
  );
}

/** The quantity of what was prepared last, if it was for this contract; else one lot. */
function typedBefore({ id, lot }: ContractFacts): string {
  const before = ticket.peek();
  const isHere = before.step !== "none" && before.deed.contractId === id && before.deed.kind === "place";
  return isHere ? (before.deed as Typed & Deed).megawatts : megawattsText(lot);
}

interface LadderProps {
  readonly facts: ContractFacts;
  readonly orders: readonly OpenOrder[];
  readonly onPlace: (side: TradeSide, price: string) => void;
  readonly onChange: (order: OpenOrder, price?: number) => void;
  readonly onCancel: (order: OpenOrder) => void;
}

function Ladder({ facts, orders, onPlace, onChange, onCancel }: LadderProps) {
  // The page's own book follows the contract.
  const book = market.books.value.get(facts.id);
  const best = (side: TradeSide) => (side === "BUY" ? book?.bids : book?.asks)?.[0]?.price ?? book?.lastPrice ?? null;
  const begin = (side: TradeSide) => {
    const price = best(side);
    onPlace(side, price === null ? "" : priceText(price));
  };
  return (
    <Panel
      flush
      title="Ladder"
      class="trade-ladder-panel"
      actions={
        <>
          <Button small onClick={() => begin("BUY")}>Buy</Button>
          <Button small onClick={() => begin("SELL")}>Sell</Button>
        </>
      }
    >
      {book === undefined ? <Skeleton label="The book is on its way" lines={12} /> : (
        <TradeLadder
          name={contractLabel(facts.id)}
          book={book}
          steps={facts}
          orders={orders}
          prepared={preparedPlace(facts)}
          onPlace={(side, price) => onPlace(side, priceText(price))}
          onChange={onChange}
          onCancel={onCancel}
        />
      )}
    </Panel>
  );
}

/** Where in the ladder the prepared order would be. */
function preparedPlace(facts: ContractFacts): { readonly side: TradeSide; readonly price: number } | null {
  const now = ticket.value;
  if (now.step === "none" || now.step === "done" || now.deed.kind === "cancel") return null;
  if (now.deed.contractId !== facts.id) return null;
  const terms = termsOf(now.deed, facts, null);
  return "price" in terms ? { side: sideOf(now.deed), price: terms.price } : null;
}
