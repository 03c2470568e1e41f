// Pulls the operator's kill switch by every means that this process has: the file MKT_FREEZE_FILE, and the switch that it
// shares with its replicas (MKT_REDIS_URL).

import { errorMessage } from "../../common/error-message.ts";
import { ToolError } from "../error.ts";
import type { Replicas } from "../tools/replicas.ts";
import type { FreezeFile } from "./freeze-file.ts";

interface KillSwitches {
  readonly file: FreezeFile | null;
  readonly replicas: Pick<Replicas, "freeze"> | null;
}

interface Means {
  /** Throws if it does not freeze. */
  readonly freeze: () => void | Promise<void>;
  /** What holds if this means alone succeeds. */
  readonly effect: string;
}

/** Throws ToolError `not_configured` or `backend_unavailable`; its message says what is frozen nevertheless. */
export async function pullKillSwitch(switches: KillSwitches, reason: string): Promise<void> {
  const means = meansOf(switches, reason);
  if (means.length === 0) throw notConfigured();
  const outcomes = await Promise.allSettled(means.map(async ({ freeze }) => await freeze()));
  const failures = outcomes.flatMap((outcome) => outcome.status === "rejected" ? [outcome.reason as Error] : []);
  if (failures.length === 0) return;
  const effects = means.filter((_, at) => outcomes[at]!.status === "fulfilled").map(({ effect }) => effect);
  throw new ToolError(
    failures.some((failure) => failure instanceof ToolError) ? "backend_unavailable" : "not_configured",
    [
      ...failures.map(({ message }) => message),
      ...effects,
      ...effects.length === 0 ? ["Changes are still allowed."] : [],
    ].join(" "),
    "Run `mkt freeze` on the server's host, or halt the market.",
    { cause: failures[0] },
  );
}

function meansOf({ file, replicas }: KillSwitches, reason: string): readonly Means[] {
  const means: Means[] = [];
  if (file !== null) {
    means.push({ freeze: () => freezeByFile(file, reason), effect: "This server is frozen by its file." });
  }
  if (replicas !== null) {
    means.push({ freeze: () => replicas.freeze(reason), effect: "All replicas are frozen by Redis." });
  }
  return means;
}

function freezeByFile(file: FreezeFile, reason: string): void {
  try {
    file.freeze(reason);
  } catch (error) {
    throw new Error(`${errorMessage(error)}.`, { cause: error });
  }
  if (file.read() === null) throw new Error("NOT frozen: the file is gone again.");
}

function notConfigured(): ToolError {
  return new ToolError(
    "not_configured",
    "This server has no kill switch: neither MKT_FREEZE_FILE nor MKT_REDIS_URL is set. Nothing was frozen.",
    "Set MKT_FREEZE_FILE to a file in a folder that the server may write to, and restart it. To stop trading, halt the market.",
  );
}
