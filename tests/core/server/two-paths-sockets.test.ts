// The comparison of the two paths (two-paths.test.ts) over real sockets: HTTP in many framings, malformed HTTP, and clients
// that end the connection before their body is complete.

import { describe, expect, test } from "bun:test";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { connect } from "node:net";
import { serveHttp } from "../../../core/server/http.ts";
import { atEnd } from "../../support/at-end.ts";
import { SEED, withSeedInFailures } from "../../support/seed.ts";
import { size } from "../../support/sizes.ts";
import { bytesOf, objectIn, textOf } from "./two-paths/drafts.ts";
import { Draw } from "./two-paths/draw.ts";
import { type GeneratedRequest, generatedRequest, shown, type Source } from "./two-paths/requests.ts";
import { settings } from "./two-paths/settings.ts";
import { argumentPool } from "./two-paths/usual-requests.ts";
import { answersIn, FRAMINGS, isAnswered, type Wire, wireOf } from "./two-paths/wire.ts";
import { withoutProcess } from "../../support/metrics-text.ts";
import { openWorld } from "./two-paths/world.ts";

const REQUESTS = size(250, 20_000);
const GROUP = 20;

const guarded = settings().find(({ environment }) => "MCP_BEARER_TOKEN" in environment) ?? expect.unreachable();

async function listening(plainPath: boolean) {
  const environment = { ...guarded.environment, MCP_ALLOWED_HOSTS: "localhost,127.0.0.1,[::1]" };
  const world = await openWorld({ ...guarded, environment }, plainPath);
  /** How many servers the SDK has made. */
  let made = 0;
  const factory: McpServerFactory = (context) => {
    made += 1;
    return world.serving.factory(context);
  };
  const server = serveHttp({ ...world.serving, factory, plainPath, drainMs: 1 });
  atEnd(() => server.stop());
  return { world, made: () => made, port: Number(new URL(server.url).port) };
}

type Listening = Awaited<ReturnType<typeof listening>>;

const paths = [await listening(true), await listening(false)] as const;
const { catalogue } = paths[0].world.dispatcher;
const source: Source = {
  seed: SEED,
  pool: argumentPool(catalogue.names.flatMap((name) => catalogue.get(name) ?? []), SEED, 30),
  authorizations: guarded.authorizations ?? [],
};

/** A request that no real clock slows down: without a wait, and not a subscription. */
function requestOf(number: number): GeneratedRequest {
  const request = generatedRequest(source, number);
  if (!/waitSeconds|subscriptions\/listen/.test(request.text)) return request;
  delete objectIn(request.message, "params", "arguments")?.["waitSeconds"];
  const text = textOf(request.message);
  return /waitSeconds|subscriptions\/listen/.test(text)
    ? requestOf(number + 1_000_000)
    : { ...request, bytes: bytesOf(text) };
}

/** All bytes that come back, as Latin-1. */
async function exchange({ parts, isCut, isInTurn = false }: Wire, port: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  const received: Buffer[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on("data", (part: Buffer) => received.push(part));
  socket.on("close", () => resolve());
  // A server that refuses a request may reset the connection.
  socket.on("error", () => resolve());
  await new Promise<void>((connected) => socket.on("connect", () => connected()));
  const text = () => Buffer.concat(received).toString("latin1");
  const answered = async () => {
    while (socket.readable && !isAnswered(text())) {
      await Promise.race([closed, new Promise((resolve) => socket.once("data", resolve))]);
    }
  };
  for (const [index, part] of parts.entries()) {
    if (isInTurn && index > 0) await answered();
    if (socket.writable) await new Promise<void>((written) => socket.write(part, () => written()));
  }
  if (isCut) socket.end();
  await closed;
  socket.destroy();
  return text();
}

/**
 * The runtime takes a trailer for another request and refuses it. A stream has begun by then or not, depending on how long the
 * call takes.
 */
const REFUSED_BY_RUNTIME = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";

const DATE = /^date: /i;
/** The SDK streams an answer to a client that reads event streams, and the plain path sends it as a whole. */
const FRAMING = /^(transfer-encoding|content-length): /i;

const REFERENCE = /under [0-9a-f-]{36}/g;
/** Metrics that depend on real time. */
const DURATIONS = /^mkt_tool_call_duration_seconds.*$/gm;

function comparable(received: string) {
  return answersIn(received).map(({ line, headers, body }) => ({
    line,
    headers: headers.filter((header) => !DATE.test(header) && !FRAMING.test(header)),
    body: withoutProcess(body.replaceAll(REFERENCE, "under a reference").replaceAll(DURATIONS, "")),
  }));
}

const recordsOf = ({ world }: Listening) => world.records.map(({ durationMs: _, ...record }) => record);

describe("over sockets", () => {
  test(`${REQUESTS} requests in all framings get the same answers on both paths`, () =>
    withSeedInFailures(async () => {
      const seen = new Set<string>();
      const statuses = new Set<string>();
      for (let number = 0; number < REQUESTS; number += 1) {
        if (number % GROUP === 0) { for (const { world } of paths) await world.settle(); }
        const request = requestOf(number);
        const wire = wireOf(request, new Draw(SEED, -number - 1));
        const [plain, sdk] = await Promise.all(paths.map(({ port }) => exchange(wire, port)));
        const [one, other] = [comparable(plain ?? ""), comparable(sdk ?? "")];
        const isRefused = [plain, sdk].every((received) => received?.includes(REFUSED_BY_RUNTIME));
        if (!isRefused && !Bun.deepEquals(one, other)) {
          const both = `plain path: ${JSON.stringify(one)}\nSDK:        ${JSON.stringify(other)}`;
          throw new Error(`framing "${wire.framing}", ${shown(request)}\n=> ${both}`);
        }
        seen.add(wire.framing);
        for (const { line } of one) statuses.add(line.slice(0, "HTTP/1.1 200".length));
      }
      // Otherwise the plain path was hardly taken.
      expect(paths[0].made()).toBeLessThan(paths[1].made() / 2);
      expect(recordsOf(paths[0])).toEqual(recordsOf(paths[1]));
      expect(Object.keys(FRAMINGS).filter((framing) => !seen.has(framing))).toEqual([]);
      for (const status of [200, 400, 401, 403, 404, ...size([], [202])]) {
        expect(statuses).toContain(`HTTP/1.1 ${status}`);
      }
    }));
});
