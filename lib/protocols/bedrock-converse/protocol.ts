/** The Amazon Bedrock Converse API. */

import { asObject } from '../../core/formats/json-object.ts';
import type { GenerationProtocol } from '../../core/generation/original/protocol.ts';
import { countedIn } from '../counted.ts';
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
