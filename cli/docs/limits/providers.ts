/** Bounds of calls of providers and of their answers. */
import { maxChoices } from '../../../lib/core/generation/events.ts';
import { maxCountedTools } from '../../../lib/core/generation/tools/tool-counts.ts';
import { maxQuotableText } from '../../../lib/operations/messages/write/write-content.ts';
import { maxCitedText } from '../../../lib/operations/messages/write/write-search.ts';
import {
  maxAnswerBytes,
  maxFailureBytes,
  maxFailureMs,
  maxStreamBytes,
  maxStreamContent,
} from '../../../lib/pipeline/answer-bounds.ts';
import { maxPatchMs } from '../../../lib/pipeline/use/account.ts';
import { maxUsageFields } from '../../../lib/protocols/anthropic-messages/usage.ts';
import { maxCitations } from '../../../lib/protocols/google-generate-content/grounding.ts';
import { maxSources } from '../../../lib/protocols/openai-chat/citations.ts';
import { maxFingerprint } from '../../../lib/protocols/openai-chat/fingerprint.ts';
import {
  maxBetaRefusals,
  maxRefusalBytes,
  maxRefusalMs,
  maxRememberedRefusals,
} from '../../../lib/providers/claude/claude-elsewhere.ts';
import { firstCacheSeconds, largestAnswer } from '../../../lib/providers/google/stored-content.ts';
import { largestToken } from '../../../lib/providers/google-vertex/token.ts';
import { maxMessageBytes } from '../../../lib/transport/framing/event-stream.ts';
import { maxEventCharacters } from '../../../lib/transport/framing/sse.ts';
import type { LimitArea } from './row.ts';

const answerBounds = 'lib/pipeline/answer-bounds.ts';

const betas = 'lib/providers/claude/claude-elsewhere.ts';

const failed = 'the attempt fails: `provider_invalid_answer`';

export const providerLimits: LimitArea = {
  title: 'Providers',
  rows: [
    {
      what: 'Lifetime of cached content at Gemini until its second use; after that: `GATEWAY_CACHE_SECONDS`',
      limit: { firstCacheSeconds },
      file: 'lib/providers/google/stored-content.ts',
      unit: 'seconds',
      onExceed: 'it is stored for less, on record',
    },
    {
      what: 'Call that lengthens the lifetime of cached content, to its first byte',
      limit: { maxPatchMs },
      file: 'lib/pipeline/use/account.ts',
      unit: 'ms',
      onExceed: 'the content keeps its lifetime',
    },
    {
      what: 'Answer in one body',
      limit: { maxAnswerBytes },
      file: answerBounds,
      unit: 'bytes',
      onExceed: failed,
    },
    {
      what: 'Streamed answer, as it comes',
      limit: { maxStreamBytes },
      file: answerBounds,
      unit: 'bytes',
      onExceed: `${failed}, also inside a stream that has begun`,
    },
    {
      what: 'What a streamed answer holds: texts, arguments, and all else as JSON',
      limit: { maxStreamContent },
      file: answerBounds,
      unit: 'characters',
      onExceed: `${failed}, also inside a stream that has begun`,
    },
    {
      what: 'Body of an error',
      limit: { maxFailureBytes },
      file: answerBounds,
      unit: 'bytes',
      onExceed: 'its status alone counts',
    },
    {
      what: 'Time in which the body of an error arrives',
      limit: { maxFailureMs },
      file: answerBounds,
      unit: 'ms',
      onExceed: 'its status alone counts',
    },
    {
      what: 'Server-sent event',
      limit: { maxEventCharacters },
      file: 'lib/transport/framing/sse.ts',
      unit: 'characters',
      onExceed: failed,
    },
    {
      what: 'Message of an AWS event stream',
      limit: { maxMessageBytes },
      file: 'lib/transport/framing/event-stream.ts',
      unit: 'bytes',
      onExceed: failed,
    },
    {
      what: 'Choices of an answer',
      limit: { maxChoices },
      file: 'lib/core/generation/events.ts',
      unit: 'count',
      onExceed: failed,
    },
    {
      what: 'Fingerprint of the system that answered',
      limit: { maxFingerprint },
      file: 'lib/protocols/openai-chat/fingerprint.ts',
      unit: 'characters',
      onExceed: 'left out',
    },
    {
      what: 'Sources that a host lists beside an answer',
      limit: { maxSources },
      file: 'lib/protocols/openai-chat/citations.ts',
      unit: 'count',
      onExceed: 'further ones are left out',
    },
    {
      what: 'Citations of an answer of Gemini',
      limit: { maxCitations },
      file: 'lib/protocols/google-generate-content/grounding.ts',
      unit: 'count',
      onExceed: 'further ones are left out',
    },
    {
      what: 'Beginning of an answer that the citations of a message can quote, where a model is not Claude',
      limit: { maxQuotableText },
      file: 'lib/operations/messages/write/write-content.ts',
      unit: 'characters',
      onExceed: 'citations of what follows quote nothing',
    },
    {
      what: 'Quoted text of such a citation',
      limit: { maxCitedText },
      file: 'lib/operations/messages/write/write-search.ts',
      unit: 'characters',
      onExceed: 'cut',
    },
    {
      what: 'Answer about cached content at Gemini',
      limit: { largestAnswer },
      file: 'lib/providers/google/stored-content.ts',
      unit: 'bytes',
      onExceed: 'nothing is cached',
    },
    {
      what: 'Refusals of a request to Claude at Bedrock or Vertex for its betas',
      limit: { maxBetaRefusals },
      file: betas,
      unit: 'count',
      onExceed: 'it is sent without betas, on record',
    },
    {
      what: 'Refusal of such a request',
      limit: { maxRefusalBytes },
      file: betas,
      unit: 'bytes',
      onExceed: 'it is a refusal for another reason, without its words',
    },
    {
      what: 'The same, until it is read',
      limit: { maxRefusalMs },
      file: betas,
      unit: 'ms',
      onExceed: 'it is a refusal for another reason, without its words',
    },
    {
      what: 'Models and lists of betas whose refusal there a process remembers',
      limit: { maxRememberedRefusals },
      file: betas,
      unit: 'count',
      onExceed: 'the oldest is forgotten, and refused once more',
    },
    {
      what: 'Answer with an access token of Vertex',
      limit: { largestToken },
      file: 'lib/providers/google-vertex/token.ts',
      unit: 'bytes',
      onExceed: 'the attempt fails',
    },
    {
      what: 'Tools of a provider whose calls are counted each',
      limit: { maxCountedTools },
      file: 'lib/core/generation/tools/tool-counts.ts',
      unit: 'count',
      onExceed: 'the others are counted together',
    },
    {
      what: 'Fields of the usage in a stream of Anthropic',
      limit: { maxUsageFields },
      file: 'lib/protocols/anthropic-messages/usage.ts',
      unit: 'count',
      onExceed: 'further ones are left out',
    },
  ],
};
