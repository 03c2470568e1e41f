// A client that was answered before the SDK was there: what the SDK reads again without an answer, and what it answers then.

import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { McpServer } from "@modelcontextprotocol/server";
import { logger } from "../../../../common/logger.ts";
import { serveStdio } from "../../../../core/server/stdio/serve-stdio.ts";
import { EarlyClient } from "../../../../core/start/early-client.ts";
import { until } from "../../../support/until.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
};
const PING = { jsonrpc: "2.0", id: 7, method: "ping" };

test("the SDK has the state of the requests that were answered, and answers the lines that wait, in order", async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const steps: string[] = [];
  const seen: unknown[] = [];
  const client = new EarlyClient({
    take: (message) => (message as { readonly id: number }).id === 0 ? "taken" : "waits",
  }, stdin);
  for (const message of [INITIALIZE, PING, { ...PING, id: 8 }]) stdin.write(`${JSON.stringify(message)}\n`);
  await client.waits;
  const written: string[] = [];
  stdout.on("data", (bytes: Buffer) => {
    if (steps.length === 0) steps.push("written before the hand-over");
    written.push(bytes.toString());
  });
  const factory = () => {
    const mcp = new McpServer({ name: "t", version: "1" }, { capabilities: {} });
    mcp.server.oninitialized = () => seen.push("initialized");
    mcp.server.onclose = () => seen.push("closed");
    return mcp;
  };
  const output = { handOver: () => void steps.push("handed over") };
  const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
  const answers = { replayed: [INITIALIZE] } as never;
  const { ended, stop } = serveStdio(factory, {} as never, logger("test"), {
    started: { client, answers, output },
    stdout,
  });
  stdin.write(`${JSON.stringify(initialized)}\n`);
  const answered = () => written.join("").split("\n").slice(0, -1).map((line) => JSON.parse(line));
  await until(() => answered().length === 2);
  expect(answered()).toEqual([
    { jsonrpc: "2.0", id: 7, result: {} },
    { jsonrpc: "2.0", id: 8, result: {} },
  ]);
  expect(steps).toEqual(["handed over"]);
  await until(() => seen.length === 1);
  stdin.end();
  await ended;
  await stop();
  expect(answered()).toHaveLength(2);
});
