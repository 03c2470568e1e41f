// The simulator's control API over HTTP (docs/backend-protocol.md). It holds no state and needs no connect step.

import type { z } from "zod";
import {
  BackendHttp,
  type BackendHttpOptions,
  type HttpAnswer,
  type HttpRequest,
  type Peer,
  refusalIn,
  withAdvice,
} from "./backend-http.ts";
import {
  simulationStatus,
  SIMULATOR_PATHS,
  spotResponse,
  startSimulationResponse,
  stopSimulationResponse,
  triggerEventResponse,
} from "../../protocol/index.ts";
import { ToolError } from "../error.ts";
import type { CommandOutcome, SimulatorClient } from "./simulator-client.ts";

type Options = Omit<BackendHttpOptions, "peer" | "timeoutMs">;
type Command = Pick<HttpRequest, "path" | "body" | "afterUnknown" | "signal">;

const SIMULATOR: Peer = { name: "simulator", setting: "MKT_SIM_URL (where it is not set, MKT_BASE_URL)" };

export class HttpSimulatorClient implements SimulatorClient {
  readonly #reads: BackendHttp;
  readonly #commands: BackendHttp;

  /** A command waits `confirmTimeoutMs` for its answer: starting and stopping connect and disconnect every persona. */
  constructor(private readonly options: Options, confirmTimeoutMs: number) {
    this.#reads = new BackendHttp({ ...options, peer: SIMULATOR });
    this.#commands = new BackendHttp({ ...options, peer: SIMULATOR, timeoutMs: confirmTimeoutMs });
  }

  readonly status: SimulatorClient["status"] = (signal) =>
    this.#read({ method: "GET", path: SIMULATOR_PATHS.status, signal }, simulationStatus);

  readonly spot: SimulatorClient["spot"] = (hours, signal) =>
    this.#read({ method: "GET", path: SIMULATOR_PATHS.spot, query: { hours }, signal }, spotResponse);

  readonly start: SimulatorClient["start"] = (body, signal) =>
    this.#command({
      path: SIMULATOR_PATHS.start,
      body,
      afterUnknown: "mkt_sim_status shows whether it runs; a repeat changes nothing where it does.",
      signal,
    }, startSimulationResponse);

  readonly stop: SimulatorClient["stop"] = (signal) =>
    this.#command({
      path: SIMULATOR_PATHS.stop,
      body: {},
      afterUnknown: "mkt_sim_status shows whether it has stopped; a repeat changes nothing where it has.",
      signal,
    }, stopSimulationResponse);

  readonly trigger: SimulatorClient["trigger"] = (body, signal) =>
    this.#command({
      path: SIMULATOR_PATHS.events,
      body,
      afterUnknown: "mkt_sim_get_spot_prices shows the events that act now: look before you repeat it.",
      signal,
    }, triggerEventResponse);

  async #read<Schema extends z.ZodType>(request: HttpRequest, schema: Schema): Promise<z.output<Schema>> {
    return this.#reads.read(this.#served(await this.#reads.ask(request)), schema);
  }

  async #command<Schema extends z.ZodType>(
    command: Command,
    schema: Schema,
  ): Promise<CommandOutcome<z.output<Schema>>> {
    const answer = this.#served(await this.#commands.ask({ ...command, method: "POST" }));
    if (answer.status === 400 || answer.status === 409) {
      const { code, message } = refusalIn(answer.body);
      return { kind: "rejected", code: code ?? String(answer.status), message };
    }
    return { kind: "ok", result: this.#commands.read(answer, schema) };
  }

  /** The answer of a simulator that is there and reaches its engine. */
  #served(answer: HttpAnswer): HttpAnswer {
    const { baseUrl } = this.options;
    if (answer.status === 404) {
      throw new ToolError(
        "not_configured",
        `There is no simulator at ${baseUrl}.`,
        "Set MKT_SIM_URL to where one is: mkt engine and mkt demo bring it along, mkt sim serves any other engine.",
      );
    }
    if (answer.status === 503) {
      throw new ToolError(
        "backend_unavailable",
        `The simulator at ${baseUrl} does not reach its engine: ${refusalIn(answer.body).message}`,
        withAdvice(answer.request, "Check that the engine is running; the simulator connects again by itself."),
      );
    }
    return answer;
  }
}
