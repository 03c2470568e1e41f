// Authentication of the HTTP server: one token, or named tokens in a file that may change.

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectHttp } from "../support/clients.ts";
import { runMkt, startHttpServer } from "../support/executable.ts";
import { headOf, raw } from "../support/raw-http.ts";
import { LIST, NO_BACKEND } from "../support/http-requests.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const TOKEN = "correct-horse-battery";

const guarded = await startHttpServer({ ...NO_BACKEND, MCP_BEARER_TOKEN: TOKEN });

const metricsOf = (server: { readonly url: string }, token: string) =>
  fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } });

test("GET /health answers status ok without a token", async () => {
  const response = await fetch(`${guarded.url}/health`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ status: "ok" });
});

describe("MCP_BEARER_TOKEN_FILE", () => {
  const folder = temporaryDirectory();
  const file = join(folder, "tokens");
  const callLog = join(folder, "calls");

  test("accepts named tokens, rereads the file without a restart, and never logs a token", async () => {
    writeFileSync(file, "desk old-secret-of-desk-1\n", { mode: 0o644 });
    const server = await startHttpServer({
      ...NO_BACKEND,
      MCP_BEARER_TOKEN_FILE: file,
      MCP_BEARER_TOKEN: TOKEN,
      MKT_CALL_LOG: callLog,
      LOG_LEVEL: "debug",
    });
    const statusesOf = (...tokens: string[]) =>
      Promise.all(tokens.map(async (token) => (await metricsOf(server, token)).status));

    writeFileSync(file, "desk old-secret-of-desk-1\ndesk new-secret-of-desk-2\nbroken-secret-of-desk-3\n");
    expect(await statusesOf("old-secret-of-desk-1", "new-secret-of-desk-2", TOKEN, "other")).toEqual([
      200,
      200,
      200,
      401,
    ]);
    const client = await connectHttp("v2", server.url, "new-secret-of-desk-2");
    await client.call("mkt_get_entity", { entityId: "new-secret-of-desk-2" });
    await client.close();
    writeFileSync(file, "desk new-secret-of-desk-2\n");
    expect(await statusesOf("old-secret-of-desk-1", "new-secret-of-desk-2")).toEqual([401, 200]);
    expect(await server.stop()).toBe(0);

    const lines = (await Bun.file(callLog).text()).trimEnd().split("\n").map((line) => JSON.parse(line));
    expect(lines).toMatchObject([{
      tool: "mkt_get_entity",
      caller: "desk",
      userId: null,
      arguments: { entityId: "[secret]" },
      outcome: "backend_unavailable",
    }]);
    expect(server.stderr()).toContain("line 3: must be a name and a token");
    expect(server.stderr()).toContain(`${file} has the mode 0644, so others`);
    const everything = server.stderr() + JSON.stringify(lines);
    for (const secret of ["old-secret-of-desk-1", "new-secret-of-desk-2", "broken-secret-of-desk-3", TOKEN]) {
      expect(everything).not.toContain(secret);
    }
  });

  test("that is wrong stops the start with exit 2 and names the lines but no token", async () => {
    writeFileSync(file, "just-a-secret\ndesk two secrets\n");
    const { exitCode, stderr } = await runMkt([], { ...NO_BACKEND, MCP_HTTP_PORT: "0", MCP_BEARER_TOKEN_FILE: file });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`mkt: MCP_BEARER_TOKEN_FILE: ${file}: line 1: `);
    expect(stderr).toContain("line 2: ");
    expect(stderr).not.toContain("secret");
  });
});

test.each([
  ["a pipe", async (path: string) => void await Bun.$`mkfifo ${path}`.quiet()],
  ["a folder", async (path: string) => void await Bun.$`mkdir ${path}`.quiet()],
  ["larger than 1 MiB", async (path: string) => void await Bun.write(path, `desk ${TOKEN}\n#`.padEnd(2 ** 20 + 1))],
  ["with a token of 15 characters", async (path: string) => void await Bun.write(path, `desk ${"x".repeat(15)}`)],
])("MCP_BEARER_TOKEN_FILE that is %s stops the start at once with exit 2", async (_name, make) => {
  const folder = temporaryDirectory();
  const file = join(folder, "tokens");
  await make(file);
  const { exitCode, stderr } = await runMkt([], { ...NO_BACKEND, MCP_HTTP_PORT: "0", MCP_BEARER_TOKEN_FILE: file });
  expect(exitCode).toBe(2);
  expect(stderr.trimEnd().split("\n")).toEqual([expect.stringMatching(/^mkt: MCP_BEARER_TOKEN_FILE: /)]);
});

test("401 responses are limited for each address, and the right token is still accepted from there", async () => {
  const server = await startHttpServer({ ...NO_BACKEND, MCP_BEARER_TOKEN: TOKEN, MCP_UNAUTHORIZED_LIMIT: "2" });
  let refused = await metricsOf(server, "wrong");
  expect(refused.status).toBe(401);
  while (refused.status === 401) refused = await metricsOf(server, "wrong");
  expect(refused.status).toBe(429);
  expect(refused.headers.get("Retry-After")).toBe("1");
  expect((await metricsOf(server, TOKEN)).status).toBe(200);
});

test("one token can't take all of MCP_MAX_REQUESTS from another", async () => {
  const folder = temporaryDirectory();
  const file = join(folder, "tokens");
  writeFileSync(file, `desk ${TOKEN}-of-the-desk\nrobot ${TOKEN}-of-the-robot\n`, { mode: 0o600 });
  const server = await startHttpServer({
    ...NO_BACKEND,
    MCP_BEARER_TOKEN_FILE: file,
    MCP_MAX_REQUESTS: "4",
    MCP_BODY_TIMEOUT_MS: "60000",
  });
  const closers: (() => void)[] = [];
  const requests = [1, 2, 3, 4].map(() =>
    raw(server.url, (socket) => {
      closers.push(() => socket.destroy());
      socket.write(headOf(server.url, ["Content-Length: 1000", `Authorization: Bearer ${TOKEN}-of-the-desk`]));
    }, (text) => text.includes("\r\n\r\n"))
  );
  // Three wait for their bodies. The fourth is the only one that gets an answer.
  expect(await Promise.race(requests)).toStartWith("HTTP/1.1 503");
  expect((await metricsOf(server, `${TOKEN}-of-the-robot`)).status).toBe(200);
  for (const close of closers) close();
  await Promise.all(requests);
});

describe("a missing or wrong token", () => {
  test.each([
    ["none", undefined],
    ["a wrong one", "Bearer wrong"],
    ["a prefix of the right one", `Bearer ${TOKEN.slice(0, -1)}`],
    ["another scheme", `Basic ${TOKEN}`],
    ["an empty one", "Bearer "],
  ])("%s is 401 with WWW-Authenticate and a JSON body", async (_name, authorization) => {
    for (const path of ["/mcp", "/metrics"]) {
      const headers = authorization === undefined ? undefined : { Authorization: authorization };
      const response = await fetch(`${guarded.url}${path}`, { method: "POST", headers, body: LIST });
      expect(response.status).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(await response.json()).toMatchObject({ error: { code: "unauthorized" } });
    }
  });

  test.each(["v2", "v1"] as const)("the right one is accepted from the official client %s", async (generation) => {
    const server = await startHttpServer({ ...NO_BACKEND, MCP_BEARER_TOKEN: TOKEN });
    const client = await connectHttp(generation, server.url, TOKEN);
    expect((await client.listTools()).length).toBeGreaterThan(30);
    await client.close();
    await expect(connectHttp(generation, server.url, "wrong")).rejects.toThrow();
  });
});
