#!/usr/bin/env bash
# The demo as a newcomer starts it, on the embedded engine with the small model; asserts structure, never wording.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
log=$(mktemp)
unset ICM_MODEL_PATH
timeout 900 npm run demo -- --model qwen2.5-coder:0.5b --provider llama --yes < /dev/null > "$log" 2>&1 || { tail -60 "$log"; exit 1; }
tail -30 "$log"
draft=$(sed -n 's/^the draft, after .*: //p' "$log")
workspace=${draft%/pipeline/*}
for output in 01-scope/output/objectives.md 02-research/output/notes.md 03-outline/output/outline.md 04-draft/output/draft.md; do
  test -s "$workspace/pipeline/$output" || { echo "missing: $output"; exit 1; }
done
grep -qE '^#{1,6} ' "$draft" || { echo "the draft has no heading"; exit 1; }
test -s "$workspace"/.icm/runs/*/journal.jsonl
rm -f "$log"
