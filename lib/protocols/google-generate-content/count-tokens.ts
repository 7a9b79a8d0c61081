/** Counts tokens at Google. Sources: "models.countTokens" in the references of the Gemini API and of Vertex. */
import type { TokenCounter } from '../../core/generation/original/protocol.ts';
import { pick, readCount } from '../token-count.ts';

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
