"""An agent of the arena by plain HTTP. It buys or sells what its mandate asks for in equal parts, spread over the time that
there is. Python 3.9 or later, no packages.

    mkt arena run evening-peak --seeds 1..3 --agent "python3 arena_agent.py" --out mine
    mkt arena report mine
"""

import itertools
import json
import math
import os
import sys
import urllib.request

PAUSE = 15  # minutes of market time between two parts

ids = itertools.count(1)


def request(method, params):
    """One JSON-RPC request to the MCP server of the episode. It needs no session, so it can begin with any request."""
    id = next(ids)
    message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
    headers = {
        "Authorization": "Bearer " + os.environ["MKT_ARENA_TOKEN"],
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    sent = urllib.request.Request(os.environ["MKT_ARENA_MCP_URL"], json.dumps(message).encode(), headers)
    with urllib.request.urlopen(sent) as response:
        text = response.read().decode()
        is_stream = response.headers.get_content_type() == "text/event-stream"
    # The answer is the whole body, or one of the events of a stream.
    messages = [line[len("data:"):] for line in text.split("\n") if line.startswith("data:")] if is_stream else [text]
    answer = next(answer for answer in map(json.loads, messages) if answer.get("id") == id)
    if "result" not in answer:
        raise RuntimeError(f"{method}: {answer['error']}")
    return answer["result"]


def call(name, **arguments):
    """Calls a tool, and returns the value that it answers. If it refuses, that says why."""
    result = request("tools/call", {"name": name, "arguments": arguments})
    text = result["content"][0]["text"]
    if result.get("isError"):
        print(f"{name}: {text}", file=sys.stderr)
    return json.loads(text)


def price_of(levels, megawatts):
    """The price at which so many MW are offered: that of the last level which is needed. None if nothing is offered."""
    for level in levels:
        megawatts -= level["volume"]
        if megawatts <= 0:
            return level["price"]
    return levels[-1]["price"] if levels else None


def trade(contract_id, megawatts):
    """Buys so many MW at once, or sells them if the number is negative. Returns how many there were, with the same sign."""
    quantity = abs(megawatts)
    book = call("mkt_get_order_book", contractId=contract_id)
    price = price_of(book["asks"] if megawatts > 0 else book["bids"], quantity)
    if price is None:
        return 0
    side = "BUY" if megawatts > 0 else "SELL"
    order = call("mkt_create_test_order", contractId=contract_id, side=side, price=price, quantity=quantity)
    if order["orderId"] is None:
        return 0
    filled = order["orderDetails"]["filledQuantity"]
    if filled < quantity:
        call("mkt_cancel_order", orderId=order["orderId"])
    return math.copysign(filled, megawatts)


def play():
    mandate = call("mkt_arena_brief")
    print(mandate["brief"])
    call("mkt_connect_pubsub")
    terms = mandate["terms"] or {"position": 0, "duty": None}
    duty = terms["position"] if terms["duty"] is None else terms["duty"]
    # MW that are still to be bought in each contract; negative: sold.
    missing = {contract["contractId"]: duty - terms["position"] for contract in mandate["contracts"]}
    left = mandate["minutesLeft"]
    while left > 0:
        parts = max(1, int(left / PAUSE))
        for contract_id, megawatts in missing.items():
            part = math.copysign(math.ceil(abs(megawatts) / parts), megawatts)
            if part != 0:
                missing[contract_id] -= trade(contract_id, part)
        if not any(missing.values()):
            break
        # What was not offered is tried again a minute later.
        waited = call("mkt_arena_wait", minutes=1 if parts == 1 else PAUSE)
        left = 0 if waited["ended"] == "over" else left - waited["waitedSeconds"] / 60
    if left > 0:
        call("mkt_arena_submit")
    print(f"result {call('mkt_arena_brief')['result']} dollars")


if __name__ == "__main__":
    play()
