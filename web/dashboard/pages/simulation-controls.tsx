// Starts and stops the simulation, and triggers market events that move spot prices. Each is confirmed first.

import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { count } from "../../components/format.ts";
import { Panel } from "../../components/panel.tsx";
import type { SimulationResult } from "../../contract/tool-results.ts";
import { confirmAndCall } from "../operation/confirmation.ts";
import { whyNot } from "../operation/permission.ts";
import { EVENT_TYPES, numberIn, PRESETS, startArguments, startEffect, triggerEffect } from "./simulation-words.ts";
import "./simulation-controls.css";

interface ControlsProps {
  /** Null: unknown. */
  readonly status: SimulationResult | null;
  readonly nodes: readonly string[];
  /** Something may have changed. */
  readonly onDone: () => void;
}

export function SimulationControls({ status, nodes, onDone }: ControlsProps) {
  const state = status?.status ?? null;
  return (
    <div class="columns">
      {state === "running" || state === "starting" || state === "stopping"
        ? <Stop status={status!} onDone={onDone} />
        : <Start state={state} onDone={onDone} />}
      <Shock isRunning={state === "running"} nodes={nodes} onDone={onDone} />
    </div>
  );
}

const OPERATE = { permission: "Market.Operate", connection: true } as const;

function Start({ state, onDone }: { readonly state: string | null } & Pick<ControlsProps, "onDone">) {
  const [preset, setPreset] = useState<string>("calm");
  const [seed, setSeed] = useState("");
  const [speed, setSpeed] = useState("");
  const fault = numberIn("Seed", seed, 0, 4_294_967_295, { isWhole: true }).fault ??
    numberIn("Speed", speed, 0.1, 1_000).fault;
  const reason = whyNot(OPERATE) ?? (state === null ? "The simulator does not answer" : fault);
  const start = async () => {
    const given = startArguments(preset, seed, speed);
    await confirmAndCall("mkt_sim_start", { ...given }, {
      title: `Start the simulation with preset ${preset}`,
      effect: startEffect(given),
      verb: "Start simulation",
      check: "This page shows whether it runs.",
    });
    onDone();
  };
  return (
    <Panel title="Start a run">
      <form class="simulation-form" onSubmit={(event) => void event.preventDefault()}>
        <Field label="Preset" hint="How busy the market is">
          <select value={preset} onChange={(event) => setPreset(event.currentTarget.value)}>
            {PRESETS.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </Field>
        <Field label="Seed" hint="Empty: a new one">
          <input inputMode="numeric" value={seed} onInput={(event) => setSeed(event.currentTarget.value)} />
        </Field>
        <Field label="Speed of market time" hint="Empty: as it is">
          <input inputMode="decimal" value={speed} onInput={(event) => setSpeed(event.currentTarget.value)} />
        </Field>
        <div class="simulation-buttons">
          <Button kind="primary" icon="play" unavailable={reason} onClick={() => void start()}>Start simulation</Button>
        </div>
      </form>
    </Panel>
  );
}

function Stop({ status, onDone }: { readonly status: SimulationResult } & Pick<ControlsProps, "onDone">) {
  const { personas, workingOrders } = status.totals;
  const reason = whyNot({ ...OPERATE, allowedWhenFrozen: true }) ??
    (status.status === "stopping" ? "It is stopping already" : null);
  const stop = async () => {
    await confirmAndCall("mkt_sim_stop", {}, {
      title: "Stop the simulation",
      effect:
        `Cancels every open order of the ${count(personas)} personas (${count(workingOrders)} when last asked) and ` +
        "disconnects them. Their trades stay. For another run, start it again.",
      verb: "Stop simulation",
      check: "This page shows whether it has stopped.",
      isDangerous: true,
    });
    onDone();
  };
  return (
    <Panel title="Stop the run">
      <p class="simulation-text">
        {count(personas)} personas trade with {count(workingOrders)} open orders. For another run, stop this one first.
      </p>
      <div class="simulation-buttons">
        <Button kind="danger" icon="stop" unavailable={reason} onClick={() => void stop()}>Stop simulation</Button>
      </div>
    </Panel>
  );
}

function Shock(
  { isRunning, nodes, onDone }: { readonly isRunning: boolean } & Pick<ControlsProps, "nodes" | "onDone">,
) {
  const [type, setType] = useState<string>("heat_wave");
  const [node, setNode] = useState("");
  const [size, setSize] = useState("1");
  const [hours, setHours] = useState("6");
  const wanted = { size: numberIn("Size", size, 0.1, 5), hours: numberIn("Duration", hours, 0.25, 720) };
  const missing = wanted.size.value === null
    ? "Size is missing"
    : wanted.hours.value === null
    ? "Duration is missing"
    : null;
  const reason = whyNot(OPERATE) ?? (isRunning ? null : "No simulation is running") ?? wanted.size.fault ??
    wanted.hours.fault ?? missing;
  const trigger = async () => {
    const given = { type, ...(node !== "" && { node }), size: wanted.size.value!, durationHours: wanted.hours.value! };
    await confirmAndCall("mkt_sim_trigger_event", given, {
      title: `Trigger a market event: ${type.replaceAll("_", " ")}`,
      effect: triggerEffect(given, nodes),
      verb: "Trigger event",
      check: "The page of spot prices shows the events that act now.",
    });
    onDone();
  };
  return (
    <Panel title="Shock spot prices">
      <form class="simulation-form" onSubmit={(event) => void event.preventDefault()}>
        <Field label="Event">
          <select value={type} onChange={(event) => setType(event.currentTarget.value)}>
            {EVENT_TYPES.map((name) => <option key={name} value={name}>{name.replaceAll("_", " ")}</option>)}
          </select>
        </Field>
        <Field label="Node">
          <select value={node} onChange={(event) => setNode(event.currentTarget.value)}>
            <option value="">both</option>
            {nodes.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </Field>
        <Field label="Size" hint="1 is typical; 0.1 to 5">
          <input inputMode="decimal" value={size} onInput={(event) => setSize(event.currentTarget.value)} />
        </Field>
        <Field label="Hours of market time" hint="0.25 to 720">
          <input inputMode="decimal" value={hours} onInput={(event) => setHours(event.currentTarget.value)} />
        </Field>
        <div class="simulation-buttons">
          <Button icon="bolt" unavailable={reason} onClick={() => void trigger()}>Trigger event</Button>
        </div>
      </form>
    </Panel>
  );
}
