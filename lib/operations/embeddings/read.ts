/** Converts a valid embeddings body to the gateway's internal request. */

import type { CacheWish } from '../../core/caching.ts';
import type { ReadHeader } from '../../core/endpoint.ts';
import { invalid } from '../../core/errors/invalid.ts';
import type { EmbeddingRequest } from '../../core/generation/embedding.ts';
import { type AskedOnce, readAsked } from '../one-call/read.ts';
import { readCache } from '../read-cache.ts';
import { given } from '../read-request.ts';
import type { EmbeddingsBody } from './schema.ts';

export type EncodingFormat = 'float' | 'base64';

/** The parts of an embeddings request. */
export interface EmbeddingsInput extends AskedOnce {
  readonly request: EmbeddingRequest;
  readonly encoding: EncodingFormat;
  readonly cache?: CacheWish;
}

const maxTexts = 128;

const parameterPaths = { texts: 'input', input_type: 'extra.input_type' };

/** @throws GatewayError `invalid_request` for no texts, too many, or an empty one. */
export function readEmbeddings(body: EmbeddingsBody, _given?: unknown, header?: ReadHeader): EmbeddingsInput {
  const { model, input, extra } = body;
  const parameters = { ...given(body, ['dimensions', 'user']), ...given(extra ?? {}, ['input_type']) };
  const texts = readTexts(input);
  const textPaths = typeof input === 'string' ? ['input'] : texts.map((_, position) => `input.${position}`);
  return {
    ...readAsked(model, body),
    request: { texts, textPaths, parameters, parameterPaths },
    encoding: body.encoding_format ?? 'float',
    ...readCache(extra, header),
  };
}

function readTexts(input: string | readonly string[]): readonly string[] {
  if (input === '') throw invalid('input', 'must not be empty');
  if (typeof input === 'string') return [input];
  if (input.length === 0) throw invalid('input', 'must not be empty');
  if (input.length > maxTexts) throw invalid('input', `must have at most ${maxTexts} elements`);
  const empty = input.indexOf('');
  if (empty >= 0) throw invalid(`input.${empty}`, 'must not be empty');
  return input;
}
