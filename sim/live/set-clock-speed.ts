// Sets the speed of the engine's market clock, on a connection for this request alone: the run's own connections may not be up
// yet, or may be gone already.

import { errorMessage } from "../../common/error-message.ts";
import { reasonOf } from "../../protocol/client/engine-link.ts";
import { type EngineAccess, userClient } from "./user-client.ts";

interface ClockRequest {
  /** A user who may set the clock. */
  readonly userId: string;
  readonly speed: number;
  readonly operationId: string;
  readonly patienceMs: number;
}

/** Throws an Error of one line if the engine does not confirm it in time. */
export async function setClockSpeed(access: EngineAccess, request: ClockRequest): Promise<void> {
  const { userId, speed, operationId, patienceMs } = request;
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
  const late = setTimeout(() => overdue.reject(new Error("the engine did not answer in time")), patienceMs);
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
