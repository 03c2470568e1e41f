// The steps of a simulation experiment: how long it runs and when it asks first, its event halfway, and its calls.

import { describe, expect, test } from "bun:test";
import { experiment } from "../../../plugins/sim/prompts.ts";
import { pubsubThatIs, servicesWith } from "../../core/support/services.ts";

function textOf(given: Readonly<Record<string, string>> = {}, tools: readonly string[] = []): string {
  const server = { name: "mkt", version: "1", instructions: "", tools: new Set(tools) };
  const made = experiment.messages(given, servicesWith({ pubsub: pubsubThatIs("connected"), server }) as never);
  return typeof made === "string" ? made : JSON.stringify(made);
}

describe("an experiment", () => {
  test.each<[given: Record<string, string>, length: string, asksFirst: boolean]>([
    [{ hours: "6", speed: "60" }, "The run takes about 6 min of real time.", false],
    [{ hours: "30", speed: "60" }, "The run takes about 30 min of real time.", false],
    [{ hours: "30.1", speed: "60" }, "The run takes about 31 min of real time.", true],
    [{ hours: "168", speed: "1000" }, "The run takes about 11 min of real time.", false],
    [{ speed: "1" }, "The run takes about 60 min of real time.", true],
    [{ hours: "0.5", speed: "0.5" }, "The run takes about 60 min of real time.", true],
  ])("with %j says how long it takes, and asks first if that is long", (given, length, asksFirst) => {
    const text = textOf(given);
    expect(text).toContain(length + (asksFirst ? " That is more than 30 min: ask first." : "\n"));
  });

  test.each([[{}, 60], [{ hours: "6" }, 360]])("with %j and no speed takes %d min at speed 1", (given, minutes) => {
    expect(textOf(given)).toContain(`The run takes ${minutes} min / speed of real time`);
  });

  test.each([
    [{}, '{"preset":"calm"}'],
    [{ preset: "stress", seed: "0", speed: "10" }, '{"preset":"stress","seed":0,"speed":10}'],
    [{ seed: "7" }, '{"preset":"calm","seed":7}'],
    [{ speed: "0.5" }, '{"preset":"calm","speed":0.5}'],
  ])("with %j starts %s and nothing else", (given, settings) => {
    expect(textOf(given).match(/mkt_sim_start (\{.*?\})/)![1]).toBe(settings);
  });

  test.each([["0.1", "0.25"], ["0.5", "0.25"], ["1", "0.5"], ["5", "2.5"], ["0.75", "0.38"]])(
    "of %s h has its event halfway, which lasts half as long (%s h), a quarter of an hour at least",
    (hours, duration) => {
      const text = textOf({ hours, eventType: "heat_wave" });
      const steps = text.slice(text.indexOf("\nSteps"));
      expect(steps).toContain(`mkt_sim_trigger_event {"type":"heat_wave","durationHours":${duration}}`);
      const waits = [
        ...steps.matchAll(/Wait (?:in the same way )?until simulatedTime (?:of mkt_sim_status )?is (\S+) h/g),
      ];
      expect(waits.map(([, until]) => Number(until))).toEqual([Number(hours) / 2, Number(hours)]);
      expect(steps.indexOf("mkt_sim_trigger_event")).toBeGreaterThan(waits[0]!.index);
      expect(steps.indexOf("mkt_sim_trigger_event")).toBeLessThan(waits[1]!.index);
      expect(text).toContain(`${hours} h of market time, with a heat_wave halfway`);
      expect(text).toContain("before and after the event");
    },
  );

  test("without an event waits once, to its end, and reports no event", () => {
    const text = textOf({ hours: "5" });
    expect(text.match(/Wait .*?simulatedTime.*? is \S+ h after startedAt/g)).toEqual([
      "Wait until simulatedTime of mkt_sim_status is 5 h after startedAt",
    ]);
    expect(text).not.toMatch(/mkt_sim_trigger_event|halfway|after the event/);
    expect(text).toContain("at the start, at the end, lowest and highest");
  });

  test.each([["0.1", 1], ["6", 6], ["6.5", 7], ["168", 168]])(
    "of %s h reads the prices of %d h at its end",
    (hours, read) => {
      expect(textOf({ hours })).toContain(`mkt_sim_get_spot_prices {"hours":${read}}`);
    },
  );

  test("stops its run, and looks at the final figures after that", () => {
    const text = textOf();
    expect(text.indexOf("mkt_sim_stop {}")).toBeGreaterThan(text.indexOf("mkt_sim_start {"));
    expect(text.lastIndexOf("mkt_sim_status {")).toBeGreaterThan(text.indexOf("mkt_sim_stop {}"));
  });

  test("waits for events of the market only if the tool for that is offered", () => {
    const idle = "Look again after a while, not in a tight loop.";
    expect(textOf()).toContain(idle);
    const offered = textOf({}, ["mkt_watch_market"]);
    expect(offered).toContain('mkt_watch_market {"limit":1} gives latestSequence');
    expect(offered).not.toContain(idle);
  });

  test.each([
    [{ hours: "0.09" }, /hours/],
    [{ hours: "168.1" }, /hours/],
    [{ speed: "0.09" }, /speed/],
    [{ speed: "1001" }, /speed/],
    [{ seed: "-1" }, /seed/],
    [{ seed: "1.5" }, /seed/],
    [{ seed: "4294967296" }, /seed/],
    [{ preset: "wild" }, /preset/],
    [{ eventType: "flood" }, /eventType/],
  ])("with %j is refused by name, and its neighbours are not", (given, name) => {
    expect(() => textOf(given)).toThrow(name);
    expect(() => textOf({ hours: "168", speed: "1000", seed: "4294967295" })).not.toThrow();
    expect(() => textOf({ hours: "0.1", speed: "0.1", seed: "0" })).not.toThrow();
  });
});
