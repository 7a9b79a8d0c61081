/** Bounds of log lines and of what errors quote. */
import { maxRetryAfterMs } from '../../../lib/protocols/failure.ts';
import { maxNameLength, readLimit, shownLimit } from '../../../lib/protocols/provider-message.ts';
import type { LimitArea } from './row.ts';

export const logLimits: LimitArea = {
  title: 'Logs and errors',
  rows: [
    {
      what: "A provider's message in an error",
      limit: { shownLimit },
      file: 'lib/protocols/provider-message.ts',
      unit: 'characters',
      onExceed: 'cut',
    },
    {
      what: "Part of a provider's message that is read",
      limit: { readLimit },
      file: 'lib/protocols/provider-message.ts',
      unit: 'characters',
      onExceed: 'cut',
    },
    {
      what: 'Field or code that a provider names',
      limit: { maxNameLength },
      file: 'lib/protocols/provider-message.ts',
      unit: 'characters',
      onExceed: 'left out',
    },
    {
      what: 'Wait that a provider asks for',
      limit: { maxRetryAfterMs },
      file: 'lib/protocols/failure.ts',
      unit: 'ms',
      onExceed: 'shortened',
    },
  ],
};
