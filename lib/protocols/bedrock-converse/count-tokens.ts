/** Counts tokens at Amazon Bedrock. Source: AWS, Bedrock API reference, CountTokens. */
import type { TokenCounter } from '../../core/generation/original/protocol.ts';
import { pick, readCount } from '../token-count.ts';

const fields = ['messages', 'system', 'toolConfig', 'additionalModelRequestFields'];

/** Inference profiles are refused: only the model itself can count. Source: pydantic/pydantic-ai pull 3367. */
const profile = /^(us|eu|apac|jp|au|ca|us-gov|global)\./;

export const countPath: TokenCounter['path'] = (upstreamId) =>
  `/model/${encodeURIComponent(upstreamId.replace(profile, ''))}/count-tokens`;

export const converseCounter: TokenCounter = {
  path: countPath,
  body: (request) => ({ input: { converse: pick(request, fields) } }),
  read: (answer) => readCount(answer, 'inputTokens'),
};
