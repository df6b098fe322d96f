# shellcheck shell=bash disable=SC2154 # scripts/test sets logs, long and serial
# Runs the stages of scripts/test: each as soon as the stages that it needs have passed, beside others. Sourced by scripts/test, which sets `logs` and `long`.

stage_names=()
declare -A stage_needs stage_nice stage_command stage_state stage_job stage_began stage_took stage_looks
stages_began=$SECONDS

# add NAME NICENESS NEEDS COMMAND...: a stage. NEEDS are names of earlier stages, separated by commas, or "-". Work that others do not wait for soon has a
# niceness, or is "idle": it uses the time in which those wait, and they do not notice it. A build must be idle for that: where root runs it, SwiftPM gives its compilers
# niceness 0 whatever its own is, and they keep the policy of the scheduler. When a stage has passed, the function after_NAME is called in this shell, if there is one.
add() {
    local name=$1
    stage_names+=("$name")
    stage_nice[$name]=$2
    stage_needs[$name]=$3
    shift 3
    stage_command[$name]=$(printf '%q ' "$@")
    stage_state[$name]=waiting
}

minutes() { awk -v seconds="$1" 'BEGIN { printf "%.1f", seconds / 60 }'; }

print_table() {
    local name
    printf '\n%-22s %8s %8s  %s\n' stage from minutes result
    for name in "${stage_names[@]}"; do
        [ "${stage_state[$name]}" != waiting ] || continue
        printf '%-22s %8s %8s  %s\n' "$name" "$(minutes "${stage_began[$name]}")" "$(minutes "${stage_took[$name]:-$((SECONDS - stages_began - stage_began[$name]))}")" "${stage_state[$name]}"
    done
    printf '%-22s %8s %8s\n' total '' "$(minutes $((SECONDS - stages_began)))"
}

# print_failure LOG: its end, and after it the lines of failures, which may stand far above: whoever sees only the end of what is printed sees them. Lines are cut: a test
# with an argument of 2,000 characters would fill the space of all others.
print_failure() {
    tail -n 60 "$1" | awk '{ print substr($0, 1, 300) }'
    if grep -q -E '✘|error:|WRONG|wrong:' "$1"; then
        echo "What failed in it:"
        grep -E '✘|error:|WRONG|wrong:' "$1" | awk '!seen[$0]++ { print "  " substr($0, 1, 500) }' | tail -n 40
    fi
}

# Ends a stage with all its processes.
end_job() {
    kill -TERM -- "-$1" 2>/dev/null || true
    for _ in 1 2 3 4 5; do
        kill -0 -- "-$1" 2>/dev/null || return 0
        sleep 1
    done
    kill -KILL -- "-$1" 2>/dev/null || true
}

end_all_jobs() {
    local name
    for name in "${stage_names[@]}"; do
        [ "${stage_state[$name]}" = running ] || continue
        stage_state[$name]=ended
        end_job "${stage_job[$name]}"
    done
}
trap 'end_all_jobs' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The timeout of a stage, in minutes: several times what a slow machine needs, so that only a hanging stage is ended.
limit_of() {
    local minutes
    case "$1" in
        lint | format | shellcheck) minutes=20 ;;
        demo-content*) minutes=40 ;;
        sanitized-* | optimised-*) minutes=120 ;;
        build* | image-build*) minutes=90 ;;
        fresh-machine) minutes=300 ;;
        *) minutes=60 ;;
    esac
    if [ "$long" = yes ]; then minutes=$((minutes * 8)); fi
    echo "$minutes"
}

# The names of tests that started and did not end, from a log of unit tests, with their last arguments if they have any.
unfinished_tests() {
    awk '
        /^[^ ]+ Test case passing .* started\.$/ { name = $0; sub(/^[^ ]+ /, "", name); sub(/ started\.$/, "", name); last = name; next }
        /^[^ ]+ Test run / { next }
        /^[^ ]+ Test .* started\.$/ { name = $0; sub(/^[^ ]+ Test /, "", name); sub(/ started\.$/, "", name); open[name] = 1; next }
        /^[^ ]+ Test .*( passed after | failed after | skipped)/ {
            name = $0
            sub(/^[^ ]+ Test /, "", name)
            sub(/( with [0-9]+ test cases?)?( passed after | failed after | skipped).*$/, "", name)
            delete open[name]
        }
        END { for (name in open) print "    " name (index(last, " to " name) ? ": " last : "") }' "$1" | sort
}

# The stage runs with its output in a file. `set -e` does not apply inside its command.
start_stage() {
    local name=$1
    echo "scripts/test: $name ..."
    stage_state[$name]=running
    stage_began[$name]=$((SECONDS - stages_began))
    stage_looks[$name]=0
    : >"$logs/$name.log"
    # Job control gives the stage a process group, by which all of it can be ended.
    set -m
    {
        case "${stage_nice[$name]}" in
            0) ;;
            idle) chrt --idle --pid 0 "$BASHPID" ;;
            *) renice -n "${stage_nice[$name]}" -p "$BASHPID" >/dev/null ;;
        esac
        eval "${stage_command[$name]}" || exit $?
    } >"$logs/$name.log" 2>&1 </dev/null &
    stage_job[$name]=$!
    set +m
}

# A stage that failed ends the script, and with it all others.
fail_stage() {
    local name=$1 code=$2
    stage_state[$name]=FAILED
    end_all_jobs
    print_failure "$logs/$name.log"
    print_table
    echo "scripts/test: the stage $name failed with exit code $code; the end of its output is above, all of it is in $logs/$name.log." >&2
    exit 1
}

# look_at NAME: notices that a running stage has ended, or exceeds its limit. The limit counts looks one second apart, so stalls of the machine and changes of the system
# clock do not shorten it.
look_at() {
    local name=$1 code=0 minutes after
    if kill -0 "${stage_job[$name]}" 2>/dev/null; then
        stage_looks[$name]=$((stage_looks[$name] + 1))
        minutes=$(limit_of "$name")
        [ "${stage_looks[$name]}" -ge $((minutes * 60)) ] || return 0
        end_job "${stage_job[$name]}"
        {
            echo
            echo "error: the stage $name exceeded its limit of $minutes minutes and was ended."
            if [ -n "$(unfinished_tests "$logs/$name.log")" ]; then
                echo "error: these tests were still running:"
                unfinished_tests "$logs/$name.log"
            fi
        } >>"$logs/$name.log"
        code=124
    else
        wait "${stage_job[$name]}" 2>/dev/null || code=$?
    fi
    stage_took[$name]=$((SECONDS - stages_began - stage_began[$name]))
    [ "$code" -eq 0 ] || fail_stage "$name" "$code"
    stage_state[$name]=ok
    after="after_${name//-/_}"
    if declare -F "$after" >/dev/null; then "$after"; fi
}

# Whether all that a stage needs has passed.
is_ready() {
    local need
    [ "${stage_needs[$1]}" != - ] || return 0
    for need in ${stage_needs[$1]//,/ }; do
        [ "${stage_state[$need]:-unknown}" = ok ] || return 1
    done
}

# Runs all stages that wait. With `serial` set to yes, one at a time.
run_stages() {
    local name running minute=0 last
    while true; do
        running=0
        for name in "${stage_names[@]}"; do
            if [ "${stage_state[$name]}" = running ]; then running=$((running + 1)); fi
        done
        for name in "${stage_names[@]}"; do
            if [ "$serial" = yes ] && [ "$running" -gt 0 ]; then break; fi
            if [ "${stage_state[$name]}" = waiting ] && is_ready "$name"; then
                start_stage "$name"
                running=$((running + 1))
            fi
        done
        [ "$running" -gt 0 ] || break
        sleep 1
        for name in "${stage_names[@]}"; do
            if [ "${stage_state[$name]}" = running ]; then look_at "$name"; fi
        done
        # Once a minute the last line of each running stage shows that it works.
        [ $(((SECONDS - stages_began) / 60)) -gt "$minute" ] || continue
        minute=$(((SECONDS - stages_began) / 60))
        for name in "${stage_names[@]}"; do
            [ "${stage_state[$name]}" = running ] || continue
            last=$(tail -n 1 "$logs/$name.log" | tr '\r' '\n' | tail -n 1 | cut -c 1-100)
            printf '    %s: %d min: %s\n' "$name" $(((SECONDS - stages_began - stage_began[$name]) / 60)) "$last"
        done
    done
    for name in "${stage_names[@]}"; do
        if [ "${stage_state[$name]}" = waiting ]; then
            echo "scripts/test: the stage $name needs ${stage_needs[$name]}, and one of these is no stage." >&2
            exit 1
        fi
    done
}
