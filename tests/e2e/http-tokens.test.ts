// Named tokens of the HTTP server in a file that changes. Refusals and limits are in tests/core/server/mcp-app.test.ts, and
// faults of the file in tests/common/http/token-file.test.ts.

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectHttp } from "../support/clients.ts";
import { startHttpServer } from "../support/executable.ts";
import { NO_BACKEND } from "../support/http-requests.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const TOKEN = "correct-horse-battery";
const folder = temporaryDirectory();
const file = join(folder, "tokens");
const callLog = join(folder, "calls");

test("MCP_BEARER_TOKEN_FILE accepts named tokens, rereads the file without a restart, and never logs a token", async () => {
  writeFileSync(file, "desk old-secret-of-desk-1\n", { mode: 0o644 });
  const env = { MCP_BEARER_TOKEN_FILE: file, MCP_BEARER_TOKEN: TOKEN, MKT_CALL_LOG: callLog, LOG_LEVEL: "debug" };
  const server = await startHttpServer({ ...NO_BACKEND, ...env });
  const statusOf = async (token: string) =>
    (await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } })).status;
  const statusesOf = (...tokens: string[]) => Promise.all(tokens.map(statusOf));

  writeFileSync(file, "desk old-secret-of-desk-1\ndesk new-secret-of-desk-2\nbroken-secret-of-desk-3\n");
  const tokens = ["old-secret-of-desk-1", "new-secret-of-desk-2", TOKEN, "other"];
  expect(await statusesOf(...tokens)).toEqual([200, 200, 200, 401]);
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
