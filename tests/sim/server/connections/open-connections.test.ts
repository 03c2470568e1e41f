import { expect, test } from "bun:test";
import { OpenConnections } from "../../../../sim/server/connections/open-connections.ts";

function roomFor(most: number) {
  const room = new OpenConnections<{ isAuthenticated: boolean }>(most);
  const cutOff: number[] = [];
  let count = 0;
  const enter = (isAuthenticated: boolean) => {
    const number = count++;
    const connection = { isAuthenticated };
    room.add(connection, () => void cutOff.push(number));
    return connection;
  };
  return { room, cutOff, enter };
}

test("there is room up to the limit, and whoever goes makes some", () => {
  const { room, cutOff, enter } = roomFor(2);
  const first = enter(true);
  expect(room.admitsAnother()).toBe(true);
  enter(true);
  expect(room.admitsAnother()).toBe(false);
  room.delete(first);
  expect(room.admitsAnother()).toBe(true);
  expect(cutOff).toEqual([]);
});

test("at the limit whoever has waited longest without a hello gives way, and whoever has said hello does not", () => {
  const { room, cutOff, enter } = roomFor(3);
  const members = [enter(true), enter(false), enter(false)];
  expect(room.admitsAnother()).toBe(true);
  expect(cutOff).toEqual([1]);
  expect(room.all).toEqual([members[0], members[2]].filter((member) => member !== undefined));
  enter(true);
  expect(room.admitsAnother()).toBe(true);
  expect(cutOff).toEqual([1, 2]);
  enter(true);
  expect(room.admitsAnother()).toBe(false);
});
