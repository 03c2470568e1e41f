// Thrown if the simulator refuses a command, with the reason for programs and for people. Nothing has changed, unless the
// message says so.

import type { SimulatorErrorCode } from "../../protocol/index.ts";

export class SimulatorRefusal extends Error {
  constructor(readonly code: SimulatorErrorCode, message: string) {
    super(message);
  }
}
