/** Bounds of what callers list and look up: stored responses, models, usage. */

import { maxGathered } from '../../../lib/metering/usage/gather.ts';
import { maxDays, maxGroups, maxUsageRows } from '../../../lib/metering/usage/question.ts';
import { maxCursor, maxPageModels } from '../../../lib/operations/models/list.ts';
import { maxListedItems } from '../../../lib/operations/responses/stored/input-items.ts';
import { maxRequestId } from '../../../lib/operations/usage/request.ts';
import { maxResponseId } from '../../../lib/stores/responses/responses.ts';
import type { LimitArea } from './row.ts';

export const queryLimits: LimitArea = {
  title: 'Lists and queries',
  rows: [
    {
      what: 'Id of a stored response',
      limit: { maxResponseId },
      file: 'lib/stores/responses/responses.ts',
      unit: 'characters',
      onExceed: 'not found: 404, or 400 in a request that refers to it',
    },
    {
      what: 'Input items of a stored response on a page',
      limit: { maxListedItems },
      file: 'lib/operations/responses/stored/input-items.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Days of a usage query',
      limit: { maxDays },
      file: 'lib/metering/usage/question.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Groups of a usage query',
      limit: { maxGroups },
      file: 'lib/metering/usage/question.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Models on a page that a caller asks for',
      limit: { maxPageModels },
      file: 'lib/operations/models/list.ts',
      unit: 'count',
      onExceed: '400; without `limit` the list is whole',
    },
    {
      what: '`after_id` or `before_id` of a page of models',
      limit: { maxCursor },
      file: 'lib/operations/models/list.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Rows of usage on a page',
      limit: { maxUsageRows },
      file: 'lib/metering/usage/question.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Records, and groups, that a usage query reads',
      limit: { maxGathered },
      file: 'lib/metering/usage/gather.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Id of a request in a usage query',
      limit: { maxRequestId },
      file: 'lib/operations/usage/request.ts',
      unit: 'characters',
      onExceed: '400',
    },
  ],
};
