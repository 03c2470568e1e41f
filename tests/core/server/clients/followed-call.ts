// A tool call with progress, and the call log of its server.

import { expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { called, type FollowedClient, type Kind, serverFor, type Step } from "./followed-client.ts";

export interface LoggedCall {
  readonly tool?: string;
  readonly resource?: string;
  readonly outcome: string;
  readonly arguments: Readonly<Record<string, unknown>> | null;
}

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
