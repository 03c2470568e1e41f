// What all clients of the table share: an engine and one mkt over HTTP, both in this process; what a client needs to start an
// mkt over stdio; a user who changes the books; and the call log of every mkt.

import { join, resolve } from "node:path";
import { httpServerHere } from "../../support/in-process.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { until } from "../../support/until.ts";
import { startPowerMarket, submit } from "../../support/power-market.ts";

interface LoggedCall {
  readonly tool?: string;
  readonly arguments: Readonly<Record<string, unknown>> | null;
  readonly outcome: string;
}

/** Changes the book of a contract. */
export type ChangeBook = (contractId: string) => Promise<void>;

/** An mkt over HTTP, and what a client needs to start the same one over stdio. */
export interface Server {
  readonly env: Record<string, string>;
  readonly httpUrl: string;
}

/** The server is connected to the market, and asks a person before it does what can't be undone. */
export interface World extends Server {
  /** Has the tool LOGGING_TOOL, too. */
  readonly logging: Server;
  readonly directory: string;
  /** Runs one of these at a time, so the books change only as `use` changes them. */
  withBooks<Result>(use: (change: ChangeBook) => Promise<Result>): Promise<Result>;
  /** A number that no other call has as its `limit`, so the call log can be searched for it. */
  nextLimit(): number;
  /** The line of the call with this `limit`, once the call has ended on the server. */
  endOfCall(limit: number): Promise<LoggedCall>;
}

export async function openWorld(): Promise<World> {
  const directory = temporaryDirectory();
  const callLog = join(directory, "calls.log");
  const engine = await startPowerMarket();
  const env = {
    ...engine.environmentFor("operator"),
    MKT_AUTO_CONNECT: "1",
    MKT_CONFIRM: "elicit",
    MKT_CALL_LOG: callLog,
  };
  const loggingEnv = { ...env, MKT_PLUGIN_DIR: resolve(import.meta.dir, "pack") };
  const [{ url }, logging, trader] = await Promise.all([
    httpServerHere(env),
    httpServerHere(loggingEnv),
    engine.trader("anna"),
  ]);
  let changes = 0;
  let lastUse: Promise<unknown> = Promise.resolve();
  const change: ChangeBook = async (contractId) => {
    changes += 1;
    await submit(trader, "BUY", 1000 + 10 * changes, 5, contractId);
  };
  let limits = 0;
  const logged = async () => {
    const file = Bun.file(callLog);
    const text = await file.exists() ? await file.text() : "";
    return text.split("\n").slice(0, -1).map((line) => JSON.parse(line) as LoggedCall);
  };
  return {
    env,
    httpUrl: url,
    logging: { env: loggingEnv, httpUrl: logging.url },
    directory,
    withBooks(use) {
      const result = lastUse.then(() => use(change));
      lastUse = result.catch(() => {});
      return result;
    },
    nextLimit: () => (limits += 1),
    endOfCall: (limit) =>
      until(
        async () => (await logged()).find((call) => call.arguments?.["limit"] === limit)!,
        `the end of call ${limit}`,
      ),
  };
}
