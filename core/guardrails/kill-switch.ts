// Pulls the operator's kill switch by every means that this process has: the file MKT_FREEZE_FILE, and the switch that it shares
// with its replicas (MKT_REDIS_URL).

import { ToolError } from "../error.ts";
import type { Replicas } from "../tools/replicas.ts";
import type { FreezeFile } from "./freeze-file.ts";

export interface KillSwitches {
  readonly file: FreezeFile | null;
  readonly replicas: Pick<Replicas, "freeze"> | null;
}

/** Throws ToolError `not_configured` or `backend_unavailable`; its message says what is frozen nevertheless. */
export async function pullKillSwitch({ file, replicas }: KillSwitches, reason: string): Promise<void> {
  if (file === null && replicas === null) throw notConfigured();
  const failures: Error[] = [];
  if (file !== null) attempt(() => file.freeze(reason), failures);
  const isFrozenHere = file !== null && failures.length === 0;
  if (replicas !== null) await replicas.freeze(reason).catch((error: Error) => void failures.push(error));
  if (file !== null && failures.length === 0 && file.read() === null) {
    failures.push(new Error("NOT frozen: the file is gone again"));
  }
  if (failures.length === 0) return;
  const what = failures.map(({ message }) => message).join(" ");
  const isPartial = isFrozenHere || failures.length < Number(file !== null) + Number(replicas !== null);
  throw new ToolError(
    failures.some((failure) => failure instanceof ToolError) ? "backend_unavailable" : "not_configured",
    isPartial
      ? `${what} ${isFrozenHere ? "This server is frozen by its file." : "All replicas are frozen by Redis."}`
      : `${what} Changes are still allowed.`,
    "Run `mkt freeze` on the server's host, or halt the market.",
    { cause: failures[0] },
  );
}

function attempt(freeze: () => void, failures: Error[]): void {
  try {
    freeze();
  } catch (error) {
    failures.push(error as Error);
  }
}

function notConfigured(): ToolError {
  return new ToolError(
    "not_configured",
    "This server has no kill switch: neither MKT_FREEZE_FILE nor MKT_REDIS_URL is set. Nothing was frozen.",
    "Set MKT_FREEZE_FILE to a file in a folder that the server may write to, and restart it. To stop trading, halt the market.",
  );
}
