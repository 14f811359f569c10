# Shared by run and nightly: steps that are timed and go on after a failure, and one sum of all counts at the end.
# shellcheck shell=bash

exec </dev/null
export CI=true NO_COLOR=1 npm_config_fund=false npm_config_audit=false npm_config_update_notifier=false

reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
passed=0
failed=0
problems=()

# gate NAME COMMAND…: a step without counts of its own; a failure counts as one.
gate() {
  local name=$1 since=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  if "$@"; then
    printf '== %s: fine, %d s\n' "$name" $((SECONDS - since))
  else
    problem "$name" 1
    return 1
  fi
}

# counted NAME READER REPORT COMMAND…: a step that writes a report; READER turns it into "passed failed". A step that
# fails without a failure in its report (a crash, no report) counts as one.
counted() {
  local name=$1 reader=$2 report=$3 since=$SECONDS code=0 good=0 bad=0
  shift 3
  printf '\n== %s\n' "$name"
  "$@" || code=$?
  read -r good bad < <("$reader" "$report") || true
  good=${good:-0} bad=${bad:-0}
  if ((bad == 0 && (code != 0 || good == 0))); then bad=1; fi
  passed=$((passed + good))
  if ((bad > 0)); then problem "$name" "$bad"; fi
  printf '== %s: %d passed, %d failed, %d s\n' "$name" "$good" "$bad" $((SECONDS - since))
}

problem() {
  failed=$((failed + $2))
  problems+=("$1")
  printf '== %s: FAILED\n' "$1"
}

# The pages are walked in a browser that the machine has.
chromium_for_dashboard() {
  command -v chromium >/dev/null || gate 'Chromium, for the dashboard' \
    timeout 5m bash -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium'
}

# Everything that was skipped here counts as failed: there is nothing that this machine may leave out.
read_vitest() {
  node -e '
    const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    const left = r.numPendingTests + r.numTodoTests;
    if (left > 0) console.error(`${left} tests were skipped`);
    for (const suite of r.testResults)
      for (const test of suite.assertionResults)
        if (test.status !== "passed" && test.status !== "failed") console.error(`  ${test.status}: ${suite.name}: ${test.fullName}`);
    console.log(r.numPassedTests, r.numFailedTests + left);
  ' "$1"
}

read_judge() {
  node -e '
    const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    console.log(r.totals.pass, r.totals.fail + r.totals.notRunnable + r.notRun);
  ' "$1"
}

finish() {
  if ((${#problems[@]} > 0)); then
    printf '\nNot fine:\n'
    printf '  %s\n' "${problems[@]}"
  fi
  printf '\n%d s\n%d passed, %d failed\n' "$SECONDS" "$passed" "$failed"
  ((failed == 0 && passed > 0))
}
