/** Bounds of stored responses and of what requests refer to. */
import { maxConversationBytes } from '../../../lib/core/stored-response.ts';
import { maxHistoryBytes, maxOthers } from '../../../lib/operations/responses/read/history.ts';
import { maxHeadInput, maxHeadResponse } from '../../../lib/stores/responses/head.ts';
import { maxPieceBytes } from '../../../lib/stores/responses/pieces.ts';
import { thirtyDaysMs } from '../../../lib/stores/responses/responses.ts';
import type { LimitArea } from './row.ts';

export const conversationLimits: LimitArea = {
  title: 'Stored conversations',
  rows: [
    {
      what: 'JSON of a stored response with all of its input, before it is compressed',
      limit: { maxConversationBytes },
      file: 'lib/core/stored-response.ts',
      unit: 'bytes',
      onExceed:
        'a follow-up: 400, `context_length_exceeded`; otherwise the answer has `store: false` and a record',
    },
    {
      what: 'JSON of all stored responses that are read for one request',
      limit: { maxHistoryBytes },
      file: 'lib/operations/responses/read/history.ts',
      unit: 'bytes',
      onExceed: '400',
    },
    {
      what: 'Latest input of a conversation that each response has for itself',
      limit: { maxHeadInput },
      file: 'lib/stores/responses/head.ts',
      unit: 'bytes',
      onExceed: 'becomes a part that later responses share',
    },
    {
      what: 'JSON of a response in the first item of the table',
      limit: { maxHeadResponse },
      file: 'lib/stores/responses/head.ts',
      unit: 'bytes',
      onExceed: 'has items of its own',
    },
    {
      what: 'A piece of a part, in one item of the table',
      limit: { maxPieceBytes },
      file: 'lib/stores/responses/pieces.ts',
      unit: 'bytes',
      onExceed: 'another piece',
    },
    {
      what: 'How long a response is stored',
      limit: { thirtyDaysMs },
      file: 'lib/stores/responses/responses.ts',
      unit: 'ms',
      onExceed: 'deleted',
    },
    {
      what: 'Other stored responses that the item references of a request are looked up in',
      limit: { maxOthers },
      file: 'lib/operations/responses/read/history.ts',
      unit: 'count',
      onExceed: '400, `item_not_found`',
    },
  ],
};
