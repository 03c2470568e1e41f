"""A training loop on the arena, by OpenEnv over HTTP. Python 3.9 or later, no packages.

    mkt arena serve --openenv --scenarios evening-peak &
    python3 arena_training.py http://127.0.0.1:8000 200

What it learns is which of three ways to trade earns the most reward: a bandit by UCB1 (Auer, Cesa-Bianchi and Fischer, 2002).
A way is a policy here; it could be a prompt of a model, or its weights. It prints the mean reward of each quarter.
"""

import json
import math
import sys
import urllib.request

SEEDS = 20
CLIP = 1.0  # rewards beyond it count as much: one bad episode must not decide


class Env:
    """An episode at a time, as OpenEnv's reset and step."""

    def __init__(self, url):
        self.url = url

    def reset(self, seed):
        body = {"seed": seed, "episode_id": "training"}
        self.total, self.done = 0.0, False
        return self._post("/reset", body)["observation"]

    def call(self, tool, **arguments):
        action = {"type": "call_tool", "tool_name": tool, "arguments": arguments}
        answer = self._post("/step", {"action": action, "episode_id": "training"})
        self.total += answer["reward"] or 0.0
        self.done = answer["done"]
        observation = answer["observation"]
        if observation["error"]:
            raise RuntimeError(observation["error"]["message"])
        return observation["result"]["data"]

    def _post(self, path, body):
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as response:
            return json.load(response)


def trade(env, slices):
    """Does the duty in so many equal parts over the time; 0: not at all."""
    brief = env.call("mkt_arena_brief")
    env.call("mkt_connect_pubsub")
    duty, minutes = brief["terms"]["duty"], brief["minutesLeft"]
    for part in range(slices):
        for contract in brief["contracts"]:
            book = env.call("mkt_get_order_book", contractId=contract["contractId"])
            quantity = duty * (part + 1) // slices - duty * part // slices
            if book["asks"] and quantity > 0:
                terms = {"contractId": contract["contractId"], "side": "BUY", "quantity": quantity}
                env.call("mkt_create_test_order", price=round(book["asks"][0]["price"] * 1.2), **terms)
        if not env.done:
            env.call("mkt_arena_wait", minutes=0.5 * minutes / slices)
    if not env.done:
        env.call("mkt_arena_submit")


WAYS = {"not at all": 0, "all at once": 1, "in six parts": 6}


def main(url="http://127.0.0.1:8000", episodes="200"):
    episodes = int(episodes)
    env = Env(url)
    counts = {way: 0 for way in WAYS}
    sums = {way: 0.0 for way in WAYS}
    rewards = []

    def promise(way):
        if counts[way] == 0:
            return math.inf
        return sums[way] / counts[way] + CLIP * math.sqrt(2 * math.log(len(rewards)) / counts[way])

    for episode in range(episodes):
        way = max(WAYS, key=promise)
        env.reset(seed=1 + episode % SEEDS)
        trade(env, WAYS[way])
        reward = max(-CLIP, min(CLIP, env.total))
        counts[way] += 1
        sums[way] += reward
        rewards.append(reward)
        if (episode + 1) % (episodes // 4) == 0:
            last = rewards[-(episodes // 4):]
            print(f"episode {episode + 1}: mean reward {sum(last) / len(last):.3f}", flush=True)
    print("best:", max(WAYS, key=lambda way: counts[way]))


if __name__ == "__main__":
    main(*sys.argv[1:])
