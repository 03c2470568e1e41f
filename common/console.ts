// The console. stdout carries results and protocol messages only.

/** Sends console output, which a pack may produce, to stderr, too. */
export function keepConsoleOffStdout(): void {
  console.log = console.info = console.debug = console.error;
}
