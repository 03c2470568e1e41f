// Sends a request to both worlds of a setting at once, and observes all that a client and an operator would see.
//
// Time stands still, and moves while both answers are awaited and nothing else happens: a wait of 30 seconds takes no time.

import { jest } from "bun:test";
import type { CallRecord } from "../../../../core/guardrails/call-log.ts";
import type { GeneratedRequest } from "./requests.ts";
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

/** Turns of the event loop after which an answer is taken to wait for a timer. */
const QUIET_TURNS = 30;
const STEP_MS = 1000;
/** Longer than any wait. */
const MAX_STEPS = 400;

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
    const both = Promise.all([observe(this.plain, request, bodies[0]), observe(this.sdk, request, bodies[1])]);
    let hasEnded = false;
    const ended = () => void (hasEnded = true);
    both.then(ended, ended);
    for (let turns = 0, steps = 0; !hasEnded; turns += 1) {
      await turn();
      if (turns < QUIET_TURNS) continue;
      if (++steps > MAX_STEPS) throw new Error("no answer");
      jest.advanceTimersByTime(STEP_MS);
      turns = QUIET_TURNS / 2;
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
  for (let turns = 0; turns < QUIET_TURNS / 3; turns += 1) await turn();
  return null;
}
