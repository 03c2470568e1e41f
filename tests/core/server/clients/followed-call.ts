// A tool call with progress, and the call log of its server.

import { expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { until } from "../../../support/until.ts";
import { called, canCancelOne, type FollowedClient, type Kind, serverFor, type Step } from "./followed-client.ts";

interface LoggedCall {
  readonly tool?: string;
  readonly resource?: string;
  readonly outcome: string;
  readonly durationMs: number;
  readonly arguments: Readonly<Record<string, unknown>> | null;
}

/** What the log calls it, its method and its parameters. */
export type CancelledRequest = readonly [name: string, method: string, params: Record<string, unknown>];

/** A server for clients of this kind. On stdio each client starts one of its own; they share the log. */
export async function loggingServer(kind: Kind, env: Record<string, string>) {
  const log = join(temporaryDirectory(), "calls.jsonl");
  const newClient = await serverFor(kind, { ...env, MKT_CALL_LOG: log });
  return { newClient, logged: () => callsLogged(log) };
}

/** The lines of a call log; none if there is no file yet. */
export function callsLogged(path: string): LoggedCall[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8").split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

/** Calls with progress, and checks the steps. `onFirst` runs when the first one arrives. */
export async function followed(
  client: FollowedClient,
  name: string,
  input: Record<string, unknown> = {},
  onFirst: () => void = () => {},
) {
  const steps: Step[] = [];
  const onprogress = (step: Step) => {
    steps.push(step);
    if (steps.length === 1) onFirst();
  };
  const value = await called(client, name, input, { onprogress });
  const arrived = steps.length;
  await called(client, "mkt_ping");
  expect(steps).toHaveLength(arrived);
  checkSteps(steps);
  return { value, steps };
}

/**
 * Sends a request, and cancels it at its first step of progress: alone if the client can, or else with its connection. Gives
 * its steps and its record in the log, which has to be that of `name`.
 */
export async function cancelled(
  kind: Kind,
  client: FollowedClient,
  logged: () => readonly LoggedCall[],
  [name, method, params]: CancelledRequest,
) {
  const from = logged().length;
  const cancelling = new AbortController();
  const steps: Step[] = [];
  const onprogress = (step: Step) => {
    steps.push(step);
    if (canCancelOne(kind)) cancelling.abort("enough");
    else void client.close();
  };
  const answer = client.request(method, params, { onprogress, signal: cancelling.signal });
  expect(await answer.then(() => "answered", () => "ended")).toBe("ended");
  const records = () => logged().slice(from).filter((record) => Object.values(record).includes(name));
  const [record] = await until(records, ({ length }) => length === 1);
  expect(record).toMatchObject({ outcome: "given_up" });
  return { steps, record };
}

/** Steps rise, stay within their total, and are sentences. */
function checkSteps(steps: readonly Step[]): void {
  for (const [index, { progress, total, message }] of steps.entries()) {
    expect(progress).toBeGreaterThan(steps[index - 1]?.progress ?? -Infinity);
    if (total !== undefined) expect(progress).toBeLessThanOrEqual(total);
    expect(message).toMatch(/^[A-Z0-9].*\.$/);
  }
}

/** A step of a wait, after any number of seconds. */
export function waited(what: string, limit?: number): Step {
  const seconds = limit === undefined ? "s so far" : `of at most ${limit} s`;
  const message: unknown = expect.stringMatching(new RegExp(`^${what}: \\d+ ${seconds}\\.$`));
  const progress: unknown = expect.any(Number);
  return { progress, ...(limit !== undefined && { total: limit }), message } as Step;
}
