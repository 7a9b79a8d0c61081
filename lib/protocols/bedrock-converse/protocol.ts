/** The Amazon Bedrock Converse API. */
import type { GenerationProtocol } from '../../core/generation/protocol.ts';
import { decodeBody, decodeStream } from './decode.ts';
import { encode } from './encode.ts';
import { readFailure } from './failure.ts';

export const bedrockConverse: GenerationProtocol = {
  name: 'bedrock-converse',
  framing: 'event-stream',
  path: (upstreamId, stream) =>
    `/model/${encodeURIComponent(upstreamId)}/${stream ? 'converse-stream' : 'converse'}`,
  encode,
  decodeBody,
  decodeStream,
  readFailure,
};
