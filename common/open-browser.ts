// Opens an address in the user's browser, with the opener of the operating system. Nobody waits for the browser, and it goes on
// when this process ends.

import { spawn } from "node:child_process";

/** The command that opens an address, without it. */
function openerOf(platform: NodeJS.Platform): readonly [command: string, ...args: string[]] {
  if (platform === "darwin") return ["open"];
  // `start` is a word of the shell, whose first argument in quotes is a title.
  if (platform === "win32") return ["cmd", "/c", "start", '""'];
  return ["xdg-open"];
}

/** `address`: one of our own, which needs no quotes. `onFailure` is called at most once, with a reason of one line. */
export function openInBrowser(address: string, onFailure: (reason: string) => void): void {
  const [command, ...args] = openerOf(process.platform);
  const opener = spawn(command, [...args, address], {
    detached: true,
    stdio: "ignore",
    // The empty title stays two quotes.
    windowsVerbatimArguments: true,
  });
  opener.once("error", (error: NodeJS.ErrnoException) => {
    onFailure(error.code === "ENOENT" ? `there is no ${command}` : error.message.replaceAll(/\s+/g, " "));
  });
  opener.once("exit", (code) => {
    if (code !== null && code !== 0) onFailure(`${command} ended with ${code}`);
  });
  opener.unref();
}
