// The market's state and the order books, as resources. market.ts has the same as tools. Their version is the module itself: a
// new state is a new object.

import { defineResource, type ListedResource } from "../../core/resources/resource.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { contractIds } from "../toolkit/completions.ts";
import { contractTitle } from "../toolkit/contract-title.ts";
import { engineOf, marketOf, moduleMeant } from "../toolkit/lookup.ts";
import { marketState, orderBook } from "./market.ts";

const marketResource = defineResource({
  name: "market",
  uri: "mkt://market",
  title: "Market state",
  description: "The default market: status, session times, current time. Needs mkt_connect_pubsub.",
  annotations: { audience: ["user", "assistant"], priority: 0.9 },
  requires: { connection: "read" },
  version: (_, { snapshot }) => marketOf(snapshot, undefined),
  read: (_, context) => marketState(undefined, context),
});

const orderBookResource = defineResource({
  name: "order-book",
  uri: "mkt://order-book/{contractId}",
  title: "Order book of a contract",
  description: "The best price levels of each side: prices in cents/MWh, volumes in MW. Needs mkt_connect_pubsub.",
  requires: { connection: "read" },
  parameters: { contractId: contractIds },
  list: ({ snapshot }) => listedBooks(snapshot),
  version: (parameters, { snapshot }) => engineOf(snapshot, parameters, moduleMeant),
  read: (parameters, { snapshot }) => orderBook(engineOf(snapshot, parameters, moduleMeant)),
});

/** Of the listed contracts, by product, then by start of delivery. */
function listedBooks(snapshot: SnapshotReader): ListedResource[] {
  const { modules } = snapshot.find("CONTRACT", { equals: { status: "listed" }, limit: Infinity });
  const withBook = modules.filter(({ engineId: bookId }) => snapshot.get("ENGINE", bookId) !== undefined);
  return Map.groupBy(withBook, ({ productId }) => productId).values().flatMap((contracts) =>
    contracts.toSorted((a, b) => Date.parse(a.deliveryStart) - Date.parse(b.deliveryStart))
  ).map((contract) => ({
    parameters: { contractId: contract.id },
    title: `Order book: ${contractTitle(contract, snapshot)}`,
  })).toArray();
}

export default [marketResource, orderBookResource];
