/** Errors of providers: any status, headers and body become one of our errors, short and without our key. */

import type { GatewayError } from '../../../lib/core/errors/errors.ts';
import type { UpstreamFailure } from '../../../lib/core/generation/original/protocol.ts';
import { providers } from '../../../lib/providers/all-providers.ts';
import { providerKey } from '../key.ts';
import { embedders } from './embeddings.ts';
import { faultsOfError } from './generation.ts';
import { jsonLines, readValue, type Target, textsOf } from './target.ts';

const bodies: readonly unknown[] = [
  { error: { message: 'No.', type: 'invalid_request_error', param: 'messages.0', code: 'bad' } },
  { type: 'error', error: { type: 'overloaded_error', message: 'Busy.' } },
  {
    error: {
      code: 429,
      message: 'Quota.',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ '@type': 'RetryInfo', retryDelay: '3s' }],
    },
  },
  { message: 'Too many tokens.', __type: 'ThrottlingException' },
  { detail: [{ loc: ['body', 'messages'], msg: 'wrong' }] },
  { error: { message: `Refused: ${providerKey}`, param: providerKey, code: providerKey } },
  { message: `The header 'Bearer ${providerKey}' is unknown.` },
];

const failures = bodies.map((body) => ({
  status: 400,
  headers: { 'retry-after': '3', 'x-amzn-errortype': 'ThrottlingException' },
  body: JSON.stringify(body),
}));

interface FailureReader {
  readonly name: string;
  readonly protocol: { readFailure(failure: UpstreamFailure): GatewayError };
}

/** Hosts with the same reader are one. */
const readers = (): readonly FailureReader[] => {
  const all = [
    ...[...providers.values()].flatMap(({ name, generation, responses, images }) =>
      Object.entries({ generation, responses, images }).flatMap(([kind, part]) =>
        part ? [{ name: `${name} ${kind}`, protocol: part.protocol }] : [],
      ),
    ),
    ...embedders.map(({ name, protocol }) => ({ name: `${name} embeddings`, protocol })),
  ];
  const byReader = new Map(all.map((reader) => [reader.protocol.readFailure, reader]));
  return [...byReader.values()];
};

export const failureTargets = (): readonly Target[] =>
  readers().map(({ name, protocol }) => ({
    name: `failure ${name}`,
    samples: failures.map((failure) => jsonLines([failure])),
    check: (input) => faultsOfError(protocol.readFailure(toFailure(readValue(input)))),
  }));

function toFailure(value: unknown): UpstreamFailure {
  const { status, headers, body } = Object(value);
  return {
    status: Number.isInteger(status) && status >= 300 && status <= 599 ? status : 500,
    headers: textsOf(headers),
    body: typeof body === 'string' ? body : (JSON.stringify(body) ?? ''),
  };
}
