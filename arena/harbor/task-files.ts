// A task of Harbor (harborframework.com/docs), the folder format of Terminal-Bench and others: an agent in a container of its
// own reads instruction.md, and acts in an episode that a second container serves by MCP.
//
// Nothing of the truth lies where the agent can read it: its image has no file of the task, and the seed is known to the
// second container alone. tests/ and solution/ have the token of the judge (arena/server/judge.ts); Harbor brings them into
// the agent's container only when the agent is done.

import type { Scenario } from "../scenario/scenario.ts";

interface TaskOptions {
  readonly scenario: Scenario;
  readonly seed: number;
  /** The scenario's, with what the seed decides. */
  readonly brief: string;
  /** Of mkt. */
  readonly version: string;
  /** A secret of this task. */
  readonly judgeToken: string;
}

const PORTS = { mcp: 8090, judge: 8091 };
/** Of the agent, and of the verifier. */
const SECONDS = { agent: 3_600, verifier: 300, build: 600 };

/** The texts of the files, by path. Those that end with .sh are run. */
export function taskFiles(options: TaskOptions): ReadonlyMap<string, string> {
  const { scenario, brief } = options;
  return new Map([
    ["task.toml", taskToml(options)],
    ["instruction.md", instruction(scenario.title, brief)],
    ["environment/Dockerfile", DOCKERFILE],
    ["environment/docker-compose.yaml", compose(options)],
    ["environment/scenario.json", `${JSON.stringify(scenario, null, 2)}\n`],
    ["environment/judge-token", `${options.judgeToken}\n`],
    ["tests/test.sh", testScript(options)],
    ["solution/solve.sh", solveScript(options)],
  ]);
}

function taskToml({ scenario: { name, title, kind, grade }, seed, version }: TaskOptions): string {
  const quoted = (text: string) => JSON.stringify(text);
  return `schema_version = "1.1"

[task]
name = ${quoted(`mkt/${name}-${seed}`)}
description = ${quoted(`${title}: an episode of mkt's arena`)}
keywords = ["trading", "electricity", "mcp"]

[[task.authors]]
name = "The mkt authors"

[metadata]
scenario = ${quoted(name)}
kind = ${quoted(kind)}
grade = ${grade}
mkt = ${quoted(version)}

[verifier]
timeout_sec = ${SECONDS.verifier}.0

[agent]
timeout_sec = ${SECONDS.agent}.0

[environment]
build_timeout_sec = ${SECONDS.build}.0
cpus = 2
memory_mb = 2048
storage_mb = 4096
allow_internet = true

[[environment.mcp_servers]]
name = "mkt"
transport = "streamable-http"
url = "http://mkt:${PORTS.mcp}/mcp"
`;
}

function instruction(title: string, brief: string): string {
  return `# ${title}

${brief}

You act in a simulated electricity market by the tools of the MCP server \`mkt\` (http://mkt:${PORTS.mcp}/mcp, streamable HTTP).
Begin with \`mkt_arena_brief\`, which has your mandate as data, and \`mkt_connect_pubsub\`. Market time stands still while you
think, and passes in \`mkt_arena_wait\`. When you are done, call \`mkt_arena_submit\`.
`;
}

const DOCKERFILE = `FROM debian:trixie-slim
RUN apt-get update && \\
    apt-get install --yes --no-install-recommends ca-certificates curl python3 && \\
    rm -rf /var/lib/apt/lists/*
WORKDIR /work
`;

/** Harbor adds it to its own, which has the rest of \`main\`. */
function compose({ seed, version }: TaskOptions): string {
  return `services:
  main:
    depends_on:
      mkt:
        condition: service_healthy
  mkt:
    image: \${ARENA_IMAGE:-mkt:${version}}
    command:
      - arena
      - serve
      - /scenario.json
      - --seed=${seed}
      - --http=${PORTS.mcp}
      - --host=0.0.0.0
      - --no-token
      - --judge=${PORTS.judge}
      - --judge-token-file=/judge-token
    environment:
      MCP_ALLOWED_HOSTS: mkt
    volumes:
      - ./scenario.json:/scenario.json:ro
      - ./judge-token:/judge-token:ro
    healthcheck:
      test: [CMD, mkt, health, "http://127.0.0.1:${PORTS.judge}"]
      interval: 2s
      timeout: 5s
      retries: 30
`;
}

function testScript({ judgeToken }: TaskOptions): string {
  return `#!/bin/sh
# Ends the episode, and writes its score as the reward.
set -eu
logs=\${LOGS_DIR:-/logs/verifier}
judge=\${JUDGE_URL:-http://mkt:${PORTS.judge}}
mkdir -p "$logs"
ask() {
  curl --fail --silent --show-error --noproxy "*" --header "Authorization: Bearer ${judgeToken}" "$judge/$1"
}
ask result > "$logs/result.json"
ask reward > "$logs/reward.txt"
`;
}

function solveScript({ judgeToken }: TaskOptions): string {
  return `#!/bin/sh
# Lets the expert of mkt play the episode, by the same tools.
set -eu
judge=\${JUDGE_URL:-http://mkt:${PORTS.judge}}
curl --fail --silent --show-error --noproxy "*" --request POST --header "Authorization: Bearer ${judgeToken}" "$judge/solve"
`;
}
