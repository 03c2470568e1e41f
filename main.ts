// The executable starts here. A client on stdio is answered at once, before the rest of the program is loaded: only light
// files may be imported (tests/architecture/start-imports.test.ts). Every other start loads the command line.

import { keepConsoleOffStdout } from "./common/console.ts";
import { START_TABLE } from "./core/start/start-table.ts";
import { startOnStdio } from "./core/start/start-on-stdio.ts";

keepConsoleOffStdout();
const started = await startOnStdio(START_TABLE);
if (started === null) {
  const { runCommandLine } = await import("./cli/command-line.ts");
  process.exit(await runCommandLine());
} else {
  const { serveStartedClient } = await import("./cli/serve-started-client.ts");
  process.exit(await serveStartedClient(started));
}
