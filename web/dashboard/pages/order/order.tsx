// One order: what it is, why it doesn't trade while it is open, and its audit trail as a timeline.

import { useEffect } from "preact/hooks";
import { Badge, type Tone } from "../../../components/badge.tsx";
import { price, quantity } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { EmptyState, ErrorNote, Skeleton } from "../../../components/notices.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Stat, Stats } from "../../../components/stat.tsx";
import type { OrderEventsResult, OrderResult } from "../../../contract/tool-results.ts";
import { market, onEvents } from "../../live/market-store.ts";
import { usePolled } from "../../live/polled.ts";
import { readTool } from "../../live/server.ts";
import { Time } from "../../live/time.tsx";
import { type OrderStep, orderSteps, span } from "./timeline.ts";
import { readOrderTrail } from "./trail.ts";
import { WhyPanel } from "./why-panel.tsx";
import "./order.css";
import { PageHead } from "../page-head.tsx";
import { address, type PageProps } from "../page.ts";

/** Changes are read at once; this is for what no event tells, such as why the order does not trade. */
const EVERY_MS = 5_000;

export default function Order({ argument: orderId }: PageProps) {
  if (orderId === "") {
    return (
      <div class="page">
        <PageHead title="Order" />
        <EmptyState title="No order is named">Search for one, or choose one on the page of events.</EmptyState>
      </div>
    );
  }
  return <OneOrder orderId={orderId} />;
}

function OneOrder({ orderId }: { readonly orderId: string }) {
  const key = `${orderId} ${market.connection.value?.status === "connected"}`;
  const order = usePolled((signal) => readTool<OrderResult>("mkt_get_order", { orderId }, signal), key, EVERY_MS);
  const trail = usePolled((signal) => readOrderTrail(orderId, signal), key, EVERY_MS);
  useEffect(() =>
    onEvents((events) => {
      if (!events.some(({ data }) => data["id"] === orderId || data["orderId"] === orderId)) return;
      order.reload();
      trail.reload();
    }), [orderId]);
  const steps = trail.value === null ? [] : orderSteps(trail.value.events, { isWhole: !trail.value.hasMore });
  // The market forgets closed orders, and never knew refused ones; the trail has both.
  const orderError = steps.length > 0 && order.error?.code === "not_found" ? null : order.error;
  return (
    <div class="page">
      <PageHead title={order.value?.id ?? orderId}>
        {order.value !== null && <Status order={order.value} />}
      </PageHead>
      {orderError !== null && <ErrorNote report={orderError} onRetry={order.reload} />}
      {order.value === null
        ? orderError === null && steps.length === 0 && <Skeleton label="Reading the order" />
        : <Facts order={order.value} />}
      {order.value?.closeReason === null && <WhyPanel order={order.value} onReach={order.reload} />}
      {orderError === null && order.error !== null && (
        <p class="order-note">
          The market has no such order now: it was refused, or closed long ago. Its trail is left.
        </p>
      )}
      <Panel title="What happened" actions={trail.value?.hasMore && "only the newest events are shown"}>
        {trail.error !== null && <ErrorNote report={trail.error} onRetry={trail.reload} />}
        {trail.value === null
          ? trail.error === null && <Skeleton label="Reading the audit trail" />
          : <Timeline trail={trail.value} steps={steps} marketId={order.value?.marketId} />}
      </Panel>
    </div>
  );
}

const STATUS: Readonly<Record<string, Tone>> = {
  working: "info",
  partial: "info",
  filled: "good",
  cancelled: "warning",
  held: "warning",
};

function Status({ order: { status, closeReason } }: { readonly order: OrderResult }) {
  const reason = closeReason === null || closeReason === status ? "" : `: ${closeReason.replaceAll("_", " ")}`;
  return <Badge tone={STATUS[status] ?? "neutral"}>{status}{reason}</Badge>;
}

function Facts({ order }: { readonly order: OrderResult }) {
  const isBuy = order.side === "BUY";
  return (
    <div class="order-facts">
      <Stats>
        <Stat label="Side">
          <Badge tone={isBuy ? "buy" : "sell"} icon={isBuy ? "up" : "down"}>{order.side}</Badge>
        </Stat>
        <Stat
          label="Price, $/MWh"
          note={order.averagePrice === null ? undefined : `filled at ${price(order.averagePrice)}`}
        >
          {price(order.price)}
        </Stat>
        <Stat label="Filled of ordered, MW" note={`${quantity(order.remainingQuantity)} MW open`}>
          {quantity(order.filledQuantity)} of {quantity(order.quantity)}
          <Filled filled={order.filledQuantity} ordered={order.quantity} />
        </Stat>
        <Stat label="Contract">
          <a class="name" href={address("contract", order.contractId)}>{order.contractId}</a>
        </Stat>
        <Stat label="Entity" note={<span class="name">{order.userId}</span>}>
          <a class="name" href={address("entities", order.entityId)}>{order.entityId}</a>
        </Stat>
        <Stat
          label="Accepted"
          note={order.timeInForce === "gtc" ? "until cancelled" : `until the ${order.timeInForce} ends`}
        >
          <Time value={order.createdAt} parts="dateTime" marketId={order.marketId} />
        </Stat>
      </Stats>
    </div>
  );
}

interface TimelineProps {
  readonly trail: OrderEventsResult;
  readonly steps: readonly OrderStep[];
  readonly marketId: string | undefined;
}

function Timeline({ trail, steps, marketId }: TimelineProps) {
  if (steps.length === 0) return <EmptyState title="No events">{trail.note}</EmptyState>;
  return (
    <ol class="order-steps">
      {steps.map((step, index) => (
        <Step
          key={step.id}
          step={step}
          marketId={marketId}
          hasBar={index === steps.length - 1 || step.filled !== (steps[index - 1]?.filled ?? null)}
        />
      ))}
    </ol>
  );
}

interface StepProps {
  readonly step: OrderStep;
  readonly marketId: string | undefined;
  readonly hasBar: boolean;
}

/** `hasBar`: what is filled has changed, or this is the last step. */
function Step({ step, marketId, hasBar }: StepProps) {
  const { time, title, text, tone, icon, userId, counterpartyId, filled, ordered, sinceMs } = step;
  return (
    <li>
      <span class={`order-mark badge-${tone}`}>
        <Icon name={icon} />
      </span>
      <div class="order-step">
        <div class="order-head">
          <strong>{title}</strong>
          <span class="order-text name">{text}</span>
        </div>
        <div class="order-note">
          <Time value={time} parts="dateTime" marketId={marketId} />
          {sinceMs !== null && ` · ${span(sinceMs)} later`}
          {counterpartyId !== null && (
            <>
              {" · with "}
              <a class="name" href={address("entities", counterpartyId)}>{counterpartyId}</a>
            </>
          )}
          {userId !== null && (
            <>
              {" · by "}
              <span class="name">{userId}</span>
            </>
          )}
        </div>
        {hasBar && filled !== null && ordered !== null && ordered > 0 && (
          <Filled filled={filled} ordered={ordered} withWords />
        )}
      </div>
    </li>
  );
}

interface FilledProps {
  readonly filled: number;
  readonly ordered: number;
  readonly withWords?: boolean;
}

function Filled({ filled, ordered, withWords }: FilledProps) {
  return (
    <span class="order-filled">
      <span class="order-bar" aria-hidden="true">
        <span style={{ width: `${Math.min(1, filled / ordered) * 100}%` }} />
      </span>
      {withWords && <span class="order-note">{quantity(filled)} of {quantity(ordered)} MW filled</span>}
    </span>
  );
}
