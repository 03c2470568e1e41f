// `mkt accept-clock`: an operator accepts the clock of an engine's machine after a jump, which ends the stop of trading.

import type { Command } from "commander";
import { oneLine } from "../../common/command-line.ts";
import { lengthText } from "../../common/length-text.ts";
import { print } from "../../common/output.ts";
import { BackendHttp, type BackendHttpOptions, refusalIn } from "../../core/backend/backend-http.ts";
import { textOf, ToolError } from "../../core/error.ts";
import { acceptClockResponse, PATHS } from "../../protocol/index.ts";

type Engine = Pick<BackendHttpOptions, "baseUrl" | "token"> & { readonly userId: string };

/** `engine`: the engine that the configuration names. Throws UsageError if it names none. */
export function addClockCommand(program: Command, engine: () => Engine): void {
  program.command("accept-clock")
    .description(
      "accept the clock of the engine's machine after a jump: orders may expire; for operators (MKT_HOST, MKT_USER_ID, ...)",
    )
    .action(async () => await print(await accept(engine())));
}

async function accept({ userId, ...engine }: Engine): Promise<string> {
  const http = new BackendHttp({ ...engine, actingUserId: () => userId });
  const afterUnknown = "mkt doctor says whether the engine follows its clock.";
  try {
    const answer = await http.ask({ method: "POST", path: PATHS.acceptClock, body: {}, afterUnknown });
    if (answer.status === 409) throw new Error(oneLine(refusalIn(answer.body).message));
    const { clockJumpSeconds, time, marketTime } = http.read(answer, acceptClockResponse);
    const jump = `${lengthText(clockJumpSeconds * 1000)} ${clockJumpSeconds > 0 ? "ahead" : "behind"}`;
    return `accepted the clock, which was ${jump}: engine time is ${time}, market time ${marketTime}`;
  } catch (error) {
    if (error instanceof ToolError) throw new Error(oneLine(textOf(error)), { cause: error });
    throw error;
  }
}
