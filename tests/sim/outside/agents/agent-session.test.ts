import { expect, test } from "bun:test";
import { builtInMarket } from "../../../../engine/definition/built-in-market.ts";
import { presetExperiment } from "../../../../sim/experiment/read-experiment.ts";
import { type Action, type ActionResult, MAX_ACTIONS } from "../../../../sim/outside/agents/agent-messages.ts";
import { simulateWithAgents } from "../../../../sim/outside/agents/simulate-with-agents.ts";
import * as servers from "../../../../sim/outside/agents/agent-server.ts";
import { replaced } from "../../../support/replaced.ts";
import { host, only, play, playAgent } from "./support.ts";

const cancels = (count: number) => Array.from({ length: count }, (): Action => ({ kind: "cancel", orderId: "9" }));

test("an agent gets so many actions between two observations, in however many messages, and no more", async () => {
  const answers: string[][] = [];
  const onAnswer = (results: readonly ActionResult[]) =>
    void answers.push(results.map((result) => result.accepted ? "accepted" : result.code));
  const further = () => answers.length % 3 === 0 ? undefined : cancels(answers.length % 3);
  let observed = 0;
  const decide = () => observed++ < 2 ? { actions: cancels(MAX_ACTIONS - 1) } : {};
  const playing: Promise<unknown>[] = [];
  await simulateWithAgents(
    { definition: builtInMarket(), experiment: { ...presetExperiment("thin"), seed: 7, hours: 0.25 } },
    {
      address: { port: 0 },
      count: 1,
      timeoutMs: 600_000,
      onListening: (where) =>
        void playing.push(playAgent(where, { hello: { wakeMs: 240_000 }, decide, onAnswer, further })),
    },
  );
  await Promise.all(playing);
  const first = Array.from({ length: MAX_ACTIONS - 1 }, () => "not_found");
  const rest = [["not_found"], ["too_many_actions", "too_many_actions"]];
  expect(answers).toEqual([first, ...rest, first, ...rest]);
});

test("two agents of a run have forecasts of their own", async () => {
  const { messages } = await play(["one", "two"].map((name) => ({ hello: { name } })), { hours: 0.001 });
  const [one, two] = messages.map((told) => only(told, "observe")[0]!.books.map(({ forecast }) => forecast));
  expect(one!.length).toBeGreaterThan(5);
  expect(one!.filter((value, at) => value === two![at])).toEqual([]);
});

test("the run waits at the given address, for the given number of agents and time, and tells them why it ended", async () => {
  const closed: string[] = [];
  const made = replaced(
    servers,
    "AgentServer" as never,
    function () {
      return {
        listen: () => Promise.resolve("here"),
        agents: () => Promise.reject(new Error("nobody came")),
        close: (reason: string) => Promise.resolve(void closed.push(reason)),
      };
    } as never,
  ) as unknown as [Parameters<typeof options>[0]][];
  const options = ({ address, count, timeoutMs, faultOf }: ConstructorParameters<typeof servers.AgentServer>[0]) => ({
    ...{ address, count, timeoutMs },
    faults: [undefined, "nobody"].map((entityId) => faultOf({ entityId } as never)),
  });
  const heard: string[] = [];
  const given = { address: { path: "/p" }, count: 3, timeoutMs: 5_000 };
  await expect(host((where) => void heard.push(where), given)).rejects.toThrow("nobody came");
  expect([heard, closed]).toEqual([["here"], ["nobody came"]]);
  expect(options(made[0]![0])).toEqual({ ...given, faults: [null, expect.stringContaining('no entity "nobody"')] });
});
