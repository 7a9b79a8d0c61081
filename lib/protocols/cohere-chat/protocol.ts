/** The Cohere v2 chat API. */

import { asObject } from '../../core/formats/json-object.ts';
import type { GenerationProtocol } from '../../core/generation/original/protocol.ts';
import { countedIn } from '../counts.ts';
import { decodeBody, decodeStream, readUsage } from './decode.ts';
import { encode } from './encode.ts';
import { readFailure } from './failure.ts';
import { cohereFields } from './native-fields.ts';
import type * as wire from './wire.ts';

export const cohereChat: GenerationProtocol = {
  name: 'cohere-chat',
  nativeFields: () => cohereFields,
  framing: 'sse',
  path: () => '/chat',
  encode,
  decodeBody,
  decodeStream,
  readUsage: (body) => countedIn(asObject<wire.Answer>(body).usage, readUsage),
  readFailure,
};
