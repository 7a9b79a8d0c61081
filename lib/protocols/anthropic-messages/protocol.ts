/** The Anthropic Messages API. */

import { asObject } from '../../core/formats/json-object.ts';
import type { GenerationProtocol } from '../../core/generation/original/protocol.ts';
import { countedIn } from '../counted.ts';
import { decodeBody, decodeStream } from './decode.ts';
import { encode } from './encode.ts';
import { readFailure } from './failure.ts';
import { messagesFields } from './native-fields.ts';
import { encodeOriginal } from './original.ts';
import { readTier, readUsage } from './usage.ts';
import type * as wire from './wire.ts';

export const anthropicMessages: GenerationProtocol = {
  name: 'anthropic-messages',
  nativeFields: () => messagesFields,
  framing: 'sse',
  path: () => '/messages',
  encode,
  encodeOriginal,
  decodeBody,
  decodeStream,
  readUsage: (body) => {
    const { usage } = asObject<wire.Message>(body);
    return countedIn(usage, (counts) => readUsage(counts), readTier(asObject(usage)));
  },
  readFailure,
};
