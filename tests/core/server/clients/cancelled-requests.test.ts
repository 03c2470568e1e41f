// What a pack brings learns that its client has given up: a tool, a resource, a prompt and a completion. By the official
// clients, on every transport and in every era that they have. tests/core/server/equal-checks has routes, too.

import { describe, expect, test } from "bun:test";
import { cancelled, type CancelledRequest, loggingServer } from "./followed-call.ts";
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
