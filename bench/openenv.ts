// What trainers pay for: steps over one connection and over many, resets, and the memory of many episodes at once, by the
// compiled executable. Each figure stands beside the least or the most that is promised; exit status 1 if one misses it.
//
//   bun run build && bun bench/openenv.ts
//
// A step reads an order book (mkt_get_order_book). The episodes of resets are of all built-in scenarios in turn, each with
// another seed.

import { builtInScenarios } from "../arena/scenario/read-scenario.ts";
import { quantile } from "../common/statistics.ts";
import { PACKS } from "../plugins/index.ts";
import { aligned, grouped } from "./table.ts";

const EXECUTABLE = new URL("../dist/mkt", import.meta.url).pathname;
const STEPS = 3_000;
const CONNECTIONS = 32;
const SESSIONS = 64;
const RESETS = 560;
const SCENARIO = "evening-peak";
const MEGABYTE = 1e6;

interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly promised: { readonly least: number } | { readonly most: number };
}

class Client {
  #wake: (text: string) => void = () => {};

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener("message", ({ data }) => this.#wake(String(data)));
  }

  static async open(url: string): Promise<Client> {
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    return new Client(socket);
  }

  async ask(type: string, data: object): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#wake = resolve;
    this.socket.send(JSON.stringify({ type, data }));
    const text = await promise;
    if (!text.startsWith(`{"type":"observation"`)) throw new Error(text);
    return text;
  }

  call(tool: string, input: object = {}): Promise<string> {
    return this.ask("step", { type: "call_tool", tool_name: tool, arguments: input });
  }

  /** Begins an episode, and returns a contract of it. */
  async begin(seed: number): Promise<string> {
    await this.ask("reset", { seed, scenario: SCENARIO });
    const brief = JSON.parse(await this.call("mkt_arena_brief"));
    await this.call("mkt_connect_pubsub");
    return brief.data.observation.result.data.contracts[0].contractId;
  }

  close(): void {
    this.socket.close();
  }
}

/** Steps per second of several clients at once, each of which sends the next step when it has the answer. */
async function stepRate(clients: readonly Client[], contractIds: readonly string[]): Promise<number> {
  const read = (count: number) =>
    Promise.all(clients.map(async (client, at) => {
      for (let step = 0; step < count; step++) {
        await client.call("mkt_get_order_book", { contractId: contractIds[at] });
      }
    }));
  const each = Math.ceil(STEPS / clients.length);
  await read(Math.ceil(each / 4));
  await Promise.all(clients.map((client, at) => client.begin(at + 1)));
  const began = performance.now();
  // An episode has 2,000 calls.
  await read(Math.min(each, 1_500));
  return Math.min(each, 1_500) * clients.length / (performance.now() - began) * 1_000;
}

async function begun(url: string, count: number): Promise<{ clients: Client[]; contractIds: string[] }> {
  const clients = await Promise.all(Array.from({ length: count }, () => Client.open(url)));
  const contractIds: string[] = [];
  for (const [at, client] of clients.entries()) contractIds.push(await client.begin(at + 1));
  return { clients, contractIds };
}

async function figures(url: string, pid: number): Promise<Figure[]> {
  const one = await begun(url, 1);
  const single = await stepRate(one.clients, one.contractIds);
  const names = builtInScenarios(PACKS.flatMap(({ tools }) => tools.map(({ name }) => name))).map(({ name }) => name);
  const resets: number[] = [];
  for (let at = 0; at < RESETS; at++) {
    const began = performance.now();
    await one.clients[0]!.ask("reset", { seed: 1_000 + at, scenario: names[at % names.length] });
    resets.push(performance.now() - began);
  }
  for (const client of one.clients) client.close();
  const many = await begun(url, CONNECTIONS);
  const together = await stepRate(many.clients, many.contractIds);
  await begun(url, SESSIONS - CONNECTIONS);
  const status = await Bun.file(`/proc/${pid}/status`).text();
  const memory = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024 / MEGABYTE;
  const sorted = resets.toSorted((one, other) => one - other);
  return [
    { what: "one connection", value: single, unit: "steps/s", promised: { least: 1_500 } },
    { what: `${CONNECTIONS} connections`, value: together, unit: "steps/s", promised: { least: 5_000 } },
    { what: "reset, median", value: quantile(sorted, 0.5), unit: "ms", promised: { most: 100 } },
    { what: "reset, 99 of 100", value: quantile(sorted, 0.99), unit: "ms", promised: { most: 100 } },
    { what: `${SESSIONS} sessions`, value: memory, unit: "MB", promised: { most: 4_000 } },
  ];
}

function isKept({ value, promised }: Figure): boolean {
  return "least" in promised ? value >= promised.least : value <= promised.most;
}

const server = Bun.spawn([EXECUTABLE, "arena", "serve", "--openenv", "--port", "0"], {
  stderr: "pipe",
  stdout: "ignore",
});
const reader = server.stderr.getReader();
let text = "";
while (!/OpenEnv at (\S+),/.test(text)) text += new TextDecoder().decode((await reader.read()).value);
const measured = await figures(/OpenEnv at (\S+),/.exec(text)![1]!, server.pid);
server.kill();
const rows = measured.map((figure) => [
  figure.what,
  `${grouped(Math.round(figure.value))} ${figure.unit}`,
  "least" in figure.promised
    ? `at least ${grouped(figure.promised.least)}`
    : `at most ${grouped(figure.promised.most)}`,
]);
console.log(aligned(["", "measured", "promised"], rows));
process.exit(measured.every(isKept) ? 0 : 1);
