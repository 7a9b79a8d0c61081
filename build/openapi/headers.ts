/** The headers of the API: what a caller may send, and what answers have. */
export interface HeaderReference {
  readonly name: string;
  readonly description: string;
  readonly example: string;
}

export const requestHeaders: readonly HeaderReference[] = [
  {
    name: 'x-gateway-user-id',
    description:
      'Your identifier of the end user, at most 128 characters. It is in the log and the ledger, so that usage can be grouped by it.',
    example: 'user-42',
  },
  {
    name: 'x-gateway-session-id',
    description:
      "Your identifier of the conversation, at most 128 characters. It is in the log and the ledger. Requests of a session go to the same deployment of a model, where the provider's prompt cache is warm. Without it, `x-claude-code-session-id` counts, which Claude Code sends.",
    example: 'session-7',
  },
  {
    name: 'x-gateway-tags',
    description:
      'Up to eight pairs by which usage can be grouped later: names of at most 64 characters, values of at most 128. They are in the ledger, with the `metadata` of the body; eight pairs are kept, those of the header first.',
    example: 'team=search,cost-centre=42',
  },
  {
    name: 'Idempotency-Key',
    description:
      'Your own name of this request, 1 to 255 printable ASCII characters, for operations that call a model. Within a day, a request with the same key, operation and body gets the same answer again, with `idempotent-replayed: true`, and is not billed. While the first runs, it waits up to 30 s, then gets a 409. The first goes on when you disconnect. What fails is not kept: sent again, it is tried again. An answer above 8 MB is not kept either, and its key is used up.',
    example: '5f0c3a9e-order-7',
  },
];

const rateLimit = (name: string, description: string, example: string): HeaderReference => ({
  name: `x-ratelimit-${name}`,
  description: `${description} Only for a key or tenant with such a limit; of several limits, the one that leaves least.`,
  example,
});

/** On every answer. */
export const requestIdHeader: HeaderReference = {
  name: 'x-request-id',
  description:
    'The id of the request, which holds its time. Quote it when you report a problem: the log line of the request has it. `GET /v1/usage/requests/{id}` returns what it used.',
  example: '019b0b12-7c40-7b7e-9a55-0c3d8f6a1e2b',
};

/** The same, on answers of the operations that Anthropic's clients call. */
export const anthropicRequestIdHeader: HeaderReference = {
  name: 'request-id',
  description:
    "The same id, where Anthropic's SDKs read it: on answers of the Messages and Models operations.",
  example: requestIdHeader.example,
};

/** On answers of operations that call models. */
export const modelHeaders: readonly HeaderReference[] = [
  {
    name: 'idempotent-replayed',
    description: '`true` when the answer is that of an earlier request with the same `Idempotency-Key`.',
    example: 'true',
  },
  {
    name: 'x-gateway-cache',
    description:
      '`hit`: the answer is that of an earlier, equal request. `miss`: there was none. `bypass`: none was looked up; `extra.debug` says why. Only where cached answers are asked for.',
    example: 'hit',
  },
  {
    name: 'x-gateway-cache-ttl',
    description: 'How long answers are kept for the request, in seconds. With a hit or a miss.',
    example: '300',
  },
  {
    name: 'x-gateway-cache-source',
    description: 'The id of the request that the answer was made for. With a hit.',
    example: '019a3c5e-7b1d-7f2a-9c4e-5d6f7a8b9c0d',
  },
  {
    name: 'age',
    description: 'How old the answer is, in seconds. With a hit.',
    example: '12',
  },
  {
    name: 'x-stream-id',
    description:
      'The id of a stream that can be read on at `GET /v1/streams/{stream_id}`. Only with `extra.resumable`, and while the gateway can keep the stream.',
    example: 'stream_0f3a9c1d2b7e48569d1c0a4b7f6e2d13',
  },
  {
    name: 'x-gateway-normalizations',
    description:
      'How many of the values that were sent the gateway changed or left out. Absent when it changed none. `extra.debug` lists them, and what the gateway added.',
    example: '2',
  },
  {
    name: 'x-gateway-schema',
    description:
      '`mismatch`: the answer does not fit the requested JSON Schema. `repaired`: the first answer did not, and this second one does. Only where the provider does not guarantee the schema, and not on streams that are passed on as they come: there, `extra.debug` reports it at the end.',
    example: 'mismatch',
  },
  {
    name: 'x-gateway-estimated',
    description:
      '`true` if a token count is an estimate of the gateway, because the provider cannot count tokens for the model.',
    example: 'true',
  },
  {
    name: 'x-gateway-dry-run',
    description: '`true` when nothing was sent, because the request has `extra.dry_run`.',
    example: 'true',
  },
  {
    name: 'x-gateway-sandbox',
    description:
      '`true` when the local sandbox answered in place of the provider, because the gateway has no key for it.',
    example: 'true',
  },
  rateLimit('limit-requests', 'Requests allowed in a minute.', '60'),
  rateLimit('remaining-requests', 'Requests left in this minute.', '59'),
  rateLimit('reset-requests', 'How long until the minute ends.', '12s'),
  rateLimit('limit-tokens', 'Tokens allowed in a minute, input and output together.', '100000'),
  rateLimit('remaining-tokens', 'Tokens left in this minute.', '98400'),
  rateLimit('reset-tokens', 'How long until the minute ends.', '12s'),
];

const anthropicLimit = (unit: string, what: string): readonly HeaderReference[] => {
  const described = `${what} Only for a key or tenant with such a limit.`;
  const name = (part: string) => `anthropic-ratelimit-${unit}-${part}`;
  return [
    { name: name('limit'), description: `${described} What is allowed in a minute.`, example: '60' },
    { name: name('remaining'), description: `${described} What is left of it.`, example: '59' },
    {
      name: name('reset'),
      description: `${described} When the minute ends.`,
      example: '2026-11-22T10:01:00Z',
    },
  ];
};

const both = 'One limit counts the tokens of input and output together.';

/** On answers of the Messages operations. */
export const anthropicHeaders: readonly HeaderReference[] = [
  ...anthropicLimit('requests', 'The limit of requests.'),
  ...anthropicLimit('tokens', 'The limit of tokens.'),
  ...anthropicLimit('input-tokens', `The same as \`tokens\`: ${both}`),
  ...anthropicLimit('output-tokens', `The same as \`tokens\`: ${both}`),
];

interface ErrorHeader extends HeaderReference {
  /** The statuses that it comes with. */
  readonly statuses: readonly number[];
}

export const errorHeaders: readonly ErrorHeader[] = [
  {
    name: 'Retry-After',
    statuses: [429, 503, 529],
    description: 'How many seconds to wait. Always with 429; with 503 and 529 when a time is known.',
    example: '12',
  },
  {
    name: 'x-should-retry',
    statuses: [401, 429],
    description:
      '`false` when a key is refused or a budget is used up: the SDKs and Claude Code then do not send the request again.',
    example: 'false',
  },
  {
    name: 'WWW-Authenticate',
    statuses: [401],
    description: 'How to authenticate. On AWS, API Gateway renames it to `x-amzn-remapped-www-authenticate`.',
    example: 'Bearer',
  },
  { name: 'Allow', statuses: [405], description: 'The methods that the path accepts.', example: 'POST' },
];
