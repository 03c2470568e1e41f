// Time to the first answered tools/list: for the process over stdio, and for the server created for one HTTP request.
//
// The process is compiled into a temporary folder, so the figure belongs to this source. Its peer is a minimal compiled
// program that answers the same bytes without any library. The file cache is warm.

import { deepStrictEqual } from "node:assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PACKS } from "../plugins/index.ts";
import { compile } from "../scripts/compile.ts";
import { connected, type MakeServer, mktServers } from "./in-memory.ts";
import { registeringServers } from "./registered-tools.ts";
import type { Prepare, Subject, Suite } from "./suite.ts";
import { servicesOver, snapshotOf } from "./tool-context.ts";

const ENVIRONMENT = { MKT_HOST: "127.0.0.1:1", MKT_USER_ID: "bench", LOG_LEVEL: "error" };

const REQUESTS = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");

/** The answers to initialize and tools/list, one line each. Ends the process; `ended` waits for its end. */
async function firstAnswers(executable: string): Promise<{ lines: string[]; ended: Promise<unknown> }> {
  const child = Bun.spawn([executable], { env: ENVIRONMENT, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  child.stdin.write(REQUESTS);
  child.stdin.flush();
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    if (text.split("\n").length > 2) break;
  }
  child.kill();
  return { lines: text.split("\n").slice(0, 2), ended: child.exited };
}

function listedIn(answer: string | undefined): readonly string[] {
  const { id, result } = JSON.parse(answer ?? "{}") as { id: number; result: { tools: { name: string }[] } };
  deepStrictEqual(id, 2);
  return result.tools.map(({ name }) => name);
}

/** The names of the tools that `mkt tools` lists. */
async function toolsOf(mkt: string): Promise<readonly string[]> {
  const child = Bun.spawn([mkt, "tools", "--json"], { env: ENVIRONMENT, stderr: "ignore" });
  const { packs } = await new Response(child.stdout).json() as { packs: { tools: { name: string }[] }[] };
  return packs.flatMap(({ tools }) => tools.map(({ name }) => name));
}

function starting(executable: string, tools: readonly string[]): Subject {
  let ended: Promise<unknown> = Promise.resolve();
  return {
    before: async () => {
      await ended;
    },
    run: async () => {
      const answers = await firstAnswers(executable);
      ended = answers.ended;
      return answers.lines;
    },
    check: async () => {
      const answers = await firstAnswers(executable);
      await answers.ended;
      deepStrictEqual(listedIn(answers.lines[1]), tools);
    },
    end: async () => {
      await ended;
    },
  };
}

export async function startingMkt(mkt: string): Promise<Subject> {
  return starting(mkt, await toolsOf(mkt));
}

/** A program, compiled into `folder`, that writes mkt's answers once it has read tools/list. */
export async function startingLeast(mkt: string, folder: string): Promise<Subject> {
  const { lines, ended } = await firstAnswers(mkt);
  await ended;
  const source = join(folder, "least.ts");
  const outfile = join(folder, "least");
  await Bun.write(
    source,
    `const answers = ${JSON.stringify(lines)};
let text = "";
for await (const chunk of Bun.stdin.stream()) {
  text += new TextDecoder().decode(chunk);
  if (text.includes("tools/list")) break;
}
process.stdout.write(answers.join("\\n") + "\\n");
`,
  );
  await Bun.build({ entrypoints: [source], compile: { outfile }, bytecode: true, format: "esm", minify: true });
  return starting(outfile, await toolsOf(mkt));
}

/** Compiles mkt into a temporary folder that is removed with the subject. */
const compiled = (subjectOf: (mkt: string, folder: string) => Promise<Subject>): Prepare => async () => {
  const folder = await mkdtemp(join(tmpdir(), "mkt-bench-"));
  const mkt = join(folder, "mkt");
  await compile(mkt);
  const subject = await subjectOf(mkt, folder);
  return {
    ...subject,
    end: async () => {
      await subject.end?.();
      await rm(folder, { recursive: true });
    },
  };
};

const TOOLS = PACKS.flatMap(({ tools }) => tools);

const listing =
  (serversOf: (tools: typeof TOOLS, services: ReturnType<typeof servicesOver>) => MakeServer): Prepare => () => {
    const makeServer = serversOf(TOOLS, servicesOver(snapshotOf([])));
    const list = async () => {
      const { client, close } = await connected(makeServer);
      const { tools } = await client.listTools();
      await close();
      return tools;
    };
    return {
      run: list,
      check: async () => deepStrictEqual((await list()).map(({ name }) => name), TOOLS.map(({ name }) => name)),
    };
  };

export default {
  name: "cold-start",
  description: "To the first answered tools/list",
  sizes: [],
  cases: [
    {
      name: "the compiled process, over stdio",
      peerName: "least compiled program",
      mkt: compiled(startingMkt),
      peer: compiled(startingLeast),
    },
    {
      name: "a server made for one request",
      peerName: "SDK registerTool",
      mkt: listing(mktServers),
      peer: listing(registeringServers),
    },
  ],
} satisfies Suite;
