/** Bounds of log lines and of what errors quote. */
import { shownLimit } from '../../../lib/protocols/failure.ts';
import type { LimitArea } from './row.ts';

export const logLimits: LimitArea = {
  title: 'Logs and errors',
  rows: [
    {
      what: "A provider's message in an error",
      limit: { shownLimit },
      file: 'lib/protocols/failure.ts',
      unit: 'characters',
      onExceed: 'cut',
    },
  ],
};
