// Who plays an episode: a baseline in this process, or a command that is told where the episode is served.

import { environmentFor } from "../../common/environment.ts";
import { errorMessage } from "../../common/error-message.ts";
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

/** What the process of an agent is told: where its episode is served, a bearer token for it, and what it is to do. */
export const AGENT_VARIABLES = ["MKT_ARENA_MCP_URL", "MKT_ARENA_TOKEN", "MKT_ARENA_BRIEF"] as const;
type AgentVariable = (typeof AGENT_VARIABLES)[number];

/** Variables of mkt itself. */
const OWN_VARIABLES = /^(MKT_|MCP_)/;
/** Stands for the status of an agent that has none in time. */
const LATE = "late";

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
        MKT_ARENA_TOKEN: served.token,
        MKT_ARENA_BRIEF: brief,
      };
      try {
        return await failureOf(
          new AgentProcess(command, { environment: environmentFor(told, OWN_VARIABLES) }),
          timeLimit,
        );
      } catch (error) {
        if (error instanceof AgentFailure) return error.message;
        throw error;
      } finally {
        await served.stop();
      }
    },
  };
}

async function failureOf(agent: AgentProcess, timeLimit: number): Promise<Failure> {
  const status = await Promise.race([agent.ended, Bun.sleep(timeLimit * 1000).then(() => LATE)]);
  const ending = status === LATE ? "" : await agent.ending();
  await agent.end(0);
  if (status === LATE) return `the agent took more than ${timeLimit} s`;
  return status === 0 ? null : `the agent failed${ending}`;
}
