// A command to the simulator that it does not carry out, with the reason for programs and for people. Nothing has changed,
// but for what the message says.

import type { SimulatorErrorCode } from "../../protocol/index.ts";

export class SimulatorRefusal extends Error {
  constructor(readonly code: SimulatorErrorCode, message: string) {
    super(message);
  }
}
