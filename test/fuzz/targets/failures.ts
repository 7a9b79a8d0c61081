/** Errors of providers: any status, headers and body are one of our errors, of few words. */
import { providers } from '../../../infra/all-providers.ts';
import type { UpstreamFailure } from '../../../lib/core/generation/protocol.ts';
import { faultsOfError } from './generation.ts';
import { jsonLines, readValue, type Target } from './target.ts';

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
];

const failures = bodies.map((body) => ({
  status: 400,
  headers: { 'retry-after': '3', 'x-amzn-errortype': 'ThrottlingException' },
  body: JSON.stringify(body),
}));

export function failureTargets(): readonly Target[] {
  return [...providers.values()].flatMap(({ name, generation, responses, images }) =>
    Object.entries({ generation, responses, images }).flatMap(([kind, part]): Target[] => {
      if (part === undefined) return [];
      const samples = failures.map((failure) => jsonLines([failure]));
      const check = (input: Buffer) => faultsOfError(part.protocol.readFailure(toFailure(readValue(input))));
      return [{ name: `failure ${name} ${kind}`, samples, check }];
    }),
  );
}

function toFailure(value: unknown): UpstreamFailure {
  const { status, headers, body } = Object(value);
  const texts = Object.entries(Object(headers)).flatMap(([name, text]) =>
    typeof text === 'string' ? [[name, text] as const] : [],
  );
  return {
    status: Number.isInteger(status) && status >= 300 && status <= 599 ? status : 500,
    headers: Object.fromEntries(texts),
    body: typeof body === 'string' ? body : (JSON.stringify(body) ?? ''),
  };
}
