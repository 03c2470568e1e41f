"""A market of mkt as an environment for reinforcement learning, with the reset and step of gymnasium. Python 3.9 or later,
no packages. It starts `mkt simulate` itself and takes part in it over a socket; market time stands still between steps.

    env = MktEnv(arguments=["--preset", "calm", "--hours", "2"], products=["NORTH-DA-BASE"])
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step([])

An observation is the `observe` message, an action a list of the `actions` of `act` (docs/outside-agents.md). The reward is the
change of profit and loss, in dollars. Run this file to see a market maker trade:

    python3 mkt_env.py [COMMAND]        COMMAND: how to start mkt; "mkt" if absent
"""

import json
import re
import shlex
import socket
import subprocess
import sys
import threading


class MktEnv:
    def __init__(
        self, command=("mkt",), arguments=("--hours", "2"), name="python", products=None, depth=5, wake_ms=60_000, port=None
    ):
        """`port`: of a run that has been started, as by `mkt simulate --agent "python3 mine.py {port}"`; None: reset starts one."""
        self.port = port
        self.command = list(command)
        self.arguments = list(arguments)
        self.wake_ms = wake_ms
        self.hello = {"type": "hello", "protocol": 1, "name": name, "depth": depth, "wakeMs": wake_ms}
        if products is not None:
            self.hello["products"] = list(products)
        self.process = None
        self.lines = None
        self.errors = []

    def reset(self, seed=None, options=None):
        """Begins a new run. `seed`: 1 if None. `options`: {"arguments": [...]} adds to those of the constructor."""
        self.close()
        arguments = self.arguments + list((options or {}).get("arguments", []))
        if seed is not None:
            arguments += ["--seed", str(seed)]
        if self.port is None:
            command = [*self.command, "simulate", "--agent", "0", *arguments]
            self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.socket = socket.create_connection(("127.0.0.1", self._port() if self.port is None else int(self.port)))
        self.lines = self.socket.makefile("rw", encoding="utf-8", newline="\n")
        self._send(self.hello)
        welcome = self._receive("welcome")
        observation = self._receive("observe")
        self.profit_and_loss = observation["profitAndLoss"]
        return observation, {"welcome": welcome}

    def step(self, action):
        """Carries out the actions, then lets market time pass until the agent is due again, or the run ends."""
        self._send({"type": "act", "actions": action})
        answer = self._receive("answer")
        self._send({"type": "next", "inMs": self.wake_ms})
        message = self._receive("observe", "end")
        terminated = message["type"] == "end"
        profit_and_loss = message["report"]["profitAndLoss"] if terminated else message["profitAndLoss"]
        reward = profit_and_loss - self.profit_and_loss
        self.profit_and_loss = profit_and_loss
        if terminated:
            self.close()
        return message, reward, terminated, False, {"results": answer["results"]}

    def close(self):
        """Ends the run, also in the middle."""
        if self.lines is not None:
            self.lines.close()
            self.socket.close()
            self.lines = None
        if self.process is not None:
            self.process.wait()
            self.process = None

    def _port(self):
        """From the line that says where mkt listens. All other lines of stderr are kept for the message of an error."""
        self.errors = []
        for line in self.process.stderr:
            found = re.search(r"agents connect to 127\.0\.0\.1:(\d+)", line)
            if found:
                threading.Thread(target=self._drain, args=(self.process.stderr,), daemon=True).start()
                return int(found.group(1))
            self.errors.append(line)
        raise RuntimeError("mkt did not start: " + "".join(self.errors).strip())

    def _drain(self, stderr):
        with stderr:
            for line in stderr:
                self.errors.append(line)

    def _send(self, message):
        self.lines.write(json.dumps(message) + "\n")
        self.lines.flush()

    def _receive(self, *types):
        line = self.lines.readline()
        if not line:
            raise RuntimeError("mkt ended the connection: " + "".join(self.errors).strip())
        message = json.loads(line)
        if message["type"] not in types:
            raise RuntimeError(f"unexpected message: {message}")
        return message


def quotes(observation, half_spread=0.01, quantity=5):
    """The actions that replace all open orders by a bid and an ask around the forecast, in the first open contract."""
    actions = [{"kind": "cancel", "orderId": order["orderId"]} for order in observation["orders"]]
    book = next((book for book in observation["books"] if book["isOpen"]), None)
    if book is None:
        return actions
    held = {position["contractId"]: position["position"] for position in observation["positions"]}
    distance = max(1, abs(book["forecast"]) * half_spread)
    middle = book["forecast"] - distance * held.get(book["contractId"], 0) / (4 * quantity)
    for side, price in (("BUY", middle - distance), ("SELL", middle + distance)):
        terms = {"contractId": book["contractId"], "side": side, "price": round(price), "quantity": quantity}
        actions.append({"kind": "submit", **terms})
    return actions


if __name__ == "__main__":
    env = MktEnv(
        command=shlex.split(sys.argv[1]) if len(sys.argv) > 1 else ["mkt"],
        arguments=["--preset", "calm", "--hours", "1"],
        products=["NORTH-DA-BASE"],
    )
    observation, info = env.reset(seed=7)
    total, steps, terminated = 0, 0, False
    while not terminated:
        observation, reward, terminated, truncated, info = env.step(quotes(observation))
        total += reward
        steps += 1
    report = observation["report"]
    print(f"{steps} steps, {report['trades']} trades, {total:.2f} dollars")
