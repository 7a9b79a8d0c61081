/** Bounds of stored responses and of what requests refer to. */
import { maxOthers } from '../../../lib/operations/responses/read/history.ts';
import type { LimitArea } from './row.ts';

export const conversationLimits: LimitArea = {
  title: 'Stored conversations',
  rows: [
    {
      what: 'Other stored responses that the item references of a request are looked up in',
      limit: { maxOthers },
      file: 'lib/operations/responses/read/history.ts',
      unit: 'count',
      onExceed: '400, `item_not_found`',
    },
  ],
};
