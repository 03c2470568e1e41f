// `mkt watch`: follows events until Ctrl-C, through lost connections, as lines or JSON.

import { describe, expect, test } from "bun:test";
import { succeed } from "../support/official-client.ts";
import { CuttingProxy } from "../support/cutting-proxy.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { BARE_ENVIRONMENT, MKT } from "../support/executable.ts";
import { run, startProcess } from "../support/processes.ts";
import { size } from "../support/sizes.ts";
import { until } from "../support/until.ts";
import { NO_BACKEND } from "../support/http-requests.ts";
import { NORTH, startPowerMarket, submit, WEST } from "../support/power-market.ts";

const engine = await startPowerMarket();
const ANNA = engine.environmentFor("anna");
const trader = await engine.trader("anna");
const operator = await engine.trader("operator");

interface Watching {
  readonly lines: () => string[];
  readonly stderr: () => string;
  /** The lines that come from now on. */
  readonly since: () => () => string[];
  readonly interrupt: (signal?: NodeJS.Signals) => Promise<number>;
  /** The exit status, once the command ends by itself. */
  readonly ended: () => Promise<number>;
}

/** Starts `mkt watch`, and waits until it sees the event that `provoke` makes. */
async function watching(
  args: readonly string[],
  provoke: () => Promise<unknown>,
  env: Record<string, string> = {},
): Promise<Watching> {
  const child = startProcess([MKT, "watch", ...args], {
    env: { ...BARE_ENVIRONMENT, ...ANNA, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const text = { stdout: "", stderr: "" };
  const reading = (["stdout", "stderr"] as const).map(async (name) => {
    const decoder = new TextDecoder();
    for await (const chunk of child[name]) text[name] += decoder.decode(chunk, { stream: true });
  });
  const lines = () => text.stdout.split("\n").slice(0, -1);
  await until(async () => {
    if (lines().length === 0) await provoke();
    return lines().length > 0 || child.exitCode !== null;
  });
  const ended = async () => {
    const exitCode = await child.exited;
    await Promise.all(reading);
    return exitCode;
  };
  return {
    lines,
    stderr: () => text.stderr,
    since: () => {
      const before = lines().length;
      return () => lines().slice(before);
    },
    interrupt(signal = "SIGINT") {
      child.kill(signal);
      return ended();
    },
    ended,
  };
}

const order = (contractId = NORTH) => submit(trader, "BUY", 1000, 5, contractId);

interface JsonEvent {
  readonly sequence: number;
  readonly type: string;
  readonly time: string;
  readonly data: Record<string, unknown>;
}

const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as JsonEvent);

describe("mkt watch", () => {
  test("follows every event, each as one line to read, until Ctrl-C", async () => {
    const watch = await watching([], order);
    const next = watch.since();
    const { orderId } = await order();
    await until(() => next().some((line) => line.includes(`id=${orderId} `)));
    await until(() => next().some((line) => line.includes("change.book")));
    expect(next().find((line) => line.includes(`id=${orderId} `))).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} {2}new\.order {4}.*contractId=north-base-2099 .*side=BUY price=1000 quantity=5/,
    );
    expect(next().find((line) => line.includes("change.book"))).toMatch(/bids=\d+@1000/);
    expect([await watch.interrupt(), watch.stderr()]).toEqual([0, ""]);
  });

  test.each<[string, readonly string[], () => Promise<unknown>, RegExp]>([
    ["orders", ["--contract", WEST, "--entity", "aurora"], () => order(WEST), /"west-peak-2099".*"entityId":"aurora"/],
    ["market", [], halt, /"type":"(halt|resume)\.market"/],
  ])("%s %p shows only these events", async (topic, filters, provoke, expected) => {
    const watch = await watching([topic, "--json", ...filters], async () => {
      await order(NORTH);
      await order(WEST);
      await provoke();
    });
    expect(await watch.interrupt()).toBe(0);
    for (const line of watch.lines()) expect(line).toMatch(expected);
  });

  test("--json prints one JSON line for each event, and misses none over lost connections, which stderr reports", async () => {
    await using proxy = await CuttingProxy.to(engine.port);
    const watch = await watching(["orders", "--json"], order, { MKT_WS_URL: proxy.url });
    const next = watch.since();
    const orderIds: unknown[] = [];
    for (let round = 0; round < size(3, 4); round++) {
      if (round > 0) proxy.cut();
      for (let count = 0; count < 5; count++) orderIds.push((await order())["orderId"]);
      const shown = () => parsed(next()).map(({ data }) => data["id"]);
      await until(() => orderIds.every((orderId) => shown().includes(orderId)));
    }
    const events = parsed(watch.lines());
    const sequences = events.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...new Set(sequences)].toSorted((first, second) => first - second));
    for (const { type, time, data } of events) {
      expect(type).toBe("new.order");
      expect(new Date(time).toISOString()).toBe(time);
      expect(data).toMatchObject({ productCode: expect.any(String), side: "BUY", status: "working" });
    }
    await until(() => watch.stderr().includes("mkt: connected again"));
    expect(watch.stderr()).toContain("mkt: the connection to the engine was lost; connecting again\n");
    expect(watch.stderr()).not.toContain("missed");
    expect(await watch.interrupt("SIGTERM")).toBe(0);
  });

  test("ends with the reason when the engine comes back and refuses it", async () => {
    const first = await startPowerMarket();
    const client = await first.trader("anna");
    const watch = await watching([], () => submit(client, "BUY", 1000, 5), first.environmentFor("anna"));
    await first.stop();
    await startPowerMarket({ port: first.port, token: "a-token-of-enough-length-for-tests" });
    expect(await watch.ended()).toBe(1);
    expect(watch.stderr()).toMatch(/^mkt: the connection .* was lost; connecting again\nmkt: .*MKT_BEARER_TOKEN.*\n$/);
  });

  test("ends quietly when its reader closes the pipe", async () => {
    let ended = false;
    const script = `"$0" watch orders | head -1; exit \${PIPESTATUS[0]}`;
    const running = run(["bash", "-c", script, MKT], { env: { ...BARE_ENVIRONMENT, ...ANNA } })
      .finally(() => ended = true);
    await until(async () => {
      await order();
      return ended;
    });
    const stdout = expect.stringMatching(/^\S+ {2}new\.order .*\n$/);
    expect(await running).toEqual({ exitCode: 0, stdout, stderr: "" });
  });

  const NO_CONTRACT = /^mkt: contractId: there is no CONTRACT "none".*\n$/;
  const NOT_OFFERED = /^mkt: no tool mkt_watch_fills is offered/;
  const NO_TOPIC =
    /^mkt: topic: there is no "ordres" \(did you mean orders\?\); give one of orders, fills, book, market\n$/;
  const NO_FILTER = /^mkt: --order: is not a filter of this topic, which takes --contract\n$/;
  test.each<[string, string[], Record<string, string>, number, RegExp]>([
    ["no engine", [], NO_BACKEND, 1, /^mkt: There is no connection to the engine at .*\n$/],
    ["an unknown contract", ["orders", "--contract", "none"], ANNA, 1, NO_CONTRACT],
    ["a tool that is not offered", ["fills"], { ...ANNA, MKT_PACKS: "query" }, 1, NOT_OFFERED],
    ["a topic that does not exist", ["ordres"], ANNA, 2, NO_TOPIC],
    ["an empty filter", ["orders", "--contract", ""], ANNA, 2, /^mkt: --contract: is empty; give an id\n$/],
    ["a filter that the topic does not have", ["book", "--order", "o-1"], ANNA, 2, NO_FILTER],
  ])("names %s in one line", async (_name, args, env, exitCode, line) => {
    const stderr = expect.stringMatching(line);
    expect(await runMktHere(["watch", ...args], env)).toEqual({ exitCode, stdout: "", stderr });
  });
});

async function halt(): Promise<void> {
  await succeed(operator, "mkt_halt_market");
  await succeed(operator, "mkt_resume_market");
}
