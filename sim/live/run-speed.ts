// The speed of market time that a run asks for: set before its personas trade, and set back at its end.
//
// An end that comes while the speed is being set sends its request after the first one. Both are on connections of their own,
// so the end waits for the first to be confirmed.

import { errorMessage } from "../../common/error-message.ts";
import { reasonOf } from "../../protocol/client/engine-link.ts";
import type { RunPlan } from "./run-plan.ts";
import { type EngineAccess, userClient } from "./user-client.ts";

const PATIENCE_MS = 3_000;

export class RunSpeed {
  /** The speed before the run; null: the run has not changed it. */
  #before: number | null = null;
  #setting: Promise<void> = Promise.resolve();

  constructor(private readonly plan: RunPlan, private readonly engine: EngineAccess) {}

  /** Throws an Error of one line if the engine does not confirm the speed. */
  async begin(): Promise<void> {
    const { speed, clock } = this.plan;
    if (speed === null) return;
    this.#before = clock.speed;
    this.#setting = this.#request(speed, "begin");
    await this.#setting;
  }

  /**
   * Sets the speed back, unless somebody else has changed it meanwhile. If the engine can't be reached, the next call tries
   * again.
   */
  async end(): Promise<void> {
    if (this.#before === null) return;
    try {
      const isSet = await this.#setting.then(() => true, () => false);
      const { speed, clock } = this.plan;
      if (!isSet || clock.speed === speed) await this.#request(this.#before, "end");
      this.#before = null;
    } catch (error) {
      this.engine.log.warn("{reason}", { reason: errorMessage(error) });
    }
  }

  async #request(speed: number, when: "begin" | "end"): Promise<void> {
    const { clockUserId: userId, idPrefix } = this.plan;
    if (userId === null) throw new Error("nobody may set the clock");
    const operationId = `${idPrefix}clock-${when}`;
    await setClockSpeed(this.engine, { userId, speed, operationId });
  }
}

/**
 * Sets the speed on a connection for this request alone: the run's own connections may not be up yet, or may be gone already.
 * Throws an Error of one line if the engine does not confirm it in time.
 */
async function setClockSpeed(
  access: EngineAccess,
  { userId, speed, operationId }: { readonly userId: string; readonly speed: number; readonly operationId: string },
): Promise<void> {
  const connected = Promise.withResolvers<void>();
  const client = userClient(access, {
    userId,
    listener: {
      state: () => {},
      synchronized: () => connected.resolve(),
      ended: (end, willRetry) => {
        if (!willRetry) connected.reject(new Error(`the engine refused user ${userId}: ${reasonOf(end)}`));
      },
    },
  });
  const overdue = Promise.withResolvers<never>();
  const late = setTimeout(() => overdue.reject(new Error("the engine did not answer in time")), PATIENCE_MS);
  client.open();
  try {
    await Promise.race([connected.promise, overdue.promise]);
    const outcome = await Promise.race([client.request("clock.set", { speed }, { operationId }), overdue.promise]);
    if (outcome.kind !== "ok") throw new Error("message" in outcome ? outcome.message : "the engine gave no answer");
  } catch (error) {
    throw new Error(`the speed of market time can't be set to ${speed}: ${errorMessage(error)}`, { cause: error });
  } finally {
    clearTimeout(late);
    await client.close();
  }
}
