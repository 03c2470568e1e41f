// Time from the start of the process to the first byte of the answer to tools/list over stdio, with everything that leads to it
// sent at once. And the time of a server made for one HTTP request.
//
// The process is compiled into a temporary folder, so the figure belongs to this source. Its peers are minimal compiled
// programs: one that prints a word, and one that answers the same bytes without any library. The file cache is warm.

import { deepStrictEqual } from "node:assert";
import { rmSync } from "node:fs";
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

const INITIALIZE = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } };
const TO_LIST = [
  { id: 1, method: "initialize", params: INITIALIZE },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
];

/** A program to start. It has answered when line `line` of its stdout, from 0 on, begins. */
interface Start {
  readonly executable: string;
  readonly messages: readonly object[];
  readonly line: number;
}

/** Starts the process and reads its stdout until line `line` has begun, or also ended. Ends the process. */
async function started({ executable, messages, line }: Start, whole = false) {
  const child = Bun.spawn([executable], { env: ENVIRONMENT, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  child.stdin.write(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
  child.stdin.flush();
  let lines = [""];
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    lines = `${lines.join("\n")}${decoder.decode(chunk, { stream: true })}`.split("\n");
    if (whole ? lines.length > line + 1 : lines[line]) break;
  }
  child.kill("SIGKILL");
  return { lines: lines.slice(0, line + 1), ended: child.exited };
}

/** The whole lines of the answers. */
export async function answersOf(start: Start): Promise<readonly string[]> {
  const { lines, ended } = await started(start, true);
  await ended;
  return lines;
}

function starting(start: Start, isRight: (lines: readonly string[]) => void | Promise<void>): Subject {
  let ended: Promise<unknown> = Promise.resolve();
  const wait = async () => {
    await ended;
  };
  return {
    before: wait,
    run: async () => {
      ({ ended } = await started(start));
    },
    check: async () => await isRight(await answersOf(start)),
    end: wait,
  };
}

/** The names of the tools that `mkt tools` lists. */
async function toolsOf(mkt: string): Promise<readonly string[]> {
  const child = Bun.spawn([mkt, "tools", "--json"], { env: ENVIRONMENT, stderr: "ignore" });
  const { packs } = await new Response(child.stdout).json() as { packs: { tools: { name: string }[] }[] };
  return packs.flatMap(({ tools }) => tools.map(({ name }) => name));
}

async function listsToolsOf(mkt: string) {
  const tools = await toolsOf(mkt);
  return (lines: readonly string[]) => {
    const { id, result } = JSON.parse(lines[1] ?? "{}") as { id: number; result: { tools: { name: string }[] } };
    deepStrictEqual([id, result.tools.map(({ name }) => name)], [2, tools]);
  };
}

export const listing = (executable: string): Start => ({ executable, messages: TO_LIST, line: 1 });

async function startingToList(mkt: string): Promise<Subject> {
  return starting(listing(mkt), await listsToolsOf(mkt));
}

/** A program, compiled into `folder`, that writes mkt's answers once it has read tools/list. */
export async function leastProgram(mkt: string, folder: string): Promise<string> {
  const answers = await answersOf(listing(mkt));
  return await program(
    "least",
    folder,
    `const answers = ${JSON.stringify(answers)};
let text = "";
for await (const chunk of Bun.stdin.stream()) {
  text += new TextDecoder().decode(chunk);
  if (text.includes("tools/list")) break;
}
process.stdout.write(answers.join("\\n") + "\\n");
`,
  );
}

const WORD = "hello";
const greeting = (executable: string): Start => ({ executable, messages: [], line: 0 });

async function startingHello(_mkt: string, folder: string): Promise<Subject> {
  const hello = await program("hello", folder, `console.log("${WORD}");`);
  return starting(greeting(hello), (lines) => deepStrictEqual(lines, [WORD]));
}

async function startingLeast(mkt: string, folder: string): Promise<Subject> {
  return starting(listing(await leastProgram(mkt, folder)), await listsToolsOf(mkt));
}

/** Compiled as mkt is. */
async function program(name: string, folder: string, code: string): Promise<string> {
  const [source, outfile] = [join(folder, `${name}.ts`), join(folder, name)];
  await Bun.write(source, code);
  await Bun.build({
    entrypoints: [source],
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
    bytecode: true,
    format: "esm",
    splitting: true,
    minify: true,
  });
  return outfile;
}

let built: Promise<string> | null = null;

/** From now on the subjects start this executable, and none is compiled. */
export function useExecutable(mkt: string): void {
  built = Promise.resolve(mkt);
}

/** mkt, compiled once for all subjects, into a temporary folder that is removed when this process ends. */
function builtMkt(): Promise<string> {
  return built ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), "mkt-bench-"));
    process.once("exit", () => rmSync(folder, { recursive: true }));
    const mkt = join(folder, "mkt");
    await compile(mkt);
    return mkt;
  })();
}

/** The folder is for what the subject compiles itself, and is removed with it. */
const compiled = (subjectOf: (mkt: string, folder: string) => Subject | Promise<Subject>): Prepare => async () => {
  const folder = await mkdtemp(join(tmpdir(), "mkt-bench-"));
  const subject = await subjectOf(await builtMkt(), folder);
  return {
    ...subject,
    end: async () => {
      await subject.end?.();
      await rm(folder, { recursive: true });
    },
  };
};

const TOOLS = PACKS.flatMap(({ tools }) => tools);

const listingOnce =
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
  description:
    "From the start of the process to the first byte of an answer; in the last case, of a server made for one request",
  sizes: [],
  cases: [
    {
      name: "first tools/list over stdio",
      peerName: "compiled hello-world",
      mkt: compiled(startingToList),
      peer: compiled(startingHello),
    },
    {
      name: "the same",
      peerName: "least compiled program",
      mkt: compiled(startingToList),
      peer: compiled(startingLeast),
    },
    {
      name: "a server made for one request",
      peerName: "SDK registerTool",
      mkt: listingOnce(mktServers),
      peer: listingOnce(registeringServers),
    },
  ],
} satisfies Suite;
