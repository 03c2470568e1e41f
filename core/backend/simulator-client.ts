// The simulator for tools: personas that trade on the engine, and the spot prices that they trade by.

import type {
  SimulationStatus,
  SpotResponse,
  StartSimulationRequest,
  StartSimulationResponse,
  StopSimulationResponse,
  TriggerEventRequest,
  TriggerEventResponse,
} from "../../protocol/index.ts";

/** The simulator refused a command: nothing changed. */
export interface Refusal {
  readonly kind: "rejected";
  /** For programs: `invalid_payload`, or one of SIMULATION_CONFLICT_CODES. */
  readonly code: string;
  readonly message: string;
}

export type CommandOutcome<Result> = { readonly kind: "ok"; readonly result: Result } | Refusal;

/**
 * Every call throws ToolError: `not_configured` if there is no simulator, `forbidden`, `backend_unavailable`,
 * `backend_error`. A command also throws `timeout` if its answer was lost, so its outcome is unknown.
 */
export interface SimulatorClient {
  status(signal?: AbortSignal): Promise<SimulationStatus>;
  /** `hours` of history at each node, 0 to MAX_HISTORY_HOURS. */
  spot(hours: number, signal?: AbortSignal): Promise<SpotResponse>;
  start(request: StartSimulationRequest, signal?: AbortSignal): Promise<CommandOutcome<StartSimulationResponse>>;
  stop(signal?: AbortSignal): Promise<CommandOutcome<StopSimulationResponse>>;
  trigger(request: TriggerEventRequest, signal?: AbortSignal): Promise<CommandOutcome<TriggerEventResponse>>;
}
