"""A market of mkt as an environment for reinforcement learning, with the reset and step of gymnasium. Python 3.9 or later,
no packages. It starts `mkt simulate` itself and takes part in it over a socket; market time stands still between steps.

    env = MktEnv(arguments=["--preset", "calm", "--hours", "2"], products=["NORTH-DA-BASE"])
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step([])

An observation is the `observe` message, an action a list of the `actions` of `act` (docs/outside-agents.md). The reward is the
change of profit and loss, in dollars. Run this file to see a market maker trade:

    python3 mkt_env.py [COMMAND]        COMMAND: how to start mkt; "mkt" if absent

If gymnasium is installed, MktEnv is a gymnasium.Env: observations and actions are arrays (see `_observation` and `_actions`), and
`info["message"]` has the message. A list of `actions` is an action then, too.
"""

import json
import re
import shlex
import socket
import subprocess
import sys
import threading

try:
    import gymnasium
    import numpy
except ImportError:
    gymnasium = None

GREATEST = 1e7  # no price, quantity or profit is beyond it
MOST_DISTANCE = 0.2  # of a quote from the forecast, as a share of it
MOST_MW = 50.0


class MktEnv(object if gymnasium is None else gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self, command=("mkt",), arguments=("--hours", "2"), name="python", products=None, depth=5, wake_ms=60_000, port=None,
        contracts=2, render_mode=None,
    ):
        """`port`: of a run that has been started, as by `mkt simulate --agent "python3 mine.py {port}"`; None: reset starts one.
        `contracts`: how many, nearest delivery first, the arrays of gymnasium have."""
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
        self.message = None
        self.contracts = contracts
        self.render_mode = render_mode
        if gymnasium is not None:
            self.observation_space = self._observation_space()
            self.action_space = self._action_space()

    def _observation_space(self):
        box = gymnasium.spaces.Box
        return gymnasium.spaces.Dict({
            # best bid, best ask and forecast, cents/MWh, and MW of the best bid and ask; 0 if there is none
            "books": box(-GREATEST, GREATEST, (self.contracts, 5), numpy.float64),
            "open": gymnasium.spaces.MultiBinary(self.contracts),
            "positions": box(-GREATEST, GREATEST, (self.contracts,), numpy.float64),  # MW
            "profit_and_loss": box(-GREATEST, GREATEST, (1,), numpy.float64),  # dollars
        })

    def _action_space(self):
        # For each contract the distances of a bid and an ask from the forecast, as shares of it, and their MW. They replace
        # all open orders; below 0.5 MW there is none.
        low = numpy.zeros((self.contracts, 4))
        high = numpy.tile([MOST_DISTANCE, MOST_DISTANCE, MOST_MW, MOST_MW], (self.contracts, 1))
        return gymnasium.spaces.Box(low, high, dtype=numpy.float64)

    def reset(self, *, seed=None, options=None):
        """Begins a new run. `seed`: 1 if None. `options`: {"arguments": [...]} adds to those of the constructor."""
        if gymnasium is not None:
            super().reset(seed=seed)
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
        self.message = observation
        return self._observation(observation), {"welcome": welcome, "message": observation}

    def step(self, action):
        """Carries out the actions, then lets market time pass until the agent is due again, or the run ends."""
        actions = action if isinstance(action, list) else self._actions(action)
        self._send({"type": "act", "actions": actions})
        answer = self._receive("answer")
        self._send({"type": "next", "inMs": self.wake_ms})
        message = self._receive("observe", "end")
        terminated = message["type"] == "end"
        profit_and_loss = message["report"]["profitAndLoss"] if terminated else message["profitAndLoss"]
        reward = profit_and_loss - self.profit_and_loss
        self.profit_and_loss = profit_and_loss
        if terminated:
            self.close()
        else:
            self.message = message
        info = {"results": answer["results"], "message": message}
        return self._observation(self.message if gymnasium else message), reward, terminated, False, info

    def _observation(self, message):
        """The arrays of gymnasium; without it the message itself."""
        if gymnasium is None:
            return message
        books = numpy.zeros((self.contracts, 5))
        is_open = numpy.zeros(self.contracts, numpy.int8)
        positions = numpy.zeros(self.contracts)
        held = {position["contractId"]: position["position"] for position in message["positions"]}
        for at, book in enumerate(message["books"][: self.contracts]):
            bid, ask = (book[side][0] if book[side] else None for side in ("bids", "asks"))
            books[at] = [
                bid["price"] if bid else 0, ask["price"] if ask else 0, book["forecast"],
                bid["quantity"] if bid else 0, ask["quantity"] if ask else 0,
            ]
            is_open[at] = book["isOpen"]
            positions[at] = held.get(book["contractId"], 0)
        profit_and_loss = numpy.array([self.profit_and_loss], numpy.float64)
        return {"books": books, "open": is_open, "positions": positions, "profit_and_loss": profit_and_loss}

    def _actions(self, array):
        """The actions that replace all open orders by what the array says."""
        actions = [{"kind": "cancel", "orderId": order["orderId"]} for order in self.message["orders"]]
        for book, (bid, ask, buy, sell) in zip(self.message["books"], array.tolist()):
            if not book["isOpen"]:
                continue
            for side, quantity, distance in (("BUY", buy, -bid), ("SELL", sell, ask)):
                price = round(book["forecast"] + distance * abs(book["forecast"]))
                terms = {"contractId": book["contractId"], "side": side, "price": price, "quantity": round(quantity)}
                if terms["quantity"] > 0:
                    actions.append({"kind": "submit", **terms})
        return actions

    def render(self):
        """The best prices of each contract, as text."""
        rows = [self.message["time"]]
        for book in self.message["books"]:
            bid, ask = (book[side][0]["price"] / 100 if book[side] else float("nan") for side in ("bids", "asks"))
            rows.append(f"{book['contractId']:24} {bid:9.2f} {ask:9.2f}")
        return "\n".join(rows)

    def close(self):
        """Ends the run, also in the middle. `render` still shows the last observation."""
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
        observation, reward, terminated, truncated, info = env.step(quotes(info["message"]))
        total += reward
        steps += 1
    report = info["message"]["report"]
    print(f"{steps} steps, {report['trades']} trades, {total:.2f} dollars")
