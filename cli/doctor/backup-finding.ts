// `mkt doctor` on the last backup, as the engine's metrics tell it. The engine knows the backups since its start.

import type { BackendHttp } from "../../core/backend/backend-http.ts";
import { lengthText } from "../../common/length-text.ts";
import { ToolError } from "../../core/error.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";
import type { Answer, Finding } from "./finding.ts";

/** As in the alert MktEngineBackupOverdue: a daily backup may take two hours longer. */
const MOST_AGE_MS = 26 * HOUR_MS;

/** `now`: milliseconds since the epoch. */
export async function examineBackup(engine: Pick<BackendHttp, "ask">, now: () => number): Promise<Finding> {
  const subject = "last backup";
  try {
    const { status, body } = await engine.ask({ method: "GET", path: "/metrics" });
    return { subject, ...(status === 200 ? backupAnswer(body, now()) : UNKNOWN) };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { subject, ...UNKNOWN };
  }
}

const UNKNOWN: Answer = { state: "off", detail: "not known: the engine does not tell its metrics" };

/** `metrics`: those of an engine, as text for Prometheus. */
export function backupAnswer(metrics: string, nowMs: number): Answer {
  const msOf = (name: string) => {
    const [, seconds] = new RegExp(`^${name} (\\S+)$`, "m").exec(metrics) ?? [];
    return seconds === undefined ? null : Number(seconds) * 1000;
  };
  const startedMs = msOf("process_start_time_seconds");
  if (!metrics.includes("mkt_engine_") || startedMs === null) return UNKNOWN;
  if (msOf("mkt_engine_journal_records_total") === null) {
    return { state: "off", detail: "the engine keeps its market in memory only, so there is nothing to back up" };
  }
  const backupMs = msOf("mkt_engine_last_backup_timestamp_seconds");
  const sinceMs = nowMs - (backupMs ?? startedMs);
  const detail = backupMs === null
    ? `none since the engine's start ${lengthText(sinceMs)} ago`
    : `${lengthText(sinceMs)} ago, at ${new Date(backupMs).toISOString()}`;
  if (sinceMs <= MOST_AGE_MS) return { state: backupMs === null ? "off" : "ok", detail };
  return { state: "warning", detail: `${detail}: look at what starts it, or run mkt backup OUT` };
}
