/** The reference of the operations for usage. */
import { usageSchema } from '../../../lib/metering/usage/question.ts';
import { requestSchema } from '../../../lib/operations/usage/request.ts';
import { usageFields, usageRequestFields } from '../fields/others.ts';
import { tagged } from '../operation-reference.ts';

export const usageReference = tagged('Usage', {
  'usage-retrieve': {
    title: 'Get usage and cost',
    summary:
      "Sums up what the key's tenant used and what it is charged. Days, models and keys are kept permanently. Users, sessions, tags and parts of a day come from the ledger of requests, which goes back to `complete_from`.",
    schema: usageSchema,
    fields: usageFields,
    answer: 'Usage',
  },
  'usage-request': {
    title: 'Get one request',
    summary:
      'Returns what one request of your tenant used, what it is charged, and how that is computed. It is found for as long as the ledger is kept.',
    schema: requestSchema,
    fields: usageRequestFields,
    answer: 'UsageRequest',
  },
});
