// What `mkt doctor` finds on a real engine, if that tells less over HTTP, another time or another version.

import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Health } from "../../core/backend/state-client.ts";
import { examine } from "../../cli/doctor/doctor.ts";
import type { Runtime } from "../../core/runtime.ts";
import { FreezeFile } from "../../core/guardrails/freeze-file.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { Desk } from "./support/desk.ts";

const desk = await Desk.open();

/** The engine's answers, with other facts in /health. */
function withHealth(runtime: Runtime, facts: Partial<Health>): Runtime {
  const { backend } = runtime.services;
  const changed = {
    entities: () => backend.entities(),
    users: () => backend.users(),
    positions: (entityId: string) => backend.positions(entityId),
    orderBlocks: (orderId: string) => backend.orderBlocks(orderId),
    health: async () => ({ ...await backend.health(), ...facts }),
  };
  return { ...runtime, services: { ...runtime.services, backend: changed } };
}

async function findingsWith(facts: Partial<Health>) {
  const { runtime } = await desk.seat("alice");
  const findings = await examine(withHealth(runtime, facts));
  return new Map(findings.map(({ subject, ...finding }) => [subject, finding]));
}

test("a clock that is an hour behind, and another version, are warnings", async () => {
  const findings = await findingsWith({ time: new Date(Date.now() - 3_600_000).toISOString(), version: "999.0.0" });
  expect(findings.get("clock")).toEqual({
    state: "warning",
    detail: expect.stringMatching(/is 3\d{3}\.\d{3} s .* behind/),
  });
  expect(findings.get("versions")).toEqual({
    state: "warning",
    detail: expect.stringContaining("the engine is mkt 999.0.0"),
  });
});

test("engine and simulator are asked at the same time, so both may hang for one time limit", async () => {
  const { runtime } = await desk.seat("alice");
  const { backend, simulator } = runtime.services;
  const simulatorIsAsked = Promise.withResolvers<void>();
  const hung = withHealth(runtime, {});
  const findings = await examine({
    ...hung,
    services: {
      ...hung.services,
      // Answers only once the simulator is asked too.
      backend: {
        ...hung.services.backend,
        health: async () => {
          await simulatorIsAsked.promise;
          return await backend.health();
        },
      },
      simulator: {
        ...simulator,
        status: () => {
          simulatorIsAsked.resolve();
          return simulator.status();
        },
      },
    },
  });
  expect(findings.find(({ subject }) => subject === "backend HTTP")?.state).toBe("ok");
});

test("a key of either signal that others may read is a warning", async () => {
  const path = join(temporaryDirectory(), "key.pem");
  writeFileSync(path, "");
  chmodSync(path, 0o644);
  const { runtime } = await desk.seat("alice");
  for (const signal of ["", "TRACES_", "METRICS_"]) {
    const name = `OTEL_EXPORTER_OTLP_${signal}CLIENT_KEY`;
    const findings = await examine(runtime, { environment: { [name]: path } });
    expect(findings.find(({ subject }) => subject === "file modes"))
      .toMatchObject({ state: "warning", detail: expect.stringContaining(`${name}: ${path} has the mode 0644`) });
  }
});

test("a kill switch whose folder is not there is no freeze that a thaw ends", async () => {
  const { runtime } = await desk.seat("alice");
  const { configuration, services } = runtime;
  const freezeFile = join(temporaryDirectory(), "gone", "freeze");
  const guardrails = { ...configuration.guardrails, freezeFile };
  const findings = await examine({
    ...runtime,
    configuration: { ...configuration, guardrails },
    services: { ...services, frozen: () => new FreezeFile(freezeFile).read() },
  });
  const detail = findings.find(({ subject }) => subject === "kill switch")?.detail;
  expect(detail).toEndWith("its folder is not there; mend that, or correct the variable");
});

test("if HTTP fails at the default address and MKT_HOST names another, the advice is MKT_BASE_URL and its value", async () => {
  const baseUrl = "http://127.0.0.1:1";
  const { runtime } = await desk.seat("alice", { MKT_BASE_URL: baseUrl });
  const detailWith = async (environment: Record<string, string>) => {
    const findings = await examine(runtime, { environment });
    expect(findings.find(({ subject }) => subject === "backend WebSocket")?.state).toBe("ok");
    const http = findings.find(({ subject }) => subject === "backend HTTP");
    expect(http?.state).toBe("failed");
    return http?.detail;
  };
  const address = `127.0.0.1:${desk.engine.port}`;
  expect(await detailWith({})).toEndWith(
    `MKT_BASE_URL is not set, and the WebSocket is at ${address}: set MKT_BASE_URL, for example to http://${address}.`,
  );
  expect(await detailWith({ MKT_BASE_URL: baseUrl })).not.toContain("is not set");
});
