// The doctor's finding about the port: what it asks there, for how long, and what each answer means.

import { expect, test } from "bun:test";
import * as requests from "../../../cli/doctor/direct-request.ts";
import { examinePort } from "../../../cli/doctor/port-finding.ts";
import * as listening from "../../../common/http/listen.ts";
import { replaced } from "../../support/replaced.ts";

/** What the doctor finds if the port answers so; a fault of `listens` is that of listening there. */
async function found(http: Parameters<typeof examinePort>[0], answer: string | Error, listens: Error | null = null) {
  const asked = replaced(
    requests,
    "directRequest",
    () => answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ status: 200, text: answer }),
  );
  const stopped: unknown[] = [];
  const listened = replaced(listening, "listen", () => {
    if (listens !== null) throw listens;
    return { server: { stop: (...how: unknown[]) => (stopped.push(how), Promise.resolve()) } };
  });
  const finding = await examinePort(http);
  return {
    finding,
    asked: asked.splice(0),
    listened: listened.splice(0).map(([{ host, port }]) => [host, port]),
    stopped,
  };
}
const NOBODY = new Error("connection refused");

test.each([[null, "MCP_HTTP_PORT is not set: stdio needs no port"], [
  { host: "127.0.0.1", port: 0 },
  "MCP_HTTP_PORT is 0: any port that is free",
]])("of %j is off, and nothing is asked", async (http, detail) => {
  const { finding, ...work } = await found(http, NOBODY);
  expect(finding).toEqual({ subject: "port", state: "off", detail });
  expect(work).toEqual({ asked: [], listened: [], stopped: [] });
});

test.each([["127.0.0.1", "127.0.0.1:4711"], ["0.0.0.0", "127.0.0.1:4711"], ["::1", "[::1]:4711"]])(
  "of %s asks the health there for three seconds, and does not listen if a server answers",
  async (host, address) => {
    const health = JSON.stringify({ status: "ok", version: "1.2.3" });
    const { finding, asked, listened } = await found({ host, port: 4711 }, health);
    expect(asked).toEqual([[`http://${address}/health`, { timeoutMs: 3_000 }]]);
    const detail = `an MCP server of mkt 1.2.3 answers at ${address}`;
    expect([finding, listened]).toEqual([{ subject: "port", state: "ok", detail }, []]);
  },
);

test.each<[string, string | Error]>([
  ["nobody", NOBODY],
  ["an engine", JSON.stringify({ status: "ok", version: "1.2.3", engineId: "e" })],
  ["a server that is not ok", JSON.stringify({ status: "starting", version: "1.2.3" })],
  ["a simulator", JSON.stringify({ status: "ok" })],
  ["a version that is no text", JSON.stringify({ status: "ok", version: 1 })],
  ["text", "hello"],
  ["a list", "[]"],
])("of a port where %s answers is what listening says", async (_who, answer) => {
  const http = { host: "127.0.0.1", port: 4711 };
  const free = await found(http, answer);
  expect(free.finding).toEqual({ subject: "port", state: "ok", detail: "127.0.0.1:4711 is free: no server runs here" });
  expect([free.listened, free.stopped]).toEqual([[["127.0.0.1", 4711]], [[true]]]);
  const { finding } = await found(http, answer, new Error("port 4711 is in use"));
  const detail = "MCP_HTTP_PORT, MCP_HTTP_HOST: port 4711 is in use";
  expect(finding).toEqual({ subject: "port", state: "failed", detail });
});
