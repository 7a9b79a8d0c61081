/** Bounds of calls of providers and of their answers. */
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
      onExceed: 'the attempt fails: `provider_error`',
    },
    {
      what: 'Message of an AWS event stream',
      limit: { maxMessageBytes },
      file: 'lib/transport/framing/event-stream.ts',
      unit: 'bytes',
      onExceed: 'the attempt fails: `provider_error`',
    },
  ],
};
