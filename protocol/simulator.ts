// The control API of the simulator over HTTP: on the engine's port, or on a port of its own (`mkt sim`). Token, acting user
// and permissions are checked as for the engine's own HTTP API. Prices are integer cents/MWh, quantities MW, money dollars.
// Times are market time (clock.ts).

import { z } from "zod";
import { id, SPOT_REGIMES } from "./actions.ts";
import { clockSpeed } from "./clock.ts";

export const SIMULATOR_PATHS = {
  start: "/api/sim/start",
  stop: "/api/sim/stop",
  status: "/api/sim/status",
  spot: "/api/sim/spot",
  events: "/api/sim/events",
} as const;

export const SIMULATION_STATUSES = ["stopped", "starting", "running", "stopping"] as const;
export type SimulationState = (typeof SIMULATION_STATUSES)[number];

export const SIMULATION_PRESETS = ["calm", "volatile", "stress", "thin", "credit"] as const;
export type SimulationPreset = (typeof SIMULATION_PRESETS)[number];
export const DEFAULT_PRESET: SimulationPreset = "calm";

/** The built-in ones. A simulator may have more, from files that it was started with. */
export const PERSONA_STRATEGIES = [
  "zic",
  "zip",
  "gvwy",
  "shvr",
  "aa",
  "avellaneda-stoikov",
  "momentum",
  "mean-reversion",
  "generator",
  "retailer",
  "arbitrageur",
] as const;

/** `paused`: the market takes no orders now, for example because it is halted. */
export const PERSONA_STATES = ["connecting", "trading", "paused", "disconnected"] as const;
export type PersonaState = (typeof PERSONA_STATES)[number];

export const SPOT_EVENT_TYPES = [
  "heat_wave",
  "cold_snap",
  "plant_outage",
  "line_congestion",
  "renewable_surplus",
  "fuel_shock",
  "demand_drop",
] as const;
export type SpotEventType = (typeof SPOT_EVENT_TYPES)[number];

/** Each persona is a connection of its own to the engine. */
export const MAX_PERSONAS = 200;
/** A week. */
export const MAX_HISTORY_HOURS = 168;
/** Thirty days. */
const MAX_EVENT_HOURS = 720;

const preset = z.enum(SIMULATION_PRESETS);
const eventType = z.enum(SPOT_EVENT_TYPES);

const personaGroup = z.strictObject({
  strategy: id.describe(
    `How they trade: ${PERSONA_STRATEGIES.join(", ")}, or a strategy from a file that the simulator was started with`,
  ),
  count: z.int().min(1).max(MAX_PERSONAS).describe("How many"),
  entityId: id.describe("Spread over all entities if absent").optional(),
});

export const startSimulationRequest = z.strictObject({
  preset: preset.describe(`Spot prices, and personas if none are listed; ${DEFAULT_PRESET} if absent`).optional(),
  personas: z.array(personaGroup).min(1).max(50).refine(
    (groups) => groups.reduce((total, { count }) => total + count, 0) <= MAX_PERSONAS,
    `more than ${MAX_PERSONAS} personas in all`,
  ).describe(`Personas instead of the preset's; ${MAX_PERSONAS} in all at most`).optional(),
  seed: z.int().min(0).max(4_294_967_295).describe("Seed of all random numbers; a new one if absent").optional(),
  speed: clockSpeed.describe(
    "Sets the speed of market time for the run, for the whole market: 0.1 to 1000; as it is if absent",
  ).optional(),
});
export type StartSimulationRequest = z.output<typeof startSimulationRequest>;

const count = z.int().min(0);

const persona = z.looseObject({
  id: id.describe("Persona id, unique in the run"),
  strategy: z.string().describe("How it trades"),
  userId: id.describe("User it acts as"),
  entityId: id.describe("Entity it trades for"),
  state: z.enum(PERSONA_STATES).describe("paused: the market takes no orders, for example because it is halted"),
  fault: z.string().optional().describe("Why its strategy, from a file, was stopped; absent if it was not"),
  connected: z.boolean().describe("Whether it has its connection to the engine now"),
  workingOrders: count.describe("Its open orders"),
  orders: count.describe("Orders that the engine accepted in this run"),
  changes: count.describe("Order changes that the engine accepted in this run"),
  cancels: count.describe("Orders it cancelled in this run"),
  rejected: count.describe("Orders, changes and cancels that the engine refused in this run"),
  trades: count.describe("Its fills in this run"),
  volumeMw: z.number().min(0).describe("Quantity bought and sold in this run, MW"),
  netPositionMw: z.number().describe("Bought less sold over all contracts, MW"),
  positions: z.array(z.looseObject({
    contractId: id.describe("Contract"),
    netPositionMw: z.number().describe("Bought less sold, MW"),
  })).describe("Contracts in which its position is not 0"),
  cash: z.number().describe("Received for what it sold less paid for what it bought, dollars"),
  profitAndLoss: z.number().describe(
    "Cash plus the value of its positions, dollars; `marks` of the simulation says what values them",
  ),
  tradingResult: z.number().optional().describe("The same as profitAndLoss, dollars; of all personas it sums to 0"),
  physicalResult: z.number().nullable().optional().describe(
    "Earned by its generating unit or its customers' load at spot prices, dollars; null if it has neither",
  ),
  surplus: z.number().nullable().optional().describe(
    "Distance of its fills from the limit prices of its assignments, dollars; null without assignments",
  ),
  lossLimit: z.number().nullable().optional().describe("Loss that stops it, dollars; null: none"),
  stoppedUntil: z.iso.datetime().nullable().optional().describe("Until when losses stop it; null if they do not"),
  stoppedForLosses: count.optional().describe("How often losses have stopped it in this run"),
});

export const simulationStatus = z.looseObject({
  status: z.enum(SIMULATION_STATUSES).describe("State of the simulation"),
  preset: z.string().nullable().describe("Preset of the run; null before the first"),
  seed: z.int().nullable().describe(
    "Seed of the run; null before the first, and without Market.Operate: it tells the future of the run",
  ),
  speed: z.number().nullable().describe(
    "Speed of market time relative to real time; after a run, as it was in the run; 0 in lockstep",
  ),
  marketTime: z.iso.datetime().nullable().optional().describe("Market time"),
  startedAt: z.iso.datetime().nullable().describe("Market time at which the run began; null before the first"),
  simulatedTime: z.iso.datetime().nullable().describe("Market time of the run, or at its end; null before the first"),
  failure: z.string().nullable().describe("Why the run failed or ended by itself; null if it did not"),
  nothingToTrade: z.string().nullable().optional().describe(
    "Why no persona can trade while the simulation runs: no contract is listed, or no market is open; null if they can",
  ),
  personas: z.array(persona).describe("Personas of the run; after its end, as they were at the end"),
  totals: z.looseObject({
    personas: count.describe("Personas of the run"),
    connected: count.describe("Personas that are connected now"),
    workingOrders: count.describe("Open orders of all personas"),
    orders: count.describe("Orders that the engine accepted"),
    cancels: count.describe("Orders they cancelled"),
    rejected: count.describe("Orders, changes and cancels that the engine refused"),
    trades: count.describe("Trades of at least one persona"),
    volumeMw: z.number().min(0).describe("Quantity of these trades, MW"),
    physicalResult: z.number().nullable().optional().describe(
      "Sum of the personas' physical results, dollars; null if nobody has a unit or a load",
    ),
    surplus: z.number().nullable().optional().describe(
      "Sum of the personas' surpluses, dollars; null if nobody trades by assignments",
    ),
    stoppedForLosses: count.optional().describe("How often losses have stopped a persona"),
  }).describe("Sums of the run"),
  metrics: z.looseObject({
    smithsAlpha: z.number().nullable().describe(
      "Root mean square distance of trade prices from fair value, percent of fair value; null without trades",
    ),
    allocativeEfficiency: z.number().nullable().describe(
      "Realised surplus, percent of the greatest possible; null if limit prices are unknown",
    ),
    twoSidedBooks: z.number().nullable().describe(
      "Share of book samples with both bids and asks, percent; null without samples",
    ),
    meanSpread: z.number().nullable().describe("Mean spread of books with both sides, percent of fair value"),
  }).describe("Quality of the market"),
  reasons: z.record(z.string(), z.string()).optional().describe("For each metric and total that is null, why"),
  bookSamples: z.looseObject({
    count: count.describe("Number of looks"),
    until: z.iso.datetime().nullable().describe("Simulated time of the last look; null if there was none"),
  }).optional().describe(
    "Looks at the books of open contracts, one each every five simulated minutes, on which the metrics of books rest",
  ),
  marks: z.looseObject({
    book: count.describe("By the middle of the book"),
    lastTrade: count.describe("By the last trade, because the book has no two sides"),
    forecast: count.describe("By the forecast, because there is no trade either"),
    delivery: count.describe("By spot prices of the past and expected ones, because delivery has begun"),
  }).optional().describe("Number of contracts with a position, by what profit and loss values them"),
});
export type SimulationStatus = z.output<typeof simulationStatus>;

const changed = z.boolean().describe("False: it was in that state already, and nothing was changed");

export const startSimulationResponse = simulationStatus.extend({ changed });
export type StartSimulationResponse = z.output<typeof startSimulationResponse>;

export const stopSimulationResponse = simulationStatus.extend({
  changed,
  ordersCancelled: count.describe("Open orders of personas that were cancelled"),
  personasDisconnected: count.describe("Personas whose connection was ended"),
});
export type StopSimulationResponse = z.output<typeof stopSimulationResponse>;

export const spotRequest = z.object({
  hours: z.coerce.number().int().min(0).max(MAX_HISTORY_HOURS).default(24).describe("Hours of history"),
});

const regime = z.enum(SPOT_REGIMES);
const spotPrice = z.int().describe("Spot price, cents/MWh; may be negative");
const spotTime = z.iso.datetime().describe("Market time of the price");

const spotEvent = z.looseObject({
  id: id.describe("Event id, unique in the run"),
  type: z.string().describe("What happened"),
  node: id.nullable().describe("Price node it affects; null for both"),
  size: z.number().describe("Strength; 1 is a typical event of its type"),
  startedAt: z.iso.datetime().describe("Market time at which it began"),
  endsAt: z.iso.datetime().describe("Market time at which it ends"),
  remaining: z.number().min(0).max(1).describe("Remaining share of its effect, which decays"),
});

export const spotResponse = z.looseObject({
  status: z.enum(SIMULATION_STATUSES).describe("State of the simulation; prices move only while it runs"),
  nodes: z.array(z.looseObject({
    node: id.describe("Price node"),
    price: spotPrice,
    regime: regime.describe("Regime of the price"),
    time: spotTime,
    history: z.array(z.looseObject({
      time: spotTime,
      price: spotPrice,
      regime: regime.describe("Regime in that hour"),
    })).describe("Hourly, oldest first"),
  })).describe("The two price nodes"),
  congested: z.boolean().describe("Whether the line between the nodes is full, so their prices differ"),
  events: z.array(spotEvent).describe("Market events that affect prices now"),
});
export type SpotResponse = z.output<typeof spotResponse>;

export const triggerEventRequest = z.strictObject({
  type: eventType.describe("What happens"),
  node: id.describe("Price node it affects; both if absent").optional(),
  size: z.number().min(0.1).max(5).default(1).describe("Expected strength: 0.1 to 5; 1 is a typical event of its type"),
  durationHours: z.number().min(0.25).max(MAX_EVENT_HOURS).default(6).describe(
    `Expected duration in hours of market time: 0.25 to ${MAX_EVENT_HOURS}`,
  ),
});
export type TriggerEventRequest = z.output<typeof triggerEventRequest>;

export const triggerEventResponse = z.looseObject({ event: spotEvent });
export type TriggerEventResponse = z.output<typeof triggerEventResponse>;

/** Codes for a command that does not fit the state of the simulation; nothing was changed. */
export const SIMULATION_CONFLICT_CODES = ["already_running", "stopping", "not_running"] as const;
export type SimulationConflictCode = (typeof SIMULATION_CONFLICT_CODES)[number];

/** Error codes of the control API, besides those of every HTTP route. */
export const SIMULATOR_ERROR_CODES = ["invalid_payload", ...SIMULATION_CONFLICT_CODES, "engine_unavailable"] as const;
export type SimulatorErrorCode = (typeof SIMULATOR_ERROR_CODES)[number];
