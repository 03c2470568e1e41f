// The state of the simulation: its settings and totals, what each strategy and each persona did.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { SimulationResult } from "../contract/tool-results.ts";
import { Badge } from "./badge.tsx";
import { count, quantity } from "./format.ts";
import { EmptyState } from "./notices.tsx";
import { PersonaTable } from "./persona-table.tsx";
import "./simulation.css";
import { Stat, Stats } from "./stat.tsx";
import { StrategyTable } from "./strategy-table.tsx";
import { time } from "./time-format.ts";

interface SimulationProps {
  readonly status: SimulationResult;
  /** `UTC` if absent. */
  readonly timezone?: string;
  /** The address of an entity; absent: no links. */
  readonly entityAddress?: (entityId: string) => string;
}

export function Simulation({ status, timezone = "UTC", entityAddress }: SimulationProps) {
  const [strategy, setStrategy] = useState<string | null>(null);
  const { failure, nothingToTrade, strategies, personas, total } = status;
  const isNew = status.startedAt === null;
  return (
    <div class="simulation">
      {failure !== undefined && <Note tone="danger" title="The run failed or ended by itself">{failure}</Note>}
      {nothingToTrade !== undefined && <Note tone="warning" title="Nobody can trade">{nothingToTrade}</Note>}
      {isNew ? <EmptyState title="No simulation has run yet" /> : (
        <>
          <SimulationFigures status={status} timezone={timezone} />
          <Unknown status={status} />
          <h3>Strategies</h3>
          <StrategyTable strategies={strategies} chosen={strategy} onChoose={setStrategy} />
          <h3>
            Personas{strategy !== null && (
              <>
                {" of "}
                <span class="name">{strategy}</span>
              </>
            )}
          </h3>
          <PersonaTable
            personas={strategy === null ? personas : personas.filter((persona) => persona.strategy === strategy)}
            entityAddress={entityAddress}
          />
          {total > personas.length && (
            <p class="simulation-note">{count(personas.length)} of {count(total)} personas are shown.</p>
          )}
        </>
      )}
    </div>
  );
}

const STATES = {
  running: ["good", "play"],
  starting: ["info", "clock"],
  stopping: ["warning", "clock"],
  stopped: ["neutral", "stop"],
} as const;

function State({ status }: { readonly status: SimulationResult["status"] }) {
  const [tone, icon] = STATES[status];
  return <Badge tone={tone} icon={icon}>{status}</Badge>;
}

function SimulationFigures({ status, timezone }: Required<Pick<SimulationProps, "status" | "timezone">>) {
  const { preset, seed, speed, startedAt, simulatedTime, totals } = status;
  const ran = startedAt === null || simulatedTime === null ? null : Date.parse(simulatedTime) - Date.parse(startedAt);
  return (
    <Stats>
      <Stat label="State" note={`${count(totals.connected)} of ${count(totals.personas)} personas connected`}>
        <State status={status.status} />
      </Stat>
      <Stat label="Preset" note={`seed ${seed ?? "unknown"}`}>
        <span class="name">{preset ?? "–"}</span>
      </Stat>
      <Stat label="Speed of market time">
        {speed === null ? "–" : speed === 0 ? "in lockstep" : `${quantity(speed)}×`}
      </Stat>
      <Stat label="Market time" note={ran === null ? undefined : `${runTime(ran)} simulated`}>
        {time(simulatedTime, timezone, "dateTime")}
      </Stat>
      <Stat label="Trades">{count(totals.trades)}</Stat>
      <Stat label="Orders" note={`${count(totals.workingOrders)} open`}>{count(totals.orders)}</Stat>
      <Stat label="Cancelled" note={`${count(totals.rejected)} refused`}>{count(totals.cancels)}</Stat>
      {METRICS.map(([name, label]) => (
        <Stat key={name} label={label}>
          {quantity(status.metrics[name])}
        </Stat>
      ))}
    </Stats>
  );
}

/** Why a metric has no value. */
function Unknown({ status: { metrics, reasons = {} } }: Pick<SimulationProps, "status">) {
  return METRICS.filter(([name]) => metrics[name] === null && reasons[name] !== undefined).map(([name, label]) => (
    <p key={name} class="simulation-note">{label.replace(", %", "")} is unknown: {reasons[name]}.</p>
  ));
}

const METRICS = [
  ["meanSpread", "Mean spread, %"],
  ["twoSidedBooks", "Two-sided books, %"],
  ["smithsAlpha", "Smith's alpha, %"],
  ["allocativeEfficiency", "Efficiency, %"],
] as const;

/** `2 d 3 h`, `3 h 20 min`, `4 min`. */
export function runTime(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${rest} min` : `${rest} min`;
}

interface NoteProps {
  readonly tone: "danger" | "warning";
  readonly title: string;
  readonly children: ComponentChildren;
}

function Note({ tone, title, children }: NoteProps) {
  return (
    <p class="simulation-alert">
      <Badge tone={tone} icon="alert">{title}</Badge> <bdi>{children}</bdi>
    </p>
  );
}
