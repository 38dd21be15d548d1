#!/bin/sh
# A bot in plain shell, without any other program: it takes the first legal move on its turn, and sells to
# whoever pays. It finds what it needs in the line by cutting it up.
#
#     arena match cmd:"sh modest.sh" greedy fair hard

echo '{"type":"hello","protocol":2,"games":["board"],"hooks":["turn","accept"],"legal":true}'

while read -r line; do
    case $line in
        '{"type":"start"'*) echo '{"type":"reply","id":0}' ;;
        '{"type":"ask"'*)
            id=${line#*'"id":'}
            id=${id%%,*}
            legal=${line##*'"legal":['}  # what follows: the first legal move, then the others
            case $line in
                *'"hook":"accept"'*'{"move":"yes"}'*) move='{"move":"yes"}' ;;
                *) move="${legal%%\}*}}" ;;
            esac
            echo "{\"type\":\"reply\",\"id\":$id,\"move\":$move}"
            ;;
        '{"type":"bye"'*) exit 0 ;;
    esac
done
