// Sends a request to both worlds of a setting at once, and observes all that a client and an operator would see.
//
// Time stands still, and moves while calls wait for an event: a wait of 30 seconds takes no time.

import { jest } from "bun:test";
import type { CallRecord } from "../../../../core/guardrails/call-log.ts";
import { type GeneratedRequest, shown } from "./requests.ts";
import { openWorld, type World } from "./world.ts";
import type { Setting } from "./settings.ts";

export interface Observed {
  readonly status: number;
  /** By name. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Whether the body is a stream that had not ended. */
  readonly isOpen: boolean;
  /** Idle timeouts that were set, in seconds. */
  readonly timeouts: readonly number[];
  /** Calls that were recorded meanwhile. */
  readonly records: readonly CallRecord[];
  readonly answeredBySdk: boolean;
}

/** Turns of the event loop after which a subscription is taken to be quiet. */
const QUIET_TURNS = 10;
const STEP_MS = 1000;
/** Turns of the event loop after which there is no answer: some seconds, since no clock shows real time here. */
const MAX_TURNS = 10_000_000;
/** Longer than any wait. */
const MAX_STEPS = 40;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export class Twins {
  private constructor(readonly setting: Setting, readonly plain: World, readonly sdk: World) {}

  static async of(setting: Setting): Promise<Twins> {
    const twins = new Twins(setting, await openWorld(setting, true), await openWorld(setting, false));
    await twins.settle();
    return twins;
  }

  /** Both markets are connected, lost or left alone, as the setting says. */
  async settle(): Promise<void> {
    const { connection = "connected" } = this.setting;
    for (const world of [this.plain, this.sdk]) {
      if (connection !== "left alone") await world.settle();
      if (connection === "reconnecting") world.market.lose();
    }
  }

  /** `bodies`: one for each world, if they differ. */
  async send(
    request: GeneratedRequest,
    bodies: readonly [plain: BodyInit, sdk: BodyInit] = [request.bytes, request.bytes],
  ): Promise<readonly [plain: Observed, sdk: Observed]> {
    const running = new Set([this.plain, this.sdk]);
    const observed = (world: World, body: BodyInit) =>
      observe(world, request, body).finally(() => running.delete(world));
    const both = Promise.all([observed(this.plain, bodies[0]), observed(this.sdk, bodies[1])]);
    for (let turns = 0, steps = 0; running.size > 0; turns += 1) {
      await turn();
      if (turns > MAX_TURNS) {
        const missing = [...running].map((world) => world === this.plain ? "on the plain path" : "through the SDK");
        throw new Error(`no answer ${missing.join(" and ")} to ${shown(request)}`);
      }
      // Only a call that waits for an event needs the time.
      if (running.size === 0 || [...running].some(({ dispatcher }) => dispatcher.waiting === 0)) continue;
      if (++steps > MAX_STEPS) throw new Error("the wait of a call does not end");
      jest.advanceTimersByTime(STEP_MS);
    }
    return await both;
  }
}

async function observe(world: World, draft: GeneratedRequest, body: BodyInit): Promise<Observed> {
  const { method, target, headers, address } = draft;
  const hasBody = method !== "GET" && method !== "HEAD";
  const request = new Request(`http://localhost${target}`, { method, headers, ...(hasBody && { body }) });
  const timeouts: number[] = [];
  const [recorded, answered] = [world.records.length, world.answeredBySdk()];
  const response = await world.fetch(request, { address, setIdleTimeout: (seconds) => void timeouts.push(seconds) });
  const read = await bodyOf(response, draft.text.includes("subscriptions/listen"));
  return {
    status: response.status,
    headers: [...response.headers].sort(([one], [other]) => one < other ? -1 : 1),
    ...read,
    timeouts,
    records: world.records.slice(recorded),
    answeredBySdk: world.answeredBySdk() > answered,
  };
}

/** A subscription is a stream without an end: of it, what comes at once. */
async function bodyOf(response: Response, isSubscription: boolean): Promise<Pick<Observed, "body" | "isOpen">> {
  if (!isSubscription || response.body === null) {
    return { body: Buffer.from(await response.arrayBuffer()).toString("latin1"), isOpen: false };
  }
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  for (;;) {
    const part = await Promise.race([reader.read(), quiet()]);
    if (part?.value !== undefined) chunks.push(part.value);
    else {
      if (part === null) await reader.cancel();
      return { body: Buffer.concat(chunks).toString("latin1"), isOpen: part === null };
    }
  }
}

async function quiet(): Promise<null> {
  for (let turns = 0; turns < QUIET_TURNS; turns += 1) await turn();
  return null;
}
