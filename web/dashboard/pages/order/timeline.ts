// The audit trail of an order as the steps of its life, oldest first.

import type { IconName } from "../../../components/icon.tsx";
import { price, quantity } from "../../../components/format.ts";
import type { Tone } from "../../../components/badge.tsx";
import type { OrderAuditEvent } from "../../../contract/tool-results.ts";
import { amount, text } from "../event-words.ts";

export interface OrderStep {
  readonly id: string;
  readonly time: string;
  readonly title: string;
  readonly text: string;
  readonly tone: Tone;
  readonly icon: IconName;
  /** Who did it; null: the market, or unknown. */
  readonly userId: string | null;
  /** Of a fill. */
  readonly counterpartyId: string | null;
  /** MW filled and ordered after the step; null if unknown. */
  readonly filled: number | null;
  readonly ordered: number | null;
  /** Market time since the step before; null for the first. */
  readonly sinceMs: number | null;
}

interface Kind {
  readonly title: string;
  readonly tone: Tone;
  readonly icon: IconName;
  readonly textOf: (details: Details) => string;
}

type Details = OrderAuditEvent["details"];

const KINDS: Readonly<Record<string, Kind>> = {
  orderQueued: { title: "Accepted", tone: "info", icon: "check", textOf: terms },
  orderModified: { title: "Changed", tone: "neutral", icon: "sliders", textOf: change },
  orderFilled: { title: "Filled", tone: "good", icon: "bolt", textOf: fill },
  orderCancelled: { title: "Cancelled", tone: "warning", icon: "close", textOf: end },
  orderExpired: { title: "Expired", tone: "warning", icon: "clock", textOf: end },
  orderRejected: { title: "Refused", tone: "danger", icon: "stop", textOf: refusal },
  orderHeld: { title: "Held", tone: "warning", icon: "pause", textOf: () => "It waits until the market trades." },
  orderReleased: { title: "Released", tone: "info", icon: "play", textOf: () => "It goes into the book." },
};

/** `events`: newest first, as the audit trail gives them. `isWhole`: none is missing; otherwise earlier fills are unknown. */
export function orderSteps(events: readonly OrderAuditEvent[], { isWhole = true } = {}): OrderStep[] {
  const steps: OrderStep[] = [];
  let filled = isWhole ? 0 : null;
  let ordered: number | null = null;
  for (const { id, time, event, userId = null, details } of events.toReversed()) {
    const kind = KINDS[event] ?? { title: event, tone: "neutral", icon: "info", textOf: other };
    const fillQuantity = amount(details, "fillQuantity");
    filled = amount(details, "filledQuantity") ?? (filled === null ? null : filled + (fillQuantity ?? 0));
    ordered = amount(details, "quantity") ?? ordered;
    const before = steps.at(-1);
    steps.push({
      id,
      time,
      title: event === "orderFilled" ? fillTitle(filled, ordered) : kind.title,
      text: kind.textOf(details),
      tone: kind.tone,
      icon: kind.icon,
      // The user of a fill is the one whose order arrived.
      userId: event === "orderFilled" ? null : userId,
      counterpartyId: text(details, "counterpartyId"),
      filled: event === "orderRejected" ? null : filled,
      ordered,
      sinceMs: before === undefined ? null : Date.parse(time) - Date.parse(before.time),
    });
  }
  return steps;
}

function fillTitle(filled: number | null, ordered: number | null): string {
  if (filled === null) return "A fill";
  return ordered !== null && filled < ordered ? "Filled in part" : "Filled";
}

/** 350: `350 ms`; 65000: `1 min 5 s`; the two largest units. */
export function span(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  const seconds = Math.floor(milliseconds / 1_000);
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const;
  const first = parts.findIndex(([value]) => value > 0);
  return parts.slice(first, first + 2).filter(([value]) => value > 0).map(([value, unit]) => `${value} ${unit}`).join(
    " ",
  );
}

function terms(details: Details): string {
  const parts = [
    text(details, "side"),
    `${quantity(amount(details, "quantity"))} MW at ${price(amount(details, "price"))} $/MWh`,
  ];
  const timeInForce = text(details, "timeInForce");
  return parts.filter((part) => part !== null).join(" ") + (timeInForce === null ? "" : `, ${timeInForce}`);
}

function change(details: Details): string {
  const parts = [
    changed(details, "previousPrice", "price", (value) => `${price(value)} $/MWh`),
    changed(details, "previousQuantity", "quantity", (value) => `${quantity(value)} MW`),
  ].filter((part) => part !== null);
  return parts.length === 0 ? terms(details) : parts.join(", ");
}

function changed(details: Details, before: string, after: string, shown: (value: number) => string): string | null {
  const [from, to] = [amount(details, before), amount(details, after)];
  return from === null || to === null || from === to ? null : `${shown(from)} → ${shown(to)}`;
}

function fill(details: Details): string {
  return `${quantity(amount(details, "fillQuantity"))} MW at ${price(amount(details, "fillPrice"))} $/MWh`;
}

const CLOSE_REASONS: Readonly<Record<string, string>> = {
  cancelled: "by request",
  expired: "its time had ended",
  flushed: "an operator flushed the book",
  disconnected: "its user disconnected",
  limit_exceeded: "a credit limit was exceeded",
};

function end(details: Details): string {
  const reason = text(details, "closeReason");
  const filled = amount(details, "filledQuantity");
  const why = reason === null ? "" : CLOSE_REASONS[reason] ?? reason;
  const left = filled === null ? "" : filled === 0 ? "nothing was filled" : `${quantity(filled)} MW were filled`;
  return [why, left].filter((part) => part !== "").join("; ");
}

function refusal(details: Details): string {
  const said = [text(details, "message"), text(details, "note")].filter((part) => part !== null).join(" ");
  const code = text(details, "code");
  return `${terms(details)}: ${said}${code === null ? "" : ` (${code})`}`;
}

function other(details: Details): string {
  return Object.entries(details).filter(([, value]) => typeof value !== "object").slice(0, 6)
    .map(([name, value]) => `${name}: ${String(value)}`).join(", ");
}
