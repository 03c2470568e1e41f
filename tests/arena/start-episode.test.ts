import { beforeAll, expect, test } from "bun:test";
import { builtInScenarios } from "../../arena/scenario/read-scenario.ts";
import type { Scenario } from "../../arena/scenario/scenario.ts";
import { loadSolver } from "../../arena/score/programme.ts";
import { startEpisode } from "../../arena/start-episode.ts";
import { PROGRAM } from "../plugins/support/packs.ts";
import { FEW_OTHERS } from "./few-others.ts";

beforeAll(loadSolver);

const TOOLS = PROGRAM.packs.flatMap((pack) => pack.tools.map(({ name }) => name));
const [FIRST] = builtInScenarios(TOOLS) as [Scenario];
const SMALL: Scenario = {
  ...FIRST,
  others: FEW_OTHERS,
  warmUpMinutes: 5,
  minutes: 30,
  tools: ["mkt_connect_pubsub"],
};
const SCOPE = { signal: new AbortController().signal, caller: null };

test("an episode begins at the scenario's start, with its tools and those of the arena, for its user", async () => {
  const { world, dispatcher, offers } = startEpisode(SMALL, 7, PROGRAM);
  expect(world.now).toBe(Date.parse(SMALL.start));
  expect([...world.engine.snapshot(null)].filter(({ type }) => type === "ORDER").length).toBeGreaterThan(0);
  expect(dispatcher.catalogue.names).toEqual([
    "mkt_connect_pubsub",
    "mkt_arena_brief",
    "mkt_arena_wait",
    "mkt_arena_submit",
  ]);
  expect([offers.resources.resources, offers.prompts.prompts]).toEqual([[], []]);
  const brief = await dispatcher.call("mkt_arena_brief", {}, SCOPE);
  expect(brief).toMatchObject({
    value: {
      title: SMALL.title,
      userId: SMALL.userId,
      entityId: "WILLOW",
      minutesLeft: 30,
      callsLeft: 2_000,
      contracts: [{ productId: "NORTH-DA-PEAK", hours: 16 }],
      marketTime: new Date(SMALL.start).toISOString(),
      endsAt: new Date(Date.parse(SMALL.start) + 30 * 60_000).toISOString(),
    },
  });
  expect(await dispatcher.call("mkt_connect_pubsub", {}, SCOPE)).toMatchObject({
    value: { userId: SMALL.userId, capabilities: SMALL.permissions },
  });
  expect(await dispatcher.call("mkt_get_order_book", {}, SCOPE)).toBeNull();
});

test.each([
  [{ userId: "nobody" }, 'userId: the market has no user "nobody"'],
  [{ userId: "meridian-trader-1" }, 'userId: personas trade for MERIDIAN, the company of "meridian-trader-1"'],
  [
    { userId: "operator", permissions: ["Order.Submit" as const] },
    'userId: personas trade for OPERATOR, the company of "operator"',
  ],
])("a scenario with %j fits no market", (changes, message) => {
  expect(() => startEpisode({ ...SMALL, ...changes }, 1, PROGRAM)).toThrow(new RangeError(message));
});

test("the agent may operate a market, for whose operator no persona trades", () => {
  const operator: Scenario = { ...SMALL, userId: "operator", permissions: ["Market.View", "Market.Operate"] };
  const { world } = startEpisode(operator, 1, PROGRAM);
  expect(world.personaUserIds).not.toContain("operator");
  expect(world.engine.engine.user("operator")?.permissions).toEqual(new Set(operator.permissions));
});
