// The content of each action: what is compared if two requests have the same operationId (docs/market-rules.md, "What
// operationId compares"). These are all properties of the payload after parsing, except for `bounds`: they belong to the
// process that sends the request, and may differ in a repeat.
//
// Invariant: an action's properties always come in the same order, and each tells whether it is there. The fingerprints are
// in journals, so a change of the order is a change of their format.

import type { Action, ActionPayload } from "../../protocol/index.ts";
import type { Fingerprint } from "../api/fingerprint.ts";
import { ContentHash } from "../operations/fingerprint.ts";

type Content<Name extends Action> = (content: ContentHash, payload: ActionPayload<Name>) => void;

const CONTENTS: { readonly [Name in Action]: Content<Name> } = {
  "order.submit": (content, { contractId, side, price, quantity, timeInForce, clientOrderId }) => {
    content.text(contractId);
    content.number(side);
    content.number(price);
    content.number(quantity);
    content.text(timeInForce);
    content.optionalText(clientOrderId);
  },
  "order.modify": (content, { orderId, price, quantity }) => {
    content.text(orderId);
    content.optionalNumber(price);
    content.optionalNumber(quantity);
  },
  "order.cancel": (content, { orderId }) => content.text(orderId),
  "market.halt": marketContent,
  "market.resume": marketContent,
  "credit.setLimit": (content, payload) => {
    content.text(payload.entityId);
    content.text(payload.counterpartyId);
    content.text(payload.limitType);
    content.text(payload.scope);
    content.optionalText(payload.contractId);
    content.number(payload.limit);
    content.number(payload.marginPercent);
  },
  "credit.setDocumentation": (content, { entityId, counterpartyId, status, notes }) => {
    content.text(entityId);
    content.text(counterpartyId);
    content.text(status);
    content.optionalText(notes);
  },
  "engine.flush": (content, { engineId: bookId, preview }) => {
    content.text(bookId);
    content.flag(preview);
  },
  "market.flush": (content, { preview }) => content.flag(preview),
  "dev.reset": (content, { secret, creditLimit, skipCredit, skipDocs }) => {
    content.text(secret);
    content.number(creditLimit);
    content.flag(skipCredit);
    content.flag(skipDocs);
  },
  "clock.set": (content, { speed }) => content.number(speed),
  "clock.advance": (content, { to }) => content.text(to),
  "spot.publish": (content, { prices }) => {
    content.number(prices.length);
    for (const { node, price, regime, time } of prices) {
      content.text(node);
      content.number(price);
      content.text(regime);
      content.text(time);
    }
  },
};

function marketContent(content: ContentHash, { marketId, reason }: ActionPayload<"market.halt">): void {
  content.optionalText(marketId);
  content.optionalText(reason);
}

const CONTENT = new ContentHash();

/** Identifies an action and its payload, which has been parsed. */
export function fingerprintOf<Name extends Action>(action: Name, payload: ActionPayload<Name>): Fingerprint {
  CONTENT.begin(action);
  CONTENTS[action](CONTENT, payload);
  return CONTENT.end();
}
