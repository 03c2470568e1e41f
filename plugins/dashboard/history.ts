// The last trades of contracts, from the snapshot.

import type { RouteContext, RouteRequest } from "../../core/routes/route.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { History, Sparks } from "../../web/contract/calls.ts";
import type { Trade } from "../../web/contract/market.ts";

const MAX_TRADES = 5_000;
const SPARK_PRICES = 40;

export function history({ parameters }: RouteRequest, { snapshot, events }: RouteContext): Response {
  const contractId = parameters["contractId"] ?? "";
  const answer: History = {
    contractId,
    sequence: events.latestSequence,
    trades: tradesOf(contractId, MAX_TRADES, snapshot),
  };
  return Response.json(answer);
}

export function sparks({ snapshot }: RouteContext): Response {
  const { modules } = snapshot.find("CONTRACT", { where: ({ status }) => status === "listed", limit: Infinity });
  const prices = modules.map(({ id }) => [id, tradesOf(id, SPARK_PRICES, snapshot).map(({ price }) => price)] as const);
  const answer: Sparks = { prices: Object.fromEntries(prices) };
  return Response.json(answer);
}

/** Oldest first. */
function tradesOf(contractId: string, limit: number, snapshot: SnapshotReader): Trade[] {
  return snapshot.find("TRADE", { equals: { contractId }, limit }).modules.toReversed()
    .map(({ id, contractId, time, price, quantity, aggressorSide }) => ({
      id,
      contractId,
      time,
      price,
      quantity,
      aggressorSide,
    }));
}
