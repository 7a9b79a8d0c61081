/**
 * Claude at Amazon Bedrock in its own protocol: a body of the Messages API in a call of InvokeModel or
 * InvokeModelWithResponseStream. Source: AWS, Bedrock user guide, "Request and Response" of Anthropic Claude.
 */
import type { GenerationProtocol } from '../../core/generation/original/protocol.ts';
import { anthropicMessages } from '../anthropic-messages/protocol.ts';
import { decodeStream } from './decode.ts';
import { encodeOriginal, toBody } from './encode.ts';
import { readFailure } from './failure.ts';

export const bedrockInvoke: GenerationProtocol = {
  ...anthropicMessages,
  framing: 'event-stream',
  path: (upstreamId, stream) =>
    `/model/${encodeURIComponent(upstreamId)}/${stream ? 'invoke-with-response-stream' : 'invoke'}`,
  encode: (request, target) => toBody(anthropicMessages.encode(request, target)),
  encodeOriginal,
  decodeStream,
  readFailure,
};
