// A command at a terminal, as a person runs it.

import { BARE_ENVIRONMENT } from "./executable.ts";
import { startProcess } from "./processes.ts";
import { until } from "./until.ts";

/** Printed after the command, because a terminal has no end that shows that everything was read. */
const END = /\[ended with (\d+)\]\n$/;

/** Runs a command until it ends, with stdin, stdout and stderr on one terminal. Line ends are "\n" in `shown`. */
export async function runOnTerminal(
  command: readonly string[],
  env: Record<string, string> = {},
): Promise<{ readonly exitCode: number; readonly shown: string }> {
  let shown = "";
  const decoder = new TextDecoder();
  await using terminal = new Bun.Terminal({
    data: (_, bytes) => {
      shown = (shown + decoder.decode(bytes, { stream: true })).replaceAll("\r\n", "\n");
    },
  });
  const script = ["/bin/sh", "-c", `"$0" "$@"; printf '[ended with %d]\\n' $?`, ...command];
  startProcess(script, { env: { ...BARE_ENVIRONMENT, TERM: "xterm", ...env }, terminal });
  const end = await until(() => END.exec(shown));
  return { exitCode: Number(end?.[1]), shown: shown.slice(0, end?.index) };
}
