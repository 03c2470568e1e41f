// The event log of a process that has no part in the group's: a command of the shell.

import type { SharedEventLog } from "./shared-event-log.ts";

export const NO_EVENT_LOG: SharedEventLog = {
  sequence: null,
  restore: () => Promise.resolve(null),
  catchUp: () => Promise.resolve(true),
  close: () => Promise.resolve(),
};
