/** What each kind of error and each code means for a caller, and what to do. The tables must name all of them. */

import type { ErrorKind } from './error-kinds.ts';
import type { SpecificCode } from './errors.ts';

export interface ErrorGuide {
  readonly when: string;
  readonly what: string;
}

const wait =
  'Wait as long as `Retry-After` says, then send the request again. The SDKs do this on their own.';
const retry =
  'Send the request again. The SDKs do this on their own. Add `extra.fallbacks` to use another model meanwhile.';
const operator = 'Tell the operator of the gateway, with the `x-request-id`.';

export const kindGuide: Readonly<Record<ErrorKind, ErrorGuide>> = {
  invalid_request: {
    when: 'A field is missing, unknown, of the wrong type or out of range, or the body is not a JSON object.',
    what: 'Correct the field that `param` names.',
  },
  guardrail_blocked: {
    when: 'A guardrail of the tenant does not allow the request. The message names the guardrail, its rule and the field, never what was found there. No provider was called, or the call was ended. The same where the moderation that a request asks for flags an input that it must let pass.',
    what: 'Change the content of the field.',
  },
  unsupported_operation: {
    when: 'The model does not support this operation.',
    what: 'Choose a model whose `endpoints` in `GET /v1/models` has the operation.',
  },
  invalid_api_key: {
    when: 'The API key is missing, malformed, unknown, disabled or expired, or two different keys were sent.',
    what: 'Send one valid key, as `Authorization: Bearer <key>`, `x-api-key: <key>` or `api-key: <key>`.',
  },
  insufficient_quota: {
    when: 'The credit or the total budget of the key, its tenant or its user is used up, or the input may cost more than what is left.',
    what: 'Ask the operator for more, or send a shorter input.',
  },
  budget_used_up: {
    when: 'The budget of a day, week or month of the key, its tenant or its user is used up, or the input may cost more than what is left.',
    what: 'Send it again when the budget starts again: `error.resets_at` has the Unix second, and the message names the limit. Or ask the operator for more.',
  },
  permission_denied: {
    when: 'The key is valid, but may not do this. The code says what is not allowed.',
    what: 'Ask the operator to allow it.',
  },
  not_found: {
    when: 'The path, or the stored response, does not exist. Stored responses expire after 30 days and belong to one tenant.',
    what: 'Check the path and the id.',
  },
  model_not_found: {
    when: 'The model does not exist, is inactive, or is retired.',
    what: 'The message names similar ids or the replacement. `GET /v1/models` lists all models.',
  },
  method_not_allowed: {
    when: 'The path does not accept this method.',
    what: 'Use one of the methods in the header `Allow`.',
  },
  deadline_exceeded: {
    when: 'The answer was not complete within the time that one request may take.',
    what: 'Use `stream: true`, or ask for a shorter answer.',
  },
  conflict: {
    when: 'Another user has changed the same tenant, key or guardrail since you read it: it is not the version of your `If-Match`. Or what you create with `If-None-Match: *` exists already. Only in the dashboard and its API.',
    what: 'Read it again, look at what has changed, and change it again if you still want to.',
  },
  idempotency_in_progress: {
    when: 'A request with the same `Idempotency-Key` still runs.',
    what: wait,
  },
  payload_too_large: {
    when: 'The body is too large: API Gateway accepts 10 MB, Lambda 6 MB. A compressed body counts decoded.',
    what: 'Send less: for example URLs in place of embedded images.',
  },
  range_not_satisfiable: {
    when: 'The header `Range` asks for bytes after the end of the file.',
    what: 'Ask for bytes that the file has: the message says how many there are.',
  },
  unsupported_media_type: {
    when: 'The body is not declared as JSON, or its `Content-Encoding` is not supported.',
    what: 'Set `Content-Type: application/json`. Compress with gzip or deflate (the local gateway also decodes br and zstd), or not at all.',
  },
  rate_limited: {
    when: 'The key, its tenant or its user sent too many requests or tokens in this minute, or has too many requests at the same time; or running requests hold what is left of a budget.',
    what: wait,
  },
  internal: { when: 'The gateway failed.', what: `Send the request again. ${operator}` },
  limits_unavailable: {
    when: 'The limits of the key or its tenant cannot be checked, and its requests must not pass unchecked.',
    what: wait,
  },
  guardrail_unavailable: {
    when: 'A guardrail of the tenant must look at the request or the answer and cannot: its detector failed, or its policy cannot be read. The message names the guardrail. The same where the moderation that a request asks for must let its input pass, and failed. In a stream, what was generated until then is billed.',
    what: wait,
  },
  gateway_stopping: {
    when: 'The server restarts, and the request could not end before that. In a stream, what was generated until then is billed.',
    what: wait,
  },
  sign_in_unavailable: {
    when: 'The issuer at which people sign in to the dashboard did not answer, or its settings do not fit it. The message names what.',
    what: 'Try again later. An operator looks at the settings that the message names.',
  },
  server_busy: {
    when: 'The process that serves many requests has no memory left for this one. A large body is refused before others suffer.',
    what: wait,
  },
  client_closed: {
    when: 'The client closed the connection. It appears in logs only. What the provider generates in the next seconds is still counted.',
    what: 'Nothing.',
  },
  upstream_bad_request: {
    when: "The provider refused the request. The message, and the code if there is one, are the provider's.",
    what: 'Correct the field that `param` names.',
  },
  upstream_context_length: {
    when: 'The conversation is too long for the model.',
    what: 'Shorten it, choose a model with a longer context, or, with Responses, set `truncation: "auto"`.',
  },
  upstream_content_policy: {
    when: "The provider refused the request because of its content policy. Another model is not tried. For images the provider's own code may be shown, for example `moderation_blocked`.",
    what: 'Change the content.',
  },
  upstream_invalid_call: {
    when: "The model wrote a tool call that does not fit the tool, or none where `tool_choice` requires one, also when it was asked once more and when the fallbacks were asked. The message is the provider's. Only some providers check this.",
    what: 'Make the description and the schema of the tool easier to follow, require no call, or choose another model.',
  },
  own_provider_key: {
    when: "The provider refused the tenant's own key, and no other target may be called in its place.",
    what: 'Test the key ([docs/own-keys.md](../own-keys.md)), replace it, or allow the fallback `shared`.',
  },
  upstream_credentials: {
    when: 'The provider did not accept the key of the gateway, or the gateway has none.',
    what: operator,
  },
  upstream_quota: {
    when: "The gateway's quota at the provider is used up.",
    what: `${operator} Add \`extra.fallbacks\` to use another model meanwhile.`,
  },
  upstream_model_missing: {
    when: 'The provider no longer has the model.',
    what: `${operator} Add \`extra.fallbacks\` to use another model meanwhile.`,
  },
  upstream_rate_limited: { when: 'The provider limits the rate of the gateway.', what: wait },
  upstream_failed: { when: 'The provider failed.', what: retry },
  upstream_overloaded: { when: 'The provider is overloaded.', what: retry },
  upstream_unreachable: { when: 'No connection to the provider could be made.', what: retry },
  upstream_timeout: { when: 'The provider did not answer in time.', what: retry },
  upstream_invalid_answer: { when: 'The provider sent an answer that cannot be read.', what: retry },
  upstream_cut: {
    when: 'The provider ended its answer before it was complete. In a stream this is the last event.',
    what: retry,
  },
};

interface CodeGuide extends ErrorGuide {
  readonly kind: ErrorKind;
}

export const codeGuide: Readonly<Record<SpecificCode, CodeGuide>> = {
  all_targets_failed: {
    kind: 'upstream_failed',
    when: 'The model and all fallbacks failed, each in another way.',
    what: 'The message names each target and the reason of its failure.',
  },
  batch_not_supported: {
    kind: 'invalid_request',
    when: 'No batch API answers this request of a batch, by the result of its line.',
    what: "Create the batch with `extra.batch: 'any'`, so that it is answered as a single request, or choose a model whose provider has a batch API.",
  },
  context_length_exceeded: {
    kind: 'invalid_request',
    when: 'The stored conversation that `previous_response_id` names would have more than 8 MB of JSON with this request.',
    what: 'Shorten it with `POST /v1/responses/compact`, start a new conversation, or send `store: false`.',
  },
  cross_site: {
    kind: 'permission_denied',
    when: 'A page of another site called an operation of the dashboard, or a call with its cookie had no header `x-dashboard: 1`.',
    what: 'Use the page of the dashboard itself; elsewhere, send a token as `Authorization: Bearer` and no cookie.',
  },
  data_policy: {
    kind: 'invalid_request',
    when: 'The data policy of the key or its tenant forbids the request: no deployment of the model complies with it, or the request asks for something to be stored. `param` names the field at fault, else `model`.',
    what: 'Change the field, choose a model of `GET /v1/models?allowed=true`, or ask the operator.',
  },
  idempotency_key_reused: {
    kind: 'invalid_request',
    when: 'The `Idempotency-Key` was sent before with another body, or its answer was too large to keep or cannot be read.',
    what: 'Choose a new key for each new request.',
  },
  item_not_found: {
    kind: 'invalid_request',
    when: 'An item of `input` refers to an item that is not stored.',
    what: 'Send the item itself.',
  },
  model_ambiguous: {
    kind: 'invalid_request',
    when: 'Several models have the name without an owner that the request uses.',
    what: 'Use one of the ids that the message lists.',
  },
  model_not_allowed: {
    kind: 'permission_denied',
    when: 'The key or its tenant may not use the model. `param` says whether it is the model or a fallback.',
    what: 'Choose another model, or ask the operator to allow it.',
  },
  model_not_found: {
    kind: 'invalid_request',
    when: 'A model in `extra.fallbacks` does not exist. `param` names its position.',
    what: 'Correct the id.',
  },
  operation_not_allowed: {
    kind: 'permission_denied',
    when: 'The key or its tenant may not use the operation; or the operations of a management key do not name it.',
    what: 'Ask the operator to allow it.',
  },
  previous_response_not_found: {
    kind: 'invalid_request',
    when: '`previous_response_id` is not stored: it expired, was deleted, was sent with `store: false`, or belongs to another tenant.',
    what: 'Send the whole conversation as `input`.',
  },
  price_unknown: {
    kind: 'permission_denied',
    when: 'The key or its tenant has a budget, and the price of the model is not known.',
    what: 'Choose another model, or ask the operator to set the price.',
  },
  role_not_allowed: {
    kind: 'permission_denied',
    when: 'The role of the user who is signed in to the dashboard, or of the management key, may not use the operation.',
    what: 'Ask an operator, or an admin of your tenant.',
  },
  session_unseen: {
    kind: 'permission_denied',
    when: 'A realtime session goes from its client to the provider, and the gateway neither counts nor reads it. So none is opened for a key, user or tenant with a budget, credit or a limit of tokens, with guardrails, or with zero data retention.',
    what: 'Use a key without these, or ask the operator.',
  },
  signed_out: {
    kind: 'invalid_api_key',
    when: 'An operation of the dashboard was called without a session, with one that has ended, or on the paths of the other kind of session.',
    what: 'Sign in again.',
  },
  storage_limit_exceeded: {
    kind: 'invalid_request',
    when: 'The files of your tenant would have more than 10 GB together.',
    what: 'Delete some with `DELETE /v1/files/{file_id}`, or wait until they expire.',
  },
  tenant_suspended: {
    kind: 'permission_denied',
    when: 'The operator suspended the tenant.',
    what: 'Ask the operator.',
  },
  tokens_per_minute_exceeded: {
    kind: 'invalid_request',
    when: 'The request alone may use more tokens than the limit of a minute, so that waiting would not help.',
    what: 'Send less, or set a lower limit of output tokens.',
  },
  unsupported_modality: {
    kind: 'invalid_request',
    when: 'The model does not accept a kind of content in the request, for example images.',
    what: 'Remove it, or choose a model whose `modalities.input` has it.',
  },
  wrong_region: {
    kind: 'permission_denied',
    when: 'The gateway runs in several regions, and callers with credit are served in another one, so that credit is spent once.',
    what: 'Use the base URL of the region that the message names.',
  },
};
