import { expect, test } from "bun:test";
import { OpenConnections } from "../../../../engine/server/connections/open-connections.ts";

function connectionsUpTo(limit: number) {
  const connections = new OpenConnections<{ isAuthenticated: boolean }>(limit);
  const cutOff: number[] = [];
  let count = 0;
  const open = (isAuthenticated: boolean) => {
    const number = count++;
    const connection = { isAuthenticated };
    connections.add(connection, () => void cutOff.push(number));
    return connection;
  };
  return { connections, cutOff, open };
}

test("connections are admitted up to the limit, and again after one has closed", () => {
  const { connections, cutOff, open } = connectionsUpTo(2);
  const first = open(true);
  expect(connections.admitsAnother()).toBe(true);
  open(true);
  expect(connections.admitsAnother()).toBe(false);
  connections.delete(first);
  expect(connections.admitsAnother()).toBe(true);
  expect(cutOff).toEqual([]);
});

test("at the limit a new connection replaces the oldest without a hello, and never an authenticated one", () => {
  const { connections, cutOff, open } = connectionsUpTo(3);
  const [member, , younger] = [open(true), open(false), open(false)];
  expect(connections.admitsAnother()).toBe(true);
  expect(cutOff).toEqual([1]);
  expect(connections.all).toEqual([member, younger]);
  open(true);
  expect(connections.admitsAnother()).toBe(true);
  expect(cutOff).toEqual([1, 2]);
  open(true);
  expect(connections.admitsAnother()).toBe(false);
});
