// Agents that are processes of their own: the examples, and those that fail.

import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { verify } from "../../../arena/record/verify.ts";
import { commandPlayer, type Player } from "../../../arena/run/player.ts";
import { episodeJobs, runEpisode } from "../../../arena/run/run-episode.ts";
import { loadSolver } from "../../../arena/score/programme.ts";
import { serveEpisodeHttp } from "../../../arena/server/serve-http.ts";
import { PROGRAM } from "../../plugins/support/packs.ts";
import { atEnd } from "../../support/at-end.ts";
import { run } from "../../support/processes.ts";
import { findPython } from "../../support/python.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { SMALL } from "../small-scenario.ts";

beforeAll(loadSolver);

const EXAMPLES = resolve(import.meta.dir, "../../../docs/examples");
const TIME_LIMIT_S = 3_600;
/** Of all agents, which share the marks in it. */
const out = temporaryDirectory();
let agents = 0;

const python = findPython("tests of the arena's example in Python");

/** The episode's result, the failure of its agent, and its calls, which come out the same when they are played again. */
async function playedBy(play: Player["play"]) {
  const player: Player = { name: `tester-${agents += 1}`, play };
  const [job] = episodeJobs([SMALL], [1], player.name);
  const result = await runEpisode(job!, { out, player, program: PROGRAM, seedKey: null });
  const folder = join(out, "small/1", player.name);
  expect((await verify(folder, PROGRAM)).difference).toBeNull();
  const text = (name: string) => readFileSync(join(folder, name), "utf8");
  const calls: { readonly tool: string }[] = text("calls.jsonl").split("\n").slice(0, -1).map((line) =>
    JSON.parse(line)
  );
  const { failure } = JSON.parse(text("timing.json")) as { readonly failure: string | null };
  return { result, failure, tools: calls.map(({ tool }) => tool) };
}

const playedWithin = (timeLimit: number, ...words: readonly string[]) =>
  playedBy(commandPlayer({ name: "tester", command: words.map((word) => `'${word}'`).join(" "), timeLimit }).play);

const playedByCommand = (...words: readonly string[]) => playedWithin(TIME_LIMIT_S, ...words);

/** A server that answers each request with the next of some responses. Gives its address. */
function serve(answer: (request: Request) => Response | Promise<Response>): string {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  atEnd(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
}

describe("an example", () => {
  test.each([
    ["arena-agent.ts", process.execPath],
    ["arena_agent.py", python],
  ])("%s trades by answers that are JSON, and by those that are streams of events", async (file, command) => {
    if (command === null) return;
    const { result, failure } = await playedBy(async (episode, _seed, brief) => {
      const served = serveEpisodeHttp(episode, 0);
      let requests = 0;
      const MKT_ARENA_MCP_URL = serve(async (request) => {
        const { headers } = request;
        expect(headers.get("accept")).toBe("application/json, text/event-stream");
        headers.set("accept", "application/json");
        const response = await fetch(served.url, { method: "POST", headers, body: await request.text() });
        if ((requests += 1) % 2 === 0) return response;
        const note = { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "busy" } };
        const events = [JSON.stringify(note), await response.text()].map((data) => `event: message\r\ndata:${data}`);
        const type = { "content-type": "text/event-stream; charset=utf-8" };
        return new Response(`: hello\r\n\r\n${events.join("\r\n\r\n")}\r\n\r\n`, { headers: type });
      });
      const told = { MKT_ARENA_MCP_URL, MKT_ARENA_TOKEN: served.token ?? "", MKT_ARENA_BRIEF: brief };
      const { exitCode, stdout, stderr } = await run([command, join(EXAMPLES, file)], { env: told });
      await served.stop();
      if (exitCode !== 0) return stderr;
      expect(stdout).toMatch(/^Buy \d+ MW [^]*\nresult -[\d.]+ dollars\n$/);
      return null;
    });
    expect(failure).toBeNull();
    expect(result).toMatchObject({ refused: 0, broken: [], score: expect.any(Number) });
    expect(result.trades).toBeGreaterThan(0);
  });
});

describe("the example that lets a model play", () => {
  interface Asked {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string; readonly tool_call_id?: string }[];
    readonly tools: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[];
  }
  type Calls = readonly (readonly [name: string, input: string])[];

  /** A model that makes these calls, or gives these responses, one after the other. */
  function model(script: readonly (Response | string | Calls | ((asked: Asked) => Calls))[]) {
    const asked: Asked[] = [];
    const keys: (string | null)[] = [];
    const url = serve(async (request) => {
      const body = await request.json() as Asked;
      const next = script[asked.length] ?? "I am out of ideas.";
      asked.push(body);
      keys.push(request.headers.get("authorization"));
      expect(new URL(request.url).pathname).toBe("/v1/chat/completions");
      if (next instanceof Response) return next;
      const calls = typeof next === "string" ? undefined : typeof next === "function" ? next(body) : next;
      const tool_calls = calls?.map(([name, input], at) => {
        return { id: `${asked.length}-${at}`, type: "function", function: { name, arguments: input } };
      });
      const content = typeof next === "string" ? next : null;
      return Response.json({ choices: [{ message: { role: "assistant", content, tool_calls } }] });
    });
    const play = () =>
      playedByCommand(
        ...["env", `MODEL_URL=${url}/v1`, "MODEL_KEY=secret", "MODEL_NAME=small"],
        ...[process.execPath, join(EXAMPLES, "arena-model-agent.ts")],
      );
    return { asked, keys, play };
  }

  test("gives it the brief and the tools, tells it of its faults, and ends with the episode", async () => {
    const { asked, keys, play } = model([
      new Response("busy", { status: 429, headers: { "retry-after": "0" } }),
      [["mkt_arena_brief", ""], ["mkt_connect_pubsub", "{}"]],
      "I would buy.",
      [["mkt_arena_wait", "{"], ["mkt_arena_fly", "{}"], ["mkt_arena_wait", '{"minutes":0}']],
      ({ messages }) => {
        const brief = messages.find(({ tool_call_id: id }) => id === "2-0")!;
        const [{ contractId }] = JSON.parse(brief.content).contracts;
        return [["mkt_create_test_order", JSON.stringify({ contractId, side: "BUY", price: 500_000, quantity: 1 })]];
      },
      [["mkt_arena_submit", "{}"]],
    ]);
    const { result, failure, tools } = await play();
    expect(failure).toBeNull();
    expect(result).toMatchObject({ ended: "agent", trades: 1 });
    const waited = ["mkt_arena_wait", "mkt_create_test_order", "mkt_arena_submit"];
    expect(tools).toEqual(["mkt_arena_brief", "mkt_connect_pubsub", ...waited]);
    expect(keys).toEqual(Array.from({ length: 6 }, () => "Bearer secret"));
    expect(asked[0]!.model).toBe("small");
    expect(asked[0]!.messages).toMatchObject([{ role: "system" }, {
      role: "user",
      content: expect.stringMatching(/^Buy \d+ MW/),
    }]);
    const offered = [...SMALL.tools, "mkt_arena_brief", "mkt_arena_wait", "mkt_arena_submit"];
    expect(asked[0]!.tools.map(({ function: { name } }) => name).toSorted()).toEqual([...new Set(offered)].toSorted());
    const answers = asked.at(-1)!.messages.filter(({ role }) => role !== "assistant").slice(2);
    expect(answers.map(({ tool_call_id: id, content }) => [id, content])).toEqual([
      ["2-0", expect.stringContaining('"minutesLeft":30')],
      ["2-1", expect.stringContaining('"status":"success"')],
      [undefined, expect.stringContaining("Go on with the tools")],
      ["4-0", expect.stringContaining("not JSON")],
      ["4-1", expect.stringContaining("mkt_arena_fly")],
      ["4-2", expect.stringContaining("must be above 0")],
      ["5-0", expect.stringContaining('"filledQuantity":1')],
    ]);
  });

  test("fails if the model can't be asked, and names the cause", async () => {
    const { play } = model([new Response("no such model", { status: 404 })]);
    expect((await play()).failure).toMatch(/; its process ended with status 1; .*the model: 404: no such model/);
  });
});

describe("an agent that fails", () => {
  async function fileWith(text: string): Promise<string> {
    const path = join(temporaryDirectory(), "agent.ts");
    const call = `const call = (name, input = {}) => fetch(process.env.MKT_ARENA_MCP_URL, {
      method: "POST",
      headers: {
        authorization: "Bearer " + process.env.MKT_ARENA_TOKEN,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } }),
    });`;
    await Bun.write(path, `${call}\nawait call("mkt_connect_pubsub");\n${text}`);
    return path;
  }

  test("leaves a record of what it did, which names the failure; it knows of nothing but its episode", async () => {
    const told = "Object.keys(process.env).filter((name) => /^(MKT|MCP)_/.test(name)).toSorted()";
    const path = await fileWith(`throw new Error("no idea, only " + ${told} + "; direct: " + process.env.no_proxy);`);
    const { result, failure, tools } = await playedByCommand(process.execPath, path);
    expect(failure).toStartWith("the agent failed; its process ended with status 1; it wrote: ");
    const known = "no idea, only MKT_ARENA_BRIEF,MKT_ARENA_MCP_URL,MKT_ARENA_TOKEN; direct: ";
    expect(failure).toMatch(new RegExp(`${known}(\\S+,)?127\\.0\\.0\\.1 `));
    expect(result).toMatchObject({ calls: 1, ended: null, score: expect.any(Number) });
    expect(tools).toEqual(["mkt_connect_pubsub"]);
  });

  test("with calls on their way leaves a record that ends with a whole call", async () => {
    const path = await fileWith(`
      const waits = Array.from({ length: 30 }, () => call("mkt_arena_wait", { minutes: 1 }));
      await waits[0];
      process.exit(1);`);
    const { result, failure, tools } = await playedByCommand(process.execPath, path);
    expect(failure).toStartWith("the agent failed; its process ended with status 1");
    expect(tools).toHaveLength(result.calls);
    expect(result.calls).toBeGreaterThan(1);
  });

  test("to end in time is ended, and leaves a record that says so", async () => {
    const path = join(temporaryDirectory(), "late.ts");
    await Bun.write(path, "setInterval(() => {}, 60_000);");
    const { result, failure } = await playedWithin(1, process.execPath, path);
    expect(failure).toBe("the agent took more than 1 s");
    expect(result).toMatchObject({ calls: 0, ended: null });
  });

  test("to start leaves a record without a call", async () => {
    const { result, failure } = await playedByCommand("/none/such");
    expect(failure).toStartWith("--agent: '/none/such' can't be started: ");
    expect(result).toMatchObject({ calls: 0, ended: null });
  });
});
