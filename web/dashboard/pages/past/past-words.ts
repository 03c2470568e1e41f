// What an event of the audit trail says, in few words, and what it is about.

import type { Tone } from "../../../components/badge.tsx";
import { count, money, quantity } from "../../../components/format.ts";
import type { PastEvent } from "../../../contract/past.ts";
import { amount, text } from "../event-words.ts";
import { orderSteps } from "../order/timeline.ts";

interface PastWords {
  readonly title: string;
  readonly tone: Tone;
  readonly text: string;
  readonly contractId: string | null;
  /** The one that the event is about, then its counterparty. */
  readonly entityIds: readonly string[];
}

/** The types of events of the built-in engine, as people choose them. */
export const TYPE_GROUPS:
  readonly (readonly [group: string, types: readonly (readonly [type: string, title: string])[]])[] = [
    ["Orders", [
      ["orderQueued", "Accepted"],
      ["orderModified", "Changed"],
      ["orderFilled", "Filled"],
      ["orderCancelled", "Cancelled"],
      ["orderExpired", "Expired"],
      ["orderRejected", "Refused"],
      ["orderHeld", "Held"],
      ["orderReleased", "Released"],
    ]],
    ["Market", [
      ["marketHalted", "Market halted"],
      ["marketResumed", "Market resumed"],
      ["marketStatusChanged", "Session changed"],
      ["marketFlushed", "Market flushed"],
      ["engineFlushed", "Book flushed"],
      ["contractListed", "Contract listed"],
      ["contractExpired", "Contract expired"],
      ["deliveryEnded", "Delivery ended"],
      ["contractRemoved", "Contract removed"],
      ["clockSet", "Clock set"],
    ]],
    ["Credit", [
      ["creditLimitSet", "Limit set"],
      ["creditLimitRemoved", "Limit removed"],
      ["documentationStatusSet", "Documents"],
      ["developmentReset", "Credit reset"],
    ]],
  ];

const TITLES: ReadonlyMap<string, string> = new Map(TYPE_GROUPS.flatMap(([, types]) => types));
const TONES: Readonly<Record<string, Tone>> = {
  marketHalted: "danger",
  marketResumed: "good",
  marketFlushed: "warning",
};

export function pastWords(event: PastEvent): PastWords {
  const { details, moduleType, moduleId } = event;
  const [step] = event.event.startsWith("order")
    ? orderSteps([{ ...event, userId: undefined }], { isWhole: false })
    : [];
  const title = TITLES.get(event.event) ?? event.event;
  return {
    title,
    tone: step?.tone ?? TONES[event.event] ?? "neutral",
    text: step === undefined ? textOf(event) : event.event === "orderFilled" ? withSide(details, step.text) : step.text,
    contractId: text(details, "contractId") ?? (moduleType === "CONTRACT" ? moduleId : null),
    entityIds: [event.entityId, text(details, "counterpartyId")].filter((id) => id !== null),
  };
}

function withSide(details: PastEvent["details"], words: string): string {
  return `${text(details, "side") ?? ""} ${words}`.trim();
}

function textOf({ event, moduleId, details }: PastEvent): string {
  switch (event) {
    case "marketHalted":
    case "marketResumed":
    case "marketStatusChanged":
      return joined([
        moduleId,
        `${text(details, "previousStatus") ?? "?"} → ${text(details, "status") ?? "?"}`,
        text(details, "reason"),
      ]);
    case "marketFlushed":
      return joined([moduleId, `${count(amount(details, "ordersCancelled"))} orders cancelled`]);
    case "creditLimitSet":
      return joined([
        text(details, "counterpartyId"),
        limitOf(details),
        text(details, "scope")?.replaceAll("_", " ") ?? null,
      ]);
    case "documentationStatusSet":
      return joined([text(details, "counterpartyId"), text(details, "status")?.replaceAll("_", " ") ?? null]);
    default:
      return joined(
        [
          moduleId,
          ...Object.entries(details).slice(0, 6).map(([name, value]) =>
            typeof value === "object" ? null : `${name}: ${String(value)}`
          ),
        ],
      );
  }
}

function limitOf(details: PastEvent["details"]): string | null {
  const limit = amount(details, "limit");
  const type = text(details, "limitType");
  if (limit === null) return null;
  return type === "notional" ? `${money(limit)} dollars` : `${quantity(limit)} ${type ?? ""}`;
}

function joined(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join(", ");
}
