import { expect, test } from "bun:test";
import { builtInMarket } from "../../../../engine/definition/built-in-market.ts";
import { presetExperiment } from "../../../../sim/experiment/read-experiment.ts";
import { type Action, type ActionResult, MAX_ACTIONS } from "../../../../sim/outside/agents/agent-messages.ts";
import { simulateWithAgents } from "../../../../sim/outside/agents/simulate-with-agents.ts";
import { playAgent } from "./support.ts";

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
