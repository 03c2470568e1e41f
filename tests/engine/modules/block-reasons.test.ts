import { expect, test } from "bun:test";
import { marketDefinition } from "../../../engine/definition/market-definition.ts";
import { reasonsAgainst } from "../../../engine/modules/block-reasons.ts";
import { createState } from "../../../engine/state/initial-state.ts";
import type { Order } from "../../../engine/state/market-state.ts";
import { EPOCH, smallMarket, START } from "../support/market.ts";

type Documents = "docs_in_place" | "pending" | "no_docs";
/** Documents and MW that one grants the other; null: no limit. */
type Granted = [Documents, number | null];

/** Why an order of ALPHA does not trade with BETA at 50 dollars, as users are told: a lot is one MW. */
function reasons(alpha: Granted, beta: Granted, viewer: Viewer, isHalted = false, counterpartyId = "BETA"): unknown[] {
  const credit = [["ALPHA", "BETA", alpha], ["BETA", "ALPHA", beta]] as const;
  const state = createState(
    marketDefinition.parse({
      ...smallMarket(),
      credit: credit.map(([entityId, counterpartyId, [documentation, limit]]) => ({
        ...{ entityId, counterpartyId, documentation },
        limits: limit === null ? [] : [{ limitType: "mw", scope: "total", limit }],
      })),
    }),
    { engineId: "test", epoch: EPOCH, now: START },
  );
  for (const market of state.markets.values()) market.halted = isHalted;
  const order = { entity: state.entities.get("ALPHA"), contract: state.contracts.get("N-H12") } as Order;
  const [entityId, ...permissions] = viewer;
  const user = { id: "viewer", entityId, permissions: new Set(permissions) };
  return reasonsAgainst({ state, order, viewer: user }, state.entities.get(counterpartyId)!, 5_000)
    .map(({ reason, counterpartyId, ...details }) => [reason, counterpartyId, ...Object.values(details)]);
}

type Viewer = [entityId: string | null, ...permissions: string[]];
const TRADER: Viewer = ["ALPHA", "Market.View", "Credit.View"];
const WITHOUT_FIGURES: Viewer = ["ALPHA", "Market.View"];
const OTHER: Viewer = ["GAMMA", "Market.View", "Credit.View"];
const BLIND: Viewer = ["ALPHA", "Credit.View"];
const OPERATOR: Viewer = [null, "Market.View", "Credit.View", "Scope.Global"];
const OPERATOR_WITHOUT_FIGURES: Viewer = [null, "Market.View", "Scope.Global"];

const FREE: Granted = ["docs_in_place", 9];
const LOW: Granted = ["docs_in_place", 0.5];
const UNLIMITED: Granted = ["docs_in_place", null];
const UNSIGNED: Granted = ["pending", 9];

const figures = ["mw", "total", 0.5, 0, 0.5, 1, "MW"];
const ownLimit = ["entity_limit", "BETA", ...figures];
const theirLimit = ["counterparty_limit", "BETA", ...figures];
const hidden = ["documents_or_credit", null];
const hiddenReason = ["documents_or_credit", "BETA"];

test.each<[what: string, alpha: Granted, beta: Granted, viewer: Viewer, told: unknown[], duringHalt: unknown[]]>([
  ["nothing prevents it", FREE, FREE, OTHER, [], []],
  ["documents of one are missing", FREE, UNSIGNED, TRADER, [["counterparty_documents", "BETA", "pending"]], [[
    "counterparty_documents",
    "BETA",
    "pending",
  ]]],
  [
    "documents of both are missing, and limits",
    ["pending", 0.5],
    ["no_docs", 0.5],
    TRADER,
    [["entity_documents", "BETA", "pending"], ["counterparty_documents", "BETA", "no_docs"], ownLimit],
    [["entity_documents", "BETA", "pending"], ["counterparty_documents", "BETA", "no_docs"], ownLimit],
  ],
  ["the own limit is low", LOW, FREE, TRADER, [ownLimit], [ownLimit]],
  ["the own limit is low, to a user without Credit.View", LOW, FREE, WITHOUT_FIGURES, [["entity_limit", "BETA"]], []],
  ["no own limit was set", UNLIMITED, FREE, TRADER, [["entity_no_limit", "BETA"]], [["entity_no_limit", "BETA"]]],
  ["their limit is low", FREE, LOW, TRADER, [["counterparty_limit", "BETA"]], []],
  ["they have set no limit", FREE, UNLIMITED, TRADER, [["counterparty_limit", "BETA"]], []],
  ["both limits are low", LOW, LOW, TRADER, [ownLimit], [ownLimit]],
  ["both limits are low, to a user without Credit.View", LOW, LOW, WITHOUT_FIGURES, [["entity_limit", "BETA"]], []],
  ["both limits are low, to an operator", LOW, LOW, OPERATOR, [ownLimit, theirLimit], [ownLimit, theirLimit]],
  [
    "both limits are low, to an operator without Credit.View",
    LOW,
    LOW,
    OPERATOR_WITHOUT_FIGURES,
    [["entity_limit", "BETA"], ["counterparty_limit", "BETA"]],
    [],
  ],
  ["anything does, to another entity's user", LOW, UNSIGNED, OTHER, [hiddenReason], []],
  ["anything does, to a user who may not see the market", LOW, UNSIGNED, BLIND, [hidden], []],
])("if %s, each user is told what the user may see", (_, alpha, beta, viewer, told, duringHalt) => {
  expect(reasons(alpha, beta, viewer)).toEqual(told);
  expect(reasons(alpha, beta, viewer, true)).toEqual(duringHalt);
});

test("an order of the own entity is named as such, whoever asks and whenever", () => {
  for (const viewer of [TRADER, BLIND, OPERATOR]) {
    for (const isHalted of [false, true]) {
      expect(reasons(LOW, LOW, viewer, isHalted, "ALPHA")).toEqual([["self_trade", "ALPHA"]]);
    }
  }
});
