// What an event says, in few words, and the order, contract and entities that it is about. Fields are those of the event's data
// (protocol/events.ts); a field that is absent is left out.

import { BUY, SELL } from "../../../protocol/sides.ts";
import { money, price, quantity } from "../../components/format.ts";
import type { FeedEvent } from "../../contract/update.ts";

interface EventWords {
  readonly side: "buy" | "sell" | null;
  readonly text: string;
  readonly orderId: string | null;
  readonly contractId: string | null;
  /** The one that acted first. */
  readonly entityIds: readonly string[];
}

type Data = FeedEvent["data"];

export function eventWords({ type, data }: FeedEvent): EventWords {
  const noun = type.slice(type.lastIndexOf(".") + 1);
  return {
    side: sideOf(data),
    text: textOf(type, noun, data),
    orderId: orderIdOf(type, noun, data),
    contractId: noun === "contract" ? text(data, "id") ?? text(data, "contractId") : text(data, "contractId"),
    entityIds: ["entityId", "buyEntityId", "sellEntityId", "counterpartyId"]
      .flatMap((name) => text(data, name) ?? []),
  };
}

function textOf(type: string, noun: string, data: Data): string {
  switch (noun) {
    case "order":
      return type === "reject.order"
        ? `${terms(data)} refused: ${text(data, "message") ?? text(data, "code") ?? ""}`
        : order(data);
    case "fill":
    case "trade":
      return terms(data);
    case "book":
      return `bid ${price(amount(data, "bestBid"))}, ask ${price(amount(data, "bestAsk"))}`;
    case "spot":
      return `${text(data, "node") ?? ""} ${price(amount(data, "price"))} $/MWh, ${text(data, "regime") ?? ""}`;
    case "market":
      return sentence([
        `${text(data, "previousStatus") ?? "?"} → ${text(data, "status") ?? "?"}`,
        text(data, "reason"),
        by(data),
      ]);
    case "contract":
      return sentence([text(data, "name"), text(data, "status")]);
    case "credit":
      return credit(data);
    case "documentation":
      return sentence([pair(data), text(data, "status"), by(data)]);
    case "clock":
      return sentence([text(data, "mode"), `${amount(data, "speed") ?? "?"} times as fast`, by(data)]);
    case "user":
      return `${text(data, "userId") ?? ""} ${data["connected"] === true ? "connected" : "disconnected"}`;
    default:
      return Object.entries(data).slice(0, 6).flatMap(([name, value]) =>
        typeof value === "object" ? [] : [`${name}: ${String(value)}`]
      ).join(", ");
  }
}

/** `5 MW at 46.73 $/MWh`. */
function terms(data: Data): string {
  return `${quantity(amount(data, "quantity"))} MW at ${price(amount(data, "price"))} $/MWh`;
}

function order(data: Data): string {
  const filled = amount(data, "filledQuantity") ?? 0;
  const reason = text(data, "closeReason");
  return sentence([
    terms(data),
    filled > 0 ? `${quantity(filled)} MW filled` : null,
    reason === null || reason === "filled" ? null : reason.replaceAll("_", " "),
    text(data, "status") === "held" ? "held" : null,
  ]);
}

function credit(data: Data): string {
  const type = text(data, "limitType");
  const limit = amount(data, "limit");
  const shown = limit === null
    ? null
    : type === "notional"
    ? `${money(limit)} dollars`
    : `${quantity(limit)} ${type ?? ""}`;
  return sentence([pair(data), shown, text(data, "scope")?.replaceAll("_", " ") ?? null, by(data)]);
}

function pair(data: Data): string {
  return `${text(data, "entityId") ?? "?"} for ${text(data, "counterpartyId") ?? "?"}`;
}

function by(data: Data): string | null {
  const userId = text(data, "userId");
  return userId === null ? null : `by ${userId}`;
}

function sideOf(data: Data): "buy" | "sell" | null {
  const side = data["side"] ?? data["aggressorSide"];
  if (side === BUY || side === "BUY") return "buy";
  return side === SELL || side === "SELL" ? "sell" : null;
}

/** A refused order has no id; its history is found under a name of its own. */
function orderIdOf(type: string, noun: string, data: Data): string | null {
  if (type === "reject.order") return null;
  return noun === "order" ? text(data, "id") : text(data, "orderId");
}

function sentence(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join(", ");
}

/** Null if the member is none. */
export function text(data: Data, name: string): string | null {
  const value = data[name];
  return typeof value === "string" ? value : null;
}

export function amount(data: Data, name: string): number | null {
  const value = data[name];
  return typeof value === "number" ? value : null;
}
