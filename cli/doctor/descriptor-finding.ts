// `mkt doctor` on the limit of open files, which every connection counts for. The runtime raises its own limit as far as the
// system allows (the hard limit), so that is what is compared. A service of systemd or a container may have another limit than
// the shell.

import { MAX_WAITING } from "../../core/dispatch/event-waits.ts";
import { MAX_STREAMS } from "../../core/server/routes/route-streams.ts";
import { MAX_SUBSCRIPTIONS } from "../../core/subscriptions/subscriptions.ts";
import type { Finding } from "./finding.ts";

/** Files of the program itself, logs, connections to the engine, to Redis and to storage. */
const OWN_FILES = 100;

interface DescriptorNeeds {
  /** MCP_MAX_REQUESTS; null: stdio. */
  readonly maxRequests: number | null;
  /** Connections that an engine on this host accepts; null: it is elsewhere. */
  readonly engineConnections: number | null;
}

/** `limit`: open files of this process; null: unknown. */
export function examineDescriptors(limit: number | null, { maxRequests, engineConnections }: DescriptorNeeds): Finding {
  const subject = "open files";
  if (limit === null) return { subject, state: "off", detail: "this system does not tell its limit" };
  const server = maxRequests === null ? 0 : maxRequests + MAX_WAITING + MAX_SUBSCRIPTIONS.all + MAX_STREAMS;
  const needed = OWN_FILES + Math.max(server, engineConnections ?? 0);
  const facts = `limit ${limit === Infinity ? "none" : limit}, at most ${needed} needed`;
  if (limit >= needed) return { subject, state: "ok", detail: facts };
  const detail =
    `${facts} if every limit on clients is reached: raise it (ulimit -n, LimitNOFILE= of a systemd unit), or lower ` +
    (engineConnections !== null && engineConnections >= server ? "MKT_ENGINE_MAX_CONNECTIONS" : "MCP_MAX_REQUESTS");
  return { subject, state: "warning", detail };
}

/** Infinity: there is none. Null: the system does not tell it. */
export function descriptorLimit(): number | null {
  const report = process.report?.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: unknown } };
  };
  const soft = report?.userLimits?.open_files?.soft;
  if (soft === "unlimited") return Infinity;
  return typeof soft === "number" ? soft : null;
}
