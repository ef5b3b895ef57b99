#!/usr/bin/env bash
# The demo as a newcomer starts it, on the embedded engine with the small model; asserts structure, never wording.
# A 0.5B model is not deterministic and now and then writes no usable document: such a typed failure is tried again,
# at most twice; anything else fails at once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
log=$(mktemp)
unset ICM_MODEL_PATH
for attempt in 1 2 3; do
  if timeout 600 npm run demo -- --model qwen2.5-coder:0.5b --provider llama --yes < /dev/null > "$log" 2>&1; then break; fi
  tail -40 "$log"
  grep -qE '\(pipeline/(no-output|stage-not-ready)\)' "$log" && [ "$attempt" -lt 3 ] || exit 1
  echo "attempt $attempt ended in a typed failure; once more"
done
tail -30 "$log"
draft=$(sed -n 's/^the draft, after .*: //p' "$log")
workspace=${draft%/pipeline/*}
for output in 01-scope/output/objectives.md 02-research/output/notes.md 03-outline/output/outline.md 04-draft/output/draft.md; do
  test -s "$workspace/pipeline/$output" || { echo "missing: $output"; exit 1; }
done
test -s "$workspace"/.icm/runs/*/journal.jsonl
grep -q '"type":"tool-end"' "$workspace"/.icm/runs/*/journal.jsonl || { echo "research called no tool"; exit 1; }
rm -f "$log"
