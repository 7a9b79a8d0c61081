/** The page `docs/reference/errors.md`: every status, type, code and header of an error. */

import { anthropicRequestIdHeader, errorHeaders, requestIdHeader } from '../../build/openapi/headers.ts';
import { anthropicMeaning } from '../../lib/core/errors/anthropic-error.ts';
import { codeGuide, type ErrorGuide, kindGuide } from '../../lib/core/errors/error-guide.ts';
import { type ErrorKind, errorKinds, type Meaning } from '../../lib/core/errors/error-kinds.ts';
import type { SpecificCode } from '../../lib/core/errors/errors.ts';
import { gatewayResponses, serverResponses } from '../../server/http/gateway-responses.ts';
import { code, generated, page, table } from './markdown.ts';

const example = {
  error: {
    message: '…',
    type: 'invalid_request_error',
    param: 'messages.0.content',
    code: null,
  },
};

const anthropicExample = {
  type: 'error',
  error: { ...example.error, message: 'messages.0.content: …' },
  request_id: requestIdHeader.example,
};

const anthropic = `Errors of the Messages and Models operations have the body of Anthropic's API, with \`param\` and \`code\` beside its fields, and the
header \`${anthropicRequestIdHeader.name}\` beside \`${requestIdHeader.name}\`:

${code('json', JSON.stringify(anthropicExample, null, 2))}

The column *For Anthropic's clients* has their status and type. The message begins with the path of the field at fault, where there is one.
What Anthropic answers about a request keeps its words, its type and \`details.error_code\`. A conversation that is too long for a model is
always \`prompt is too long: 210000 tokens > 200000 maximum\`, whichever provider refused it: clients shorten it when they read that. The
numbers are the provider's; where it states none, the gateway's estimate and the limit of the catalog.`;

const introduction = `Every error has the same body, the one of OpenAI's API, and the header \`${requestIdHeader.name}\`:

${code('json', JSON.stringify(example, null, 2))}

\`message\` is for people and may change. \`type\` and \`code\` are for programs. \`param\` is the path of the field at fault.
The OpenAI SDKs make an error class of each status, with these four as properties.

${anthropic}`;

const retries = `The official SDKs of OpenAI and of Anthropic send a request again, up to two times, after 408, 409, 429 and every status from 500 on, and wait as
\`Retry-After\` says. They do not repeat the others. The gateway itself makes one more try of the same provider for short failures,
and then goes on to the next target: the fallbacks of \`extra.fallbacks\`, then other deployments of the model.`;

const streams = `After the first token of a stream the status is sent, and can no longer change. What fails later is an event of the stream:
- chat: one event \`data: {"error": {…}}\` with the body above, and no \`data: [DONE]\` after it;
- Responses: an event \`error\`, then \`response.failed\`. Its \`response.error.code\` is one of OpenAI's: \`invalid_prompt\` for a
  status of 400, \`rate_limit_exceeded\` for 429, \`server_error\` for all others;
- Messages: an event \`error\` with the body of Anthropic's form, and no \`message_stop\`.`;

const front = `API Gateway answers these itself, before or in place of a function. The server does the same; \`server_busy\` is its own. Their body is
the same on all paths: the one of Anthropic's form above, with the types of this table, so that the SDKs of both families read it.`;

export function errorsPage(): string {
  return page([
    generated,
    '# Errors',
    introduction,
    '## Statuses, types and codes',
    table(
      [
        'Status',
        'Type',
        'Code',
        "For Anthropic's clients",
        'When',
        'What to do',
        'SDKs retry',
        'Next target',
      ],
      kindRows(),
    ),
    'A 400 that a provider answered with may have another code: the one of the provider, for example `unsupported_value`.',
    '## More exact codes',
    table(['Status', 'Type', 'Code', 'When', 'What to do'], codeRows()),
    '## Answers of API Gateway',
    front,
    table(['Status', 'Type', 'Code', 'Message'], gatewayRows()),
    '## Retries and fallbacks',
    retries,
    '## Errors in a stream',
    streams,
    '## Headers',
    table(['Header', 'With', 'Example', 'Description'], headerRows()),
    'The headers of successful answers are in [api.md](api.md#response-headers); errors of operations that call models have the `x-ratelimit-*` headers too.',
  ]);
}

const kinds = Object.keys(errorKinds) as readonly ErrorKind[];

const byStatus = (one: readonly string[], other: readonly string[]) => Number(one[0]) - Number(other[0]);

const mark = (text: string | null): string => (text === null ? '–' : `\`${text}\``);

function kindRows(): readonly (readonly string[])[] {
  return kinds
    .map((kind) => {
      const { status, type, code: known, recovery, isFinal = false } = errorKinds[kind];
      const { when, what } = kindGuide[kind];
      return [
        `${status}`,
        mark(type),
        mark(known),
        forAnthropic(kind),
        when,
        what,
        isRetried(status) && !isFinal ? 'yes' : 'no',
        next[recovery],
      ];
    })
    .toSorted(byStatus);
}

function forAnthropic(kind: ErrorKind): string {
  const { status, type, errorCode } = anthropicMeaning(kind);
  return `${status} ${mark(type)}${errorCode === undefined ? '' : `, ${mark(errorCode)}`}`;
}

const next: Readonly<Record<Meaning['recovery'], string>> = {
  none: 'no',
  next: 'yes',
  retry: 'yes, after one more try',
};

/** What the SDKs of both families do. */
const isRetried = (status: number): boolean => [408, 409, 429].includes(status) || status >= 500;

function codeRows(): readonly (readonly string[])[] {
  return (Object.keys(codeGuide) as SpecificCode[])
    .map((name) => {
      const { kind, when, what }: ErrorGuide & { readonly kind: ErrorKind } = codeGuide[name];
      const { status, type } = errorKinds[kind];
      return [`${status}`, mark(type), mark(name), when, what];
    })
    .toSorted(byStatus);
}

function gatewayRows(): readonly (readonly string[])[] {
  const rows = [...gatewayResponses, ...serverResponses].map(
    ({ status, errorType, code: known, message }) => [`${status}`, mark(errorType), mark(known), message],
  );
  const distinct = new Map(rows.map((row) => [row.join(), row]));
  return [...distinct.values()].toSorted(byStatus);
}

const headerRows = (): readonly (readonly string[])[] => [
  [
    `\`${requestIdHeader.name}\``,
    'every answer',
    `\`${requestIdHeader.example}\``,
    requestIdHeader.description,
  ],
  ...errorHeaders.map(({ name, statuses, example: value, description }) => [
    `\`${name}\``,
    statuses.join(', '),
    `\`${value}\``,
    description,
  ]),
];
