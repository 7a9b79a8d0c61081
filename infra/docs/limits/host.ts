/** Bounds of the local gateway's server and of the stack. */
import { headerLimit } from '../../local/front/limits.ts';
import type { LimitArea } from './row.ts';

export const hostLimits: LimitArea = {
  title: 'Local gateway and stack',
  rows: [
    {
      what: 'Values of all headers of a request, together',
      limit: { headerLimit },
      file: 'infra/local/front/limits.ts',
      unit: 'bytes',
      onExceed: '431',
    },
  ],
};
