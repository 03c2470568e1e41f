// Who plays an episode: a baseline in this process, or a command that is told where the episode is served.

import { environmentFor, ownEnvironment } from "../../common/environment.ts";
import { errorMessage } from "../../common/error-message.ts";
import { within } from "../../common/within.ts";
import type { AGENT_VARIABLES } from "../../core/config/variables.ts";
import { AgentFailure } from "../../sim/outside/agents/agent-messages.ts";
import { AgentProcess } from "../../sim/outside/agents/agent-process.ts";
import { type Baseline, Seat } from "../baselines/seat.ts";
import type { PlayedEpisode } from "../record/play.ts";
import { serveEpisodeHttp } from "../server/serve-http.ts";

/** Why an agent went before it wanted to; null if it did not. One line. */
type Failure = string | null;

export interface Player {
  /** In records and tables. */
  readonly name: string;
  /** Resolves when it has played as far as it wants, or can. */
  readonly play: (episode: PlayedEpisode, seed: number, brief: string) => Promise<Failure>;
}

interface CommandOptions {
  readonly name: string;
  /** Words as in a shell, of which quotes are the only special characters. */
  readonly command: string;
  /** Real seconds that it may take. */
  readonly timeLimit: number;
}

type AgentVariable = (typeof AGENT_VARIABLES)[number];

/** Variables of mkt itself. */
const OWN_VARIABLES = /^(MKT_|MCP_)/;
/** Episodes are served there. */
const EPISODE_HOST = "127.0.0.1";

export function baselinePlayer({ name, play }: Baseline): Player {
  return {
    name,
    play: async ({ dispatcher }, seed) => {
      try {
        await play(new Seat(dispatcher, seed));
        return null;
      } catch (error) {
        return errorMessage(error);
      }
    },
  };
}

/** Its environment has AGENT_VARIABLES, and no other variable of mkt. */
export function commandPlayer({ name, command, timeLimit }: CommandOptions): Player {
  return {
    name,
    play: async (episode, _seed, brief) => {
      const served = serveEpisodeHttp(episode, 0);
      const told: Record<AgentVariable, string> = {
        MKT_ARENA_MCP_URL: served.url,
        MKT_ARENA_TOKEN: served.token ?? "",
        MKT_ARENA_BRIEF: brief,
      };
      try {
        return await failureOf(
          new AgentProcess(command, { environment: environmentFor({ ...told, ...withoutProxy() }, OWN_VARIABLES) }),
          timeLimit,
        );
      } catch (error) {
        if (error instanceof AgentFailure) return error.message;
        throw error;
      } finally {
        await episode.dispatcher.stop();
        await served.stop();
      }
    },
  };
}

/** An agent reaches its episode itself, whatever proxy it needs for others, such as a model. Programs know either spelling. */
function withoutProxy() {
  const { no_proxy: lower, NO_PROXY: upper } = ownEnvironment<"no_proxy" | "NO_PROXY">();
  const hosts = [lower || upper, EPISODE_HOST].filter(Boolean).join(",");
  return { no_proxy: hosts, NO_PROXY: hosts };
}

async function failureOf(agent: AgentProcess, timeLimit: number): Promise<Failure> {
  const status = await within(timeLimit * 1000, agent.ended);
  const isLate = status === undefined;
  const ending = isLate ? "" : await agent.ending();
  await agent.end(0);
  if (isLate) return `the agent took more than ${timeLimit} s`;
  return status === 0 ? null : `the agent failed${ending}`;
}
