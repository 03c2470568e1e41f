// Asks an engine for a backup over HTTP. Every error is of one line and says what to do.

import { ACTING_USER_HEADER, errorResponse, PATHS } from "../../protocol/index.ts";
import { connectionFault } from "../../protocol/client/connection-fault.ts";
import { parseJson } from "../../protocol/json.ts";
import { BACKUP_CONTENT_TYPE } from "./backup-format.ts";

/** An engine, and as whom to talk to it. */
export interface BackupEngine {
  readonly baseUrl: string;
  readonly token: string | null;
  readonly userId: string;
}

/** The engine's own limit on a client that takes nothing is shorter. */
const SILENCE_MS = 120_000;
const NOT_OFFERED: ReadonlySet<number> = new Set([404, 405, 501]);
const EXCERPT_LENGTH = 200;

/**
 * The bytes of a backup, as they come. Throws an Error of one line if there is no backup, if the connection is lost, and if
 * nothing comes for two minutes; and the signal's reason.
 */
export async function* requestBackup(
  engine: BackupEngine,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal]);
  let received = 0;
  const end = () =>
    silence.abort(new Error(`the engine sent nothing for ${SILENCE_MS / 1000} s, after ${received} bytes; try again`));
  let timer = setTimeout(end, SILENCE_MS);
  try {
    for await (const chunk of await begun(engine, either)) {
      clearTimeout(timer);
      received += chunk.length;
      yield chunk;
      timer = setTimeout(end, SILENCE_MS);
    }
  } catch (error) {
    either.throwIfAborted();
    if (error instanceof NoBackup) throw error;
    throw new Error(
      `the connection to the engine was lost after ${received} bytes: ${connectionFault(error)}; try again`,
      {
        cause: error,
      },
    );
  } finally {
    clearTimeout(timer);
  }
}

/** The engine gave no backup. */
class NoBackup extends Error {}

async function begun(engine: BackupEngine, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const { baseUrl, token, userId } = engine;
  const headers = new Headers({ [ACTING_USER_HEADER]: userId });
  if (token !== null) headers.set("Authorization", `Bearer ${token}`);
  let response: Response;
  try {
    // The token must not be sent to any other host.
    response = await fetch(`${baseUrl}${PATHS.backup}`, { headers, redirect: "manual", signal });
  } catch (error) {
    signal.throwIfAborted();
    const check = "check that it is running and that MKT_BASE_URL names it";
    throw new NoBackup(`there is no answer from the engine at ${baseUrl}: ${connectionFault(error)}; ${check}`, {
      cause: error,
    });
  }
  if (response.status !== 200) throw await refusal(engine, response);
  const type = response.headers.get("Content-Type");
  if (type !== BACKUP_CONTENT_TYPE || response.body === null) {
    throw new NoBackup(`${baseUrl} answered with ${type ?? "nothing"}, not with a backup; ${CHECK_ADDRESS}`);
  }
  return response.body;
}

const CHECK_ADDRESS = "check that MKT_BASE_URL names an engine of mkt";

async function refusal({ baseUrl, userId }: BackupEngine, response: Response): Promise<Error> {
  const { status } = response;
  const text = await response.text();
  const parsed = errorResponse.safeParse(parseJson(text));
  if (NOT_OFFERED.has(status)) {
    return new NoBackup(`the engine at ${baseUrl} offers no backups (status ${status}); ${CHECK_ADDRESS}`);
  }
  const { code, message } = parsed.success
    ? parsed.data.error
    : { code: null, message: text.slice(0, EXCERPT_LENGTH) || `status ${status}` };
  return new NoBackup(`the engine refused: ${message}${adviceFor(status, code, userId)}`);
}

function adviceFor(status: number, code: string | null, userId: string): string {
  if (status === 401) return "; set MKT_BEARER_TOKEN to a token that the engine accepts";
  if (code === "user_not_covered") return `; set MKT_BEARER_TOKEN to a token that may act as ${userId}`;
  if (status === 403) return "; set MKT_USER_ID to a user with the permissions Market.Operate and Scope.Global";
  return "";
}
