# A bot in jq: sells and buys cards at one dividend each, and closes as soon as it can.
#
#     arena match cmd:"jq -nc --unbuffered -f modest.jq" greedy fair hard
#
# jq reads one message after another (`inputs`) and prints what the program makes of each.

# The families that this seat can bring into a deal.
def mine($view):
  [$view.placards[] | select(.owner == $view.seat) | .family]
  + [$view.hand[] | select(startswith("clan ")) | ltrimstr("clan ")];

def fills($view): $view.space.required - mine($view) == [];

# Every card that can be offered, for one dividend.
def fair_offers($view; $legal):
  [$legal[].offers[]? | select(.price == $view.dividend and (.placards or .clans))][:12];

def answer($hook; $view; $legal):
  if   $hook == "turn"   then if fills($view) and ($view.failed_here | not) then {move: "open"}
                              else $legal[0] end  # roll, or draw after rolling
  elif $hook == "offer"  then {move: "offers", offers: fair_offers($view; $legal)}
  elif $hook == "accept" then any($legal[]; .move == "yes")  # not if the card is no longer there
                              and ($view.offer.price >= $view.dividend or $view.boss == $view.seat)
  elif $hook == "close"  then [$legal[] | select(.move == "close")][0] // null
  else null end;

{type: "hello", protocol: 2, name: "modest", games: ["board"],
  hooks: ["turn", "offer", "accept", "close"], legal: true},
(inputs
  | if   .type == "start" then {type: "reply", id: 0}
    elif .type == "ask"   then {type: "reply", id, move: answer(.hook; .view; .legal)}
    else empty end)
