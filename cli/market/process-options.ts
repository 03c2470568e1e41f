// The options with which commands start an engine or a simulator in this process.

import { InvalidArgumentError, Option } from "commander";
import type { Registry } from "prom-client";
import { z } from "zod";
import { settingsError, UsageError } from "../../common/command-line.ts";
import { option, wholeNumber } from "../../common/options.ts";
import { steadyNow } from "../../common/steady-now.ts";
import { hideInLogs, logger } from "../../common/logger.ts";
import { openTelemetry, telemetrySettings } from "../../common/open-telemetry.ts";
import type { TelemetrySettings } from "../../common/telemetry/settings.ts";
import type { Telemetry } from "../../common/telemetry/telemetry.ts";
import { clockSpeed, MAX_SPEED, MIN_SPEED } from "../../protocol/index.ts";
import { ENVIRONMENT } from "../../core/config/env-file.ts";
import { readEngineAccess } from "../../common/http/guards/engine-access.ts";
import { readEngineLimits } from "../../common/http/guards/engine-limits.ts";
import type { StartClock } from "../../engine/server/start-clock.ts";
import type { RunningEngine } from "../../engine/server/start-engine.ts";

const EARLIEST_START = Date.parse("2000-01-01T00:00:00Z");
const LATEST_START = Date.parse("2100-01-01T00:00:00Z");

/** A time service corrects smaller steps at once; larger ones are faults. */
const CLOCK_JUMP_SECONDS = 60;
const MAX_CLOCK_JUMP_SECONDS = 86_400;

export function acceptDataLossOption(): Option {
  return new Option(
    "--accept-data-loss",
    "with --data: if the data are damaged, copy them aside and continue with what is readable",
  );
}

/** Throws UsageError if --accept-data-loss comes without --data. */
export function acceptsDataLoss(
  { data, acceptDataLoss = false }: { readonly data?: string; readonly acceptDataLoss?: boolean },
): boolean {
  if (acceptDataLoss && data === undefined) throw new UsageError("--accept-data-loss: needs --data DIR");
  return acceptDataLoss;
}

/** `--speed`, `--start` and `--lockstep`: the market clock; `--max-clock-jump`: the machine's. */
export function clockOptions(): Option[] {
  const speed = `market time passes this many times as fast, ${MIN_SPEED} to ${MAX_SPEED} (default: 1, or as it was)`;
  const start = "market time at which a new market begins, as 2026-03-02T06:00:00Z (default: now)";
  const lockstep = new Option("--lockstep", "market time stands still until a client moves it (clock.advance)");
  const jump = "with --data: stop trading if the machine's clock jumps by more; 0: follow any jump";
  return [
    option("--speed <factor>", speed, speedFactor),
    option("--start <time>", start, isoTime),
    lockstep,
    option("--max-clock-jump <seconds>", jump, wholeNumber(0, MAX_CLOCK_JUMP_SECONDS)).default(CLOCK_JUMP_SECONDS),
  ];
}

/** Undefined: any jump is followed. */
export function maxClockJumpMs({ maxClockJump }: ClockArguments): number | undefined {
  return maxClockJump === 0 ? undefined : maxClockJump * 1000;
}

export interface ClockArguments {
  readonly speed?: number;
  readonly start?: number;
  readonly lockstep?: true;
  /** Seconds. */
  readonly maxClockJump: number;
}

/** Throws UsageError if --lockstep comes with --speed. */
export function startClock({ speed, start, lockstep }: ClockArguments): StartClock {
  if (lockstep && speed !== undefined) throw new UsageError("--lockstep: has no speed; leave out --speed");
  return { speed: speed ?? null, start: start ?? null, lockstep: lockstep ?? false };
}

function speedFactor(text: string): number {
  const parsed = clockSpeed.safeParse(text.trim() === "" ? NaN : Number(text));
  if (!parsed.success) throw new InvalidArgumentError(`a number from ${MIN_SPEED} to ${MAX_SPEED}`);
  return parsed.data;
}

/** A day is its midnight in UTC. */
function isoTime(text: string): number {
  const parsed = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).safeParse(text);
  const time = parsed.success ? Date.parse(text) : NaN;
  if (time >= EARLIEST_START && time < LATEST_START) return time;
  throw new InvalidArgumentError("an ISO time from the year 2000 to 2099, as 2026-03-02T06:00:00Z");
}

/**
 * The settings that environment variables give. `host`: the address to listen on. Throws a UsageError that names every wrong
 * variable.
 */
export function engineSettings(host: string) {
  const access = readEngineAccess(ENVIRONMENT, host);
  const limits = readEngineLimits(ENVIRONMENT);
  if ("faults" in access || "faults" in limits) {
    throw settingsError([access, limits].flatMap((read) => "faults" in read ? read.faults : []));
  }
  const secret = ENVIRONMENT.STRESS_TEST_SECRET || null;
  return { ...access.access, ...limits, hostname: host, secret, log: logger("engine"), now: Date.now, steadyNow };
}

/** For a simulator with a port of its own. Throws a UsageError that names every wrong variable. */
export function simulatorAccess(host: string) {
  const read = readEngineAccess(ENVIRONMENT, host);
  if ("faults" in read) throw settingsError(read.faults);
  return { ...read.access, host };
}

/** What sends traces and metrics; null without settings. Throws UsageError if a certificate can't be read. */
export async function telemetryOf(settings: TelemetrySettings | null, version: string): Promise<Telemetry | null> {
  const telemetry = await openTelemetry(settings, version);
  if (telemetry !== null) hideInLogs(telemetry.secrets);
  return telemetry;
}

/** Throws a UsageError that names every wrong variable. */
export function engineTelemetry(): TelemetrySettings | null {
  return telemetrySettings(ENVIRONMENT, "mkt-engine");
}

/** Begins to send what /metrics of an engine or a simulator shows, if metrics are sent. */
export function sendMetrics(served: { metrics(): Promise<Registry> }, telemetry: Telemetry | null): void {
  if (telemetry?.sendsMetrics) telemetry.send(async () => (await served.metrics()).getMetricsAsJSON());
}

export function simulatorOptions() {
  return { log: logger("simulator"), now: steadyNow };
}

/** Rejects when the engine stops for good. */
export async function failureOf(engine: RunningEngine): Promise<never> {
  throw await engine.failed;
}
