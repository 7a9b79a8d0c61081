#!/usr/bin/env bash
# A chat completion with curl.
set -euo pipefail

curl --silent --show-error --fail-with-body "$OPENAI_BASE_URL/chat/completions" \
  --header "Authorization: Bearer $OPENAI_API_KEY" \
  --header 'Content-Type: application/json' \
  --data '{"model": "google/gemini-3.5-flash", "messages": [{"role": "user", "content": "Say hello."}]}'
