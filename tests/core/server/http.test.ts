import { expect, test } from "bun:test";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { definePack } from "../../../core/packs/pack.ts";
import { serveHttp } from "../../../core/server/http.ts";
import { testRoute } from "../support/declarations.ts";
import { httpParts } from "../support/http-parts.ts";

const noServer: McpServerFactory = () => {
  throw new Error("no request reaches a server here");
};

/** A server whose route /acme answers with `answer`. */
function serveAnswer(answer: Promise<string>, asked: () => void, drainMs?: number) {
  const acme = testRoute("/acme", async () => {
    asked();
    return Response.json(await answer);
  });
  const packs = [definePack({ name: "acme", description: "d", routes: [acme] })];
  return serveHttp({ ...httpParts({ packs }), factory: noServer, drainMs });
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
