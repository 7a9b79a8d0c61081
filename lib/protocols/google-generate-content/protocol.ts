/**
 * The Gemini generateContent protocol of the Gemini API and Vertex.
 */

import { asObject } from '../../core/formats/json-object.ts';
import type { GenerationProtocol, TokenCounter } from '../../core/generation/original/protocol.ts';
import { countedIn, pick, readCount } from '../counts.ts';
import { decodeBody, decodeStream } from './decode.ts';
import { encode } from './encode.ts';
import { readFailure } from './failure.ts';
import { addNativeFields, geminiFields } from './native-fields.ts';
import { readTier, readUsage } from './usage.ts';
import type * as wire from './wire.ts';

export const googleGenerateContent: GenerationProtocol = {
  name: 'google-generate-content',
  framing: 'sse',
  path: (upstreamId, stream) => {
    const model = `/models/${encodeURIComponent(upstreamId)}`;
    // Without `alt=sse` the stream would be one long JSON list.
    return stream ? `${model}:streamGenerateContent?alt=sse` : `${model}:generateContent`;
  },
  encode,
  nativeFields: () => geminiFields,
  addNativeFields,
  decodeBody,
  decodeStream,
  readUsage: (body) => {
    const { usageMetadata: counts } = asObject<wire.Answer>(body);
    return countedIn(counts, readUsage, readTier(counts));
  },
  readFailure,
};

/** Counts tokens at Google. Sources: "models.countTokens" in the references of the Gemini API and of Vertex. */
const pathOf = (upstreamId: string) => `/models/${encodeURIComponent(upstreamId)}:countTokens`;

const read = (answer: unknown) => readCount(answer, 'totalTokens');

/** The Gemini API takes the whole request in one field. */
export const geminiCounter: TokenCounter = {
  path: pathOf,
  body: (request, upstreamId) => ({ generateContentRequest: { model: `models/${upstreamId}`, ...request } }),
  read,
};

/** Vertex takes its fields, without the choice among tools. */
export const vertexCounter: TokenCounter = {
  path: (upstreamId) => `/publishers/google${pathOf(upstreamId)}`,
  body: (request) => pick(request, ['contents', 'systemInstruction', 'tools', 'generationConfig']),
  read,
};
