// Everything that a pack brings learns that its client has given up: a tool, a resource, a prompt, a completion and a route.
// By the official clients, on every transport and in every era that they have.

import { describe, expect, test } from "bun:test";
import { startHttpServer } from "../../../support/executable.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { until } from "../../../support/until.ts";
import { callsLogged, cancelled, type CancelledRequest, loggingServer } from "./followed-call.ts";
import { canCancelOne, KINDS, nameOf } from "./followed-client.ts";
import { patientPackFolder } from "./patient-pack.ts";

const REQUESTS: readonly CancelledRequest[] = [
  ["patient_tool", "tools/call", { name: "patient_tool", arguments: {} }],
  ["patient://{name}", "resources/read", { uri: "patient://anna" }],
  ["patient_prompt", "prompts/get", { name: "patient_prompt" }],
  ["patient://{name}", "completion/complete", {
    ref: { type: "ref/resource", uri: "patient://{name}" },
    argument: { name: "name", value: "a" },
  }],
];

/** No request of these tests needs a backend. */
const environment = () => ({ MKT_HOST: "127.0.0.1:1", MKT_USER_ID: "anna", MKT_PLUGIN_DIR: patientPackFolder() });

const SERVERS = await Promise.all(
  KINDS.map(async (kind) => [nameOf(kind), kind, await loggingServer(kind, environment())] as const),
);

describe.each(SERVERS)("client %s", (_name, kind, { newClient, logged }) => {
  test.each(REQUESTS)("%s ends when its %s is cancelled, after its progress", async (what, method, params) => {
    const client = await newClient();
    const { steps } = await cancelled(kind, client, logged, [what, method, params]);
    expect(steps.map(({ message }) => message)).toEqual(["Waits."]);
    if (canCancelOne(kind)) expect(client.faults).toEqual([]);
    await client.close();
  });
});

test("a route ends when its client goes away", async () => {
  const log = `${temporaryDirectory()}/calls.jsonl`;
  const { url, untilStderr } = await startHttpServer({ ...environment(), MKT_CALL_LOG: log });
  const leaving = new AbortController();
  const answer = fetch(`${url}/patient/route`, { signal: leaving.signal }).then(() => "answered", () => "ended");
  await untilStderr(/the patient pack waits/);
  leaving.abort();
  expect(await answer).toBe("ended");
  const [record] = await until(() => callsLogged(log), ({ length }) => length === 1);
  expect(record).toMatchObject({ route: "GET /patient/route", outcome: "given_up" });
});
