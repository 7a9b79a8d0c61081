/** Bounds of calls of providers and of their answers. */
import { maxChoices } from '../../../lib/core/generation/events.ts';
import { maxCitations } from '../../../lib/protocols/google-generate-content/grounding.ts';
import { maxSources } from '../../../lib/protocols/openai-chat/citations.ts';
import { maxMessageBytes } from '../../../lib/transport/framing/event-stream.ts';
import { maxEventCharacters } from '../../../lib/transport/framing/sse.ts';
import type { LimitArea } from './row.ts';

export const providerLimits: LimitArea = {
  title: 'Providers',
  rows: [
    {
      what: 'Server-sent event',
      limit: { maxEventCharacters },
      file: 'lib/transport/framing/sse.ts',
      unit: 'characters',
      onExceed: 'the attempt fails: `provider_invalid_answer`',
    },
    {
      what: 'Message of an AWS event stream',
      limit: { maxMessageBytes },
      file: 'lib/transport/framing/event-stream.ts',
      unit: 'bytes',
      onExceed: 'the attempt fails: `provider_invalid_answer`',
    },
    {
      what: 'Choices of an answer',
      limit: { maxChoices },
      file: 'lib/core/generation/events.ts',
      unit: 'count',
      onExceed: 'the attempt fails: `provider_invalid_answer`',
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
  ],
};
