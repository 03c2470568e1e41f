import { expect, test } from "bun:test";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { TokenStore } from "../../../common/http/token-store.ts";
import { logger } from "../../../common/logger.ts";
import { offersOf } from "../../../core/dispatch/offers.ts";
import { defineRoute } from "../../../core/routes/route.ts";
import { definePack } from "../../../core/packs/pack.ts";
import { ToolCatalogue } from "../../../core/dispatch/catalogue.ts";
import { Dispatcher } from "../../../core/dispatch/dispatcher.ts";
import { serveHttp } from "../../../core/server/http.ts";
import { Metrics } from "../../../core/server/metrics.ts";
import { configurationFor, servicesWith } from "../support/services.ts";

const noServer: McpServerFactory = () => {
  throw new Error("no request reaches a server here");
};

/** A server whose route /acme answers with `answer`. */
function serveAnswer(answer: Promise<string>, asked: () => void, drainMs?: number) {
  const { http } = configurationFor({ MCP_HTTP_PORT: "0" });
  if (http === null) throw new Error("no HTTP is configured");
  const variables = { token: "MCP_BEARER_TOKEN", file: "MCP_BEARER_TOKEN_FILE" };
  const dispatcher = new Dispatcher(new ToolCatalogue([]), servicesWith());
  const acme = defineRoute({
    method: "GET",
    path: "/acme",
    description: "d",
    readOnlyHint: true,
    handler: async () => {
      asked();
      return Response.json(await answer);
    },
  });
  return serveHttp({
    configuration: http,
    factory: noServer,
    drainMs,
    offers: offersOf([definePack({ name: "acme", description: "d", routes: [acme] })], dispatcher),
    dispatcher,
    metrics: new Metrics(),
    tokens: new TokenStore({ token: null, file: null, variables, log: logger("test") }),
  });
}

test("a stop ends a request that is still running after the limit", async () => {
  const asked = Promise.withResolvers<void>();
  const never = Promise.withResolvers<string>();
  const server = serveAnswer(never.promise, asked.resolve, 1);
  const outcome = fetch(`${server.url}/acme`).then(() => "answered", () => "ended");
  await asked.promise;
  await server.stop();
  expect(await outcome).toBe("ended");
});

test("a stop waits for a request that ends in time", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  const server = serveAnswer(answer.promise, asked.resolve);
  const outcome = fetch(`${server.url}/acme`).then((response) => response.json());
  await asked.promise;
  const stopped = server.stop();
  answer.resolve("done");
  expect(await outcome).toBe("done");
  await stopped;
});
