"""A bot that imports nothing of arena: sells and buys cards at one dividend each, closes as soon as it can.

arena match cmd:"/usr/bin/python3 modest.py" greedy fair hard
"""

import json
import sys
from typing import Any


def send(message: dict[str, Any]) -> None:
    print(json.dumps(message), flush=True)


def mine(view: Any) -> set[str]:
    """The families that this seat can bring into a deal."""
    placards = {each["family"] for each in view["placards"] if each["owner"] == view["seat"]}
    return placards | {card.removeprefix("clan ") for card in view["hand"] if card.startswith("clan ")}


def answer(hook: str, view: Any, legal: list[Any]) -> Any:
    match hook:
        case "turn":
            fills = set(view["space"].get("required", ())) <= mine(view)
            return {"move": "open"} if fills and not view["failed_here"] else legal[0]
        case "offer":
            offers = [offer for move in legal for offer in move.get("offers", ())]
            fair = [each for each in offers if each["price"] == view["dividend"] and len(each) > 2]
            return {"move": "offers", "offers": fair[:12]}
        case "accept":
            can = {"move": "yes"} in legal  # not if the card is no longer there
            return can and (view["offer"]["price"] >= view["dividend"] or view["boss"] == view["seat"])
        case "close":
            return next((move for move in legal if move["move"] == "close"), None)


hooks = ["turn", "offer", "accept", "close"]
send({"type": "hello", "protocol": 2, "games": ["board"], "hooks": hooks, "legal": True})
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        send({"type": "reply", "id": 0})
    elif message["type"] == "ask":
        move = answer(message["hook"], message["view"], message["legal"])
        send({"type": "reply", "id": message["id"], "move": move})
