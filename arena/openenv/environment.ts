// One environment of OpenEnv: the episodes that a trainer begins one after the other, and the agent's tools in the one that
// runs. Answers are JSON texts, and come one at a time, in the order of the questions.
//
// A trainer resets and steps, and gets the rewards. An agent that speaks MCP to the same environment can do neither, and never
// sees a reward: the next step of the trainer has what its calls have earned.

import { randomInt, randomUUID } from "node:crypto";
import { isoTime } from "../../common/iso-time.ts";
import { callToolResult, type ToolAnswer } from "../../core/dispatch/result.ts";
import type { Program } from "../../core/runtime.ts";
import { MAX_SEED } from "../../sim/experiment/seeds.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { digestOf } from "../record/episode-record.ts";
import { type PlayedEpisode, playedEpisode } from "../record/play.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Marks } from "../score/marks.ts";
import {
  type Action,
  type ResetRequest,
  RPC_CODES,
  rpcError,
  type RpcRequest,
  rpcResult,
  type State,
  stepJson,
  type ToolErrorType,
} from "./messages.ts";
import { type RewardKind, Rewards } from "./rewards.ts";

export interface EnvironmentOptions {
  readonly scenarios: readonly Scenario[];
  readonly rewards: RewardKind;
  readonly program: Program;
  /** Those that are known, by scenario and seed. */
  readonly marks: Map<string, Marks | null>;
}

/** A request can't be carried out; the message says what to do. */
export class EnvironmentFault extends Error {}

interface OpenEpisode {
  readonly id: string;
  readonly scenario: Scenario;
  readonly seed: number;
  readonly rewards: Rewards;
  /** Null when it is over: its market is gone. */
  played: PlayedEpisode | null;
  score: number | null;
  steps: number;
  /** Whether a step has told that it is over. */
  isTold: boolean;
  endedAt: string | null;
}

const NOBODY_CANCELS = new AbortController().signal;
const OVER = "The episode is over: begin another one by reset.";

export class Environment {
  #episode: OpenEpisode | null = null;

  constructor(private readonly options: EnvironmentOptions) {}

  /** Begins an episode in a new market; the one before is gone. Throws EnvironmentFault. */
  reset({ seed, episode_id, scenario: name }: ResetRequest): string {
    const { scenarios, rewards, program } = this.options;
    const drawn = seed ?? randomInt(MAX_SEED + 1);
    const scenario = name === null || name === undefined
      ? scenarios[new SeededRandom(drawn).fork("scenario").integer(0, scenarios.length - 1)]!
      : scenarios.find((each) => each.name === name);
    if (scenario === undefined) {
      throw new EnvironmentFault(`There is no scenario ${name}: use ${scenarios.map((each) => each.name).join(", ")}.`);
    }
    const marks = this.options.marks.get(keyOf(scenario, drawn));
    const options = { scenario, seed: drawn, agent: "agent", program, marks, onCall: () => {} };
    const played = playedEpisode(options);
    this.#episode = {
      id: episode_id ?? randomUUID(),
      scenario,
      seed: drawn,
      rewards: new Rewards(rewards, played.earned()),
      played,
      score: null,
      steps: 0,
      isTold: false,
      endedAt: null,
    };
    const metadata = { episode_id: this.#episode.id, scenario: scenario.name };
    return stepJson(JSON.stringify({ brief: played.brief, metadata }), null, false);
  }

  /** Throws EnvironmentFault. */
  async step(action: Action): Promise<string> {
    const episode = this.#running();
    if (action.type === "list_tools") return this.#stepped(episode, `{"tools":${toolsJson(episode)}}`);
    if (episode.isTold) throw new EnvironmentFault(OVER);
    episode.steps += 1;
    const { tool_name: name, arguments: input } = action;
    const answer = await this.#call(episode, name, input);
    return this.#stepped(episode, callObservation(name, answer));
  }

  state(): State {
    const episode = this.#episode;
    if (episode === null) {
      const none = { episode_id: null, scenario: null, seed: null, market_time: null, score: null };
      return { ...none, step_count: 0, done: false };
    }
    const { id, scenario, seed, steps, played, score, endedAt } = episode;
    return {
      episode_id: id,
      step_count: steps,
      scenario: scenario.name,
      seed,
      market_time: played === null ? endedAt : isoTime(played.now()),
      done: played === null,
      score,
    };
  }

  /** What an agent asks by MCP. Without a reset before, it gets an episode of any scenario and seed. */
  async rpc({ id, method, params }: RpcRequest): Promise<string> {
    if (method === "tools/list") {
      const { played } = this.#begun();
      if (played === null) return rpcError(id, RPC_CODES.server, OVER);
      return rpcResult(id, `{"tools":${played.dispatcher.catalogue.toolsJson}}`);
    }
    if (method !== "tools/call") return rpcError(id, RPC_CODES.methodNotFound, `Method not found: ${method}`);
    const { name, arguments: input = {} } = params;
    if (typeof name !== "string" || name === "") {
      return rpcError(id, RPC_CODES.invalidParams, "Missing 'name' in params");
    }
    const answer = await this.#call(this.#begun(), name, input);
    if (answer === null) return rpcError(id, RPC_CODES.invalidParams, `Tool not found: ${name}`);
    if (answer === "over") return rpcError(id, RPC_CODES.server, OVER);
    return rpcResult(id, JSON.stringify(callToolResult(answer)));
  }

  #begun(): OpenEpisode {
    if (this.#episode === null) this.reset({});
    return this.#episode!;
  }

  #running(): OpenEpisode {
    if (this.#episode === null) throw new EnvironmentFault("There is no episode yet: begin one by reset.");
    return this.#episode;
  }

  /** Null: there is no such tool. */
  async #call(episode: OpenEpisode, name: string, input: unknown): Promise<ToolAnswer | "over" | null> {
    const { played } = episode;
    if (played === null) return "over";
    const answer = await played.dispatcher.call(name, input, { signal: NOBODY_CANCELS, caller: null });
    if (played.ended() !== null) this.#finish(episode, played);
    return answer;
  }

  #finish(episode: OpenEpisode, played: PlayedEpisode): void {
    const { scenario, seed } = episode;
    const { score, marks, endedAt } = played.finish();
    this.options.marks.set(keyOf(scenario, seed), marks);
    episode.played = null;
    episode.score = score ?? 0;
    episode.endedAt = endedAt;
  }

  #stepped(episode: OpenEpisode, observationJson: string): string {
    const { played, score, rewards, isTold } = episode;
    if (played !== null) return stepJson(observationJson, rewards.next(played.earned()), false);
    episode.isTold = true;
    return stepJson(observationJson, isTold ? 0 : rewards.last(score!), true);
  }
}

function keyOf(scenario: Scenario, seed: number): string {
  return `${digestOf(scenario)} ${seed}`;
}

/** Of an episode that is over: none. */
function toolsJson({ played }: OpenEpisode): string {
  const listed = played?.dispatcher.catalogue.listed ?? [];
  return JSON.stringify(
    listed.map(({ name, description = "", inputSchema }) => ({ name, description, input_schema: inputSchema })),
  );
}

function callObservation(name: string, answer: ToolAnswer | "over" | null): string {
  if (answer === null) return failedCall(name, "tool_not_found", `There is no tool ${name}: list_tools names them.`);
  if (answer === "over") return failedCall(name, "execution_error", OVER);
  if (answer.kind === "json" && isInvalid(answer.value)) return failedCall(name, "invalid_args", answer.text);
  const { content, isError = false } = callToolResult(answer);
  const data = answer.kind === "json" ? answer.text : JSON.stringify(answer.result.structuredContent ?? null);
  const result = `{"data":${data},"content":${JSON.stringify(content)},"is_error":${isError}}`;
  return `{"tool_name":${JSON.stringify(name)},"result":${result},"error":null}`;
}

/** Whether the arguments don't fit the tool's input schema. */
function isInvalid({ error }: Record<string, unknown>): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "invalid_input";
}

export function failedCall(name: string, type: ToolErrorType, message: string): string {
  return JSON.stringify({ tool_name: name, result: null, error: { error_type: type, message } });
}
