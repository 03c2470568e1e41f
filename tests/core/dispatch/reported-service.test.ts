import { expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import type { StateClient } from "../../../core/backend/state-client.ts";
import { callContext } from "../../../core/dispatch/call-context.ts";
import { EventWaits } from "../../../core/dispatch/event-waits.ts";
import { reportedService } from "../../../core/dispatch/reported-service.ts";
import { noProgress } from "../../../core/tools/progress.ts";
import { servicesWith } from "../support/services.ts";

class Answering {
  readonly #name = "backend";
  readonly city = "Oslo";
  /** With a private field, which only the service itself has. */
  read(asked: string): Promise<string> {
    return Promise.resolve(`${this.#name}: ${asked}`);
  }
  now(): number {
    return 7;
  }
}

test("a reported service answers as the service itself", async () => {
  const context = { progress: () => Promise.resolve(), log: logger("test") };
  const reported = reportedService(new Answering(), context, { what: "Waits" });
  expect(await reported.read("price")).toBe("backend: price");
  expect([reported.now(), reported.city]).toEqual([7, "Oslo"]);
});

test("only a call whose client asked for progress gets reported services", () => {
  const backend = {} as StateClient;
  const services = servicesWith({
    backend,
    audit: { query: () => Promise.reject(), orderEvents: () => Promise.reject() },
  });
  const scope = { signal: new AbortController().signal };
  const silent = callContext({}, services, scope, new EventWaits());
  expect([silent.backend, silent.audit, silent.progress]).toEqual([backend, services.audit, noProgress]);
  expect(silent.backend).toBe(backend);
  const progress = () => Promise.resolve();
  const followed = callContext({}, services, { ...scope, progress }, new EventWaits());
  expect(followed.backend).not.toBe(backend);
  expect(followed.progress).toBe(progress);
});
