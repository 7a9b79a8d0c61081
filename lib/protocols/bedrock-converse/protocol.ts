/** The Amazon Bedrock Converse API. */

import { asObject } from '../../core/formats/json-object.ts';
import type { GenerationProtocol, TokenCounter } from '../../core/generation/original/protocol.ts';
import { countedIn, pick, readCount } from '../counts.ts';
import { decodeBody, decodeStream } from './decode.ts';
import { encode } from './encode.ts';
import { readFailure } from './failure.ts';
import { converseFields } from './native-fields.ts';
import { readTier, readUsage } from './usage.ts';
import type * as wire from './wire.ts';

export const bedrockConverse: GenerationProtocol = {
  name: 'bedrock-converse',
  nativeFields: converseFields,
  framing: 'event-stream',
  path: (upstreamId, stream) =>
    `/model/${encodeURIComponent(upstreamId)}/${stream ? 'converse-stream' : 'converse'}`,
  encode,
  decodeBody,
  decodeStream,
  readUsage: (body) => {
    const answer = asObject<wire.Answer>(body);
    return countedIn(answer.usage, (counts) => readUsage(counts), readTier(answer));
  },
  readFailure,
};

/** What is counted. Source: AWS, Bedrock API reference, CountTokens. */
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
