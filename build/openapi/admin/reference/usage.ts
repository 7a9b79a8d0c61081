/** The part of the reference of the dashboard's API that is about usage and cost. */
import { overviewQuery } from '../../../../lib/admin/usage/overview-question.ts';
import { overviewAnswer, usageAnswer } from '../../../../lib/admin/usage/schema.ts';
import { usageQuery } from '../../../../lib/admin/usage/usage-question.ts';
import { tagged } from '../admin-reference.ts';

export const usageReference = tagged('Usage', {
  'admin-overview': {
    title: 'Get the overview',
    summary:
      'Returns the figures of a span and of the equally long one before it, its points over time, and the greatest groups. From sums, never from a scan of requests.',
    parameters: overviewQuery,
    answer: ['Overview', overviewAnswer],
  },
  'admin-usage': {
    title: 'Get usage and cost of groups',
    summary:
      'Answers the questions of `GET /v1/usage` for any tenant that the user may see, or for all of them, page by page. All groups are put in order before a page of them is shown. What no sum has is read from the newest records, and `complete_from` is how far back.',
    parameters: usageQuery,
    answer: ['UsageList', usageAnswer],
  },
});
