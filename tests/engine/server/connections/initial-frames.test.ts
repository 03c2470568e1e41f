// What a new connection gets first, frame by frame, of a market that changes while it is sent.

import { describe, expect, test } from "bun:test";
import { EVERYONE, PublishedEvent, PublishedState } from "../../../../engine/api/messages.ts";
import { initialFrames } from "../../../../engine/server/connections/initial-frames.ts";
import type { EngineHost } from "../../../../engine/server/host/engine-host.ts";
import type { Gap } from "../../../../engine/server/publication/event-history.ts";
import { FULL_FRAME } from "../../../../engine/server/publication/visibility-class.ts";

const EPOCH = 1000;
const OF_B = { permission: "Market.View" as const, entityIds: ["B"] };
const user = { id: "anna", entityId: "A", permissions: new Set(["Order.Enter", "Credit.View"]) };

const event = (sequence: number, audience = EVERYONE, length = 0) =>
  new PublishedEvent(sequence, audience, { text: `{"sequence":${sequence}}`.padEnd(length) });
const module = (id: string, length = 0) =>
  new PublishedState("ORDER", id, "set", EVERYONE, { text: JSON.stringify({ id }).padEnd(length) });

interface Setting {
  readonly modules?: readonly PublishedState[];
  readonly history?: (from: number, to: number) => readonly (PublishedEvent | Gap)[];
  readonly resume?: { readonly epoch: number; readonly sequence: number };
  readonly states?: (string | null)[];
  readonly acceptsTraces?: boolean;
}

function begun(setting: Setting = {}) {
  const { modules = [], history = () => [], resume, states = [], acceptsTraces = false } = setting;
  const seen: unknown[] = [];
  const ended: string[] = [];
  const engine = { epoch: EPOCH, sequence: 1010 };
  const host = {
    engine,
    times: { time: "2026-03-02T15:00:00.000Z", marketTime: "2030-01-01T00:00:00.000Z" },
    snapshot: (viewer: unknown) => (seen.push(viewer), modules),
    readHistory: () => ({ after: (from: number, to: number) => (seen.push([from, to]), history(from, to).values()) }),
  } as unknown as EngineHost;
  const hello = { kind: "hello" as const, protocol: 1, userId: "anna", ...(resume && { resume }) };
  const takeStates = () => states.shift() ?? null;
  const onEnd = () => void ended.push("end");
  const frames = initialFrames({ host, engineId: "E", acceptsTraces, hello, user, takeStates, onEnd });
  const rest = () => {
    const texts: string[] = [];
    for (let next = frames.next(); !next.done; next = frames.next()) texts.push(next.value);
    return texts;
  };
  return { frames, rest, seen, ended, engine };
}

const END = { kind: "snapshotEnd", sequence: 1010 };

describe("the first frames of a connection", () => {
  test.each([[false], [true]])(
    "begin with a welcome that says all about the connection; takes traces: %p",
    (acceptsTraces) => {
      const { rest, seen } = begun({ acceptsTraces });
      const [welcome = "", ...others] = rest();
      expect(JSON.parse(welcome)).toEqual({
        kind: "welcome",
        engineId: "E",
        userId: "anna",
        entityId: "A",
        capabilities: ["Order.Enter", "Credit.View"],
        epoch: EPOCH,
        sequence: 1010,
        time: "2026-03-02T15:00:00.000Z",
        marketTime: "2030-01-01T00:00:00.000Z",
        ...(acceptsTraces && { traceContext: true }),
      });
      expect(others.map((text) => JSON.parse(text))).toEqual([END]);
      expect(seen).toEqual([user]);
    },
  );

  test("show each module once, in full frames, the last one as full as it gets", () => {
    const modules = [
      module("a", FULL_FRAME - 1),
      module("b", 1 + 9),
      module("c", FULL_FRAME),
      module("d"),
      module("e"),
    ];
    const frames = begun({ modules }).rest().slice(1, -1);
    expect(frames.map((text) => JSON.parse(text).map(({ id }: { readonly id: string }) => id))).toEqual([
      ["a", "b"],
      ["c"],
      ["d", "e"],
    ]);
  });

  test("show what changes meanwhile, until nothing does, and end with the number that the engine has then", () => {
    const { frames, engine, rest, ended } = begun({ modules: [module("a")], states: ["1,2", "3", null, "late"] });
    frames.next();
    frames.next();
    engine.sequence = 1020;
    expect(rest()).toEqual(["[1,2]", "[3]", JSON.stringify({ ...END, sequence: 1020 })]);
    expect(ended).toEqual(["end"]);
  });
});

describe("a connection that resumes", () => {
  const gap = { kind: "gap", from: 1002, to: 1003 } as const;

  test("gets gaps and missed events that it may see after the snapshot, and live ones only after them", () => {
    const history = () => [gap, event(1004), event(1005, OF_B), event(1006, { ...OF_B, entityIds: ["A", "B"] })];
    const { frames, ended, seen } = begun({ history, resume: { epoch: EPOCH, sequence: 1001 } });
    frames.next();
    expect(JSON.parse(String(frames.next().value))).toEqual(END);
    expect(ended).toEqual([]);
    expect(JSON.parse(String(frames.next().value))).toEqual([gap, { sequence: 1004 }, { sequence: 1006 }]);
    expect(ended).toEqual([]);
    expect([frames.next().done, ended]).toEqual([true, ["end"]]);
    expect(seen).toEqual([user, [1001, 1010]]);
  });

  test("gets many missed events in full frames", () => {
    const history = () => [event(1001, EVERYONE, FULL_FRAME), event(1002), event(1003)];
    const frames = begun({ history, resume: { epoch: EPOCH, sequence: EPOCH } }).rest();
    expect(frames.slice(2).map((text) => JSON.parse(text).length)).toEqual([1, 2]);
  });

  test.each([
    ["before the epoch's first event, with that event", { epoch: EPOCH, sequence: 3 }, [user, [EPOCH, 1010]]],
    ["in another epoch, with nothing", { epoch: EPOCH - 1, sequence: 1001 }, [user]],
    ["in a later epoch, with nothing", { epoch: EPOCH + 1, sequence: 1001 }, [user]],
  ])("%s", (_, resume, expected) => {
    const { rest, seen } = begun({ resume, history: () => [] });
    expect(rest()).toHaveLength(2);
    expect(seen).toEqual(expected);
  });
});
