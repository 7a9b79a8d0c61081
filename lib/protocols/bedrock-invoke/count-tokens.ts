/** Counts tokens of a body of InvokeModel. Source: AWS, Bedrock API reference, CountTokens and InvokeModelTokensRequest. */
import type { TokenCounter } from '../../core/generation/original/protocol.ts';
import { countPath } from '../bedrock-converse/count-tokens.ts';
import { readCount } from '../token-count.ts';
import { toBody } from './encode.ts';

/** Required of a body, and without an effect on the count. */
const shortest = { max_tokens: 1 };

export const invokeCounter: TokenCounter = {
  path: countPath,
  body: ({ anthropic_beta: _betas, context_management: _edits, ...request }) => {
    const body = JSON.stringify(toBody({ ...shortest, ...request }));
    return { input: { invokeModel: { body: Buffer.from(body).toString('base64') } } };
  },
  read: (answer) => readCount(answer, 'inputTokens'),
};
