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
import type { Advice } from "../advice.ts";
import { ToolError } from "../error.ts";
import type { CommandOutcome, SimulatorClient } from "./simulator-client.ts";

interface Options extends Omit<BackendHttpOptions, "peer" | "timeoutMs"> {
  readonly advice: Advice;
}

type Command = Pick<HttpRequest, "path" | "body" | "afterUnknown" | "signal">;

const SIMULATOR: Peer = { name: "simulator", setting: "MKT_SIM_URL (MKT_BASE_URL if it is not set)" };

export class HttpSimulatorClient implements SimulatorClient {
  readonly #reads: BackendHttp;
  readonly #commands: BackendHttp;

  /** A command waits `confirmTimeoutMs` for its answer, since start and stop connect or disconnect every persona. */
  constructor(private readonly options: Options, confirmTimeoutMs: number) {
    this.#reads = new BackendHttp({ ...options, peer: SIMULATOR });
    this.#commands = new BackendHttp({ ...options, peer: SIMULATOR, timeoutMs: confirmTimeoutMs });
  }

  readonly status: SimulatorClient["status"] = (signal) =>
    this.#read({ method: "GET", path: SIMULATOR_PATHS.status, signal }, simulationStatus);

  readonly spot: SimulatorClient["spot"] = (hours, signal) =>
    this.#read({ method: "GET", path: SIMULATOR_PATHS.spot, query: { hours }, signal }, spotResponse);

  readonly start: SimulatorClient["start"] = (body, signal) => {
    const afterUnknown = this.options.advice.unknownSimulationStart;
    return this.#command({ path: SIMULATOR_PATHS.start, body, afterUnknown, signal }, startSimulationResponse);
  };

  readonly stop: SimulatorClient["stop"] = (signal) => {
    const afterUnknown = this.options.advice.unknownSimulationStop;
    return this.#command({ path: SIMULATOR_PATHS.stop, body: {}, afterUnknown, signal }, stopSimulationResponse);
  };

  readonly trigger: SimulatorClient["trigger"] = (body, signal) => {
    const afterUnknown = this.options.advice.unknownMarketEvent;
    return this.#command({ path: SIMULATOR_PATHS.events, body, afterUnknown, signal }, triggerEventResponse);
  };

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

  /** The answer itself; throws if there is no simulator or it can't reach its engine. */
  #served(answer: HttpAnswer): HttpAnswer {
    const { baseUrl } = this.options;
    if (answer.status === 404) {
      throw new ToolError(
        "not_configured",
        `There is no simulator at ${baseUrl}.`,
        "Set MKT_SIM_URL to the address of a simulator: mkt engine and mkt demo include one, mkt sim serves any other engine.",
      );
    }
    if (answer.status === 503) {
      throw new ToolError(
        "backend_unavailable",
        `The simulator at ${baseUrl} can't reach its engine: ${refusalIn(answer.body).message}`,
        withAdvice(answer.request, "Check that the engine is running; the simulator connects again by itself."),
      );
    }
    return answer;
  }
}
