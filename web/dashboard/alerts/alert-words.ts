// What alerts say, and the page that each leads to.

import { price, quantity } from "../../components/format.ts";
import { BUY } from "../../../protocol/sides.ts";
import type { CreditPair } from "../../contract/credit.ts";
import type { Market } from "../../contract/market.ts";
import { address } from "../pages/page.ts";
import type { Condition } from "./conditions.ts";

export interface Words {
  readonly text: string;
  /** Of the page where more is to be seen. */
  readonly address: string;
}

/** `nameOf`: what people call a contract. */
export function conditionWords(condition: Condition, nameOf: (contractId: string) => string): Words {
  switch (condition.kind) {
    case "price":
      return {
        text: `${of(condition.of)} of ${nameOf(condition.contractId)} ${reaching(condition.side)} ${
          price(condition.limit)
        } $/MWh`,
        address: address("contract", condition.contractId),
      };
    case "spread":
      return {
        text: `Spread of ${nameOf(condition.contractId)} ${reaching(condition.side)} ${price(condition.limit)} $/MWh`,
        address: address("contract", condition.contractId),
      };
    case "credit":
      return { text: `${condition.limit} % of a credit limit is used`, address: address("credit") };
    case "halt":
      return { text: "A market is halted", address: address("market") };
    case "fill":
      return { text: "An own order trades", address: address("events") };
    case "connection":
      return { text: "The page is no longer live", address: address("market") };
  }
}

function of(which: "bid" | "ask" | "last"): string {
  return which === "bid" ? "Best bid" : which === "ask" ? "Best ask" : "Last price";
}

function reaching(side: "above" | "below"): string {
  return side === "above" ? "rises to" : "falls to";
}

/** `value`: cents/MWh. */
export function levelWords(
  condition: Condition & { readonly kind: "price" | "spread" },
  value: number,
  nameOf: (contractId: string) => string,
): Words {
  const what = condition.kind === "spread" ? "Spread" : of(condition.of);
  return {
    text: `${what} of ${nameOf(condition.contractId)} is ${price(value)} $/MWh: ${
      condition.side === "above" ? "up" : "down"
    } to ${price(condition.limit)}`,
    address: address("contract", condition.contractId),
  };
}

/** `used`: percent. */
export function creditWords({ entityId, counterpartyId }: CreditPair, used: number): Words {
  return {
    text: `${Math.floor(used)} % of the credit limit that ${entityId} set for ${counterpartyId} is used`,
    address: address("credit", entityId),
  };
}

export function haltWords({ name, haltReason }: Market): Words {
  const reason = haltReason === null ? "no reason was given" : haltReason;
  return { text: `${name} is halted: ${reason}`, address: address("market") };
}

export const CONNECTION_WORDS: Words = {
  text: "What is shown is no longer live: the connection was lost",
  address: address("market"),
};

/** Of an event new.fill. */
export interface OwnFill {
  readonly orderId: string;
  readonly contractId: string;
  readonly side: number;
  /** Cents/MWh, MW. */
  readonly price: number;
  readonly quantity: number;
}

/** Fills of one contract that came together: one alert. */
export function fillWords(fills: readonly OwnFill[], nameOf: (contractId: string) => string): Words {
  const [{ contractId, orderId, side, price: cents } = NO_FILL] = fills;
  const sum = fills.reduce((sum, { quantity }) => sum + quantity, 0);
  const isOneSide = fills.every((fill) => fill.side === side);
  const verb = isOneSide ? side === BUY ? "Bought" : "Sold" : "Traded";
  const isOneOrder = fills.every((fill) => fill.orderId === orderId);
  const terms = fills.length === 1 ? ` at ${price(cents)} $/MWh` : ` in ${fills.length} fills`;
  return {
    text: `${verb} ${quantity(sum)} MW of ${nameOf(contractId)}${terms}`,
    address: isOneOrder ? address("order", orderId) : address("contract", contractId),
  };
}

const NO_FILL: OwnFill = { orderId: "", contractId: "", side: BUY, price: 0, quantity: 0 };
