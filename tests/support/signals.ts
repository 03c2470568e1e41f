// A signal for the listeners of a test alone. Libraries that other files have loaded may listen, too, and end the process.

type EndingSignal = "SIGINT" | "SIGTERM";

/** The listeners now, as `others` of a later `emitSignal`. */
export function listenersOf(signal: EndingSignal): NodeJS.SignalsListener[] {
  return process.listeners(signal) as NodeJS.SignalsListener[];
}

/** Calls all listeners of this process, as the signal would, but `others`. */
export function emitSignal(signal: EndingSignal, others: readonly NodeJS.SignalsListener[]): void {
  for (const other of others) process.off(signal, other);
  process.emit(signal, signal);
  for (const other of others) process.on(signal, other);
}
