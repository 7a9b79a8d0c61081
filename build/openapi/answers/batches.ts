/** The answers of the operations on batches, in the forms of OpenAI and of Anthropic. */
import * as z from 'zod';
import { batchModes } from '../../../lib/operations/batches/given-options.ts';
import {
  always,
  choice,
  count,
  flag,
  integer,
  list,
  named,
  nullable,
  object,
  text,
  unixSeconds,
} from './shared.ts';

const planned = named('BatchPlan', 'What becomes of the lines of one model.', {
  model: text('The model, as `owner/model`.'),
  provider: text('The provider that answers them.'),
  region: text('Its region.'),
  lines: count('How many lines there are.'),
  by: choice(
    ['native', 'live'],
    "`native`: a job of the provider's batch API. `live`: a request of its own for each line.",
  ),
  price_factor: nullable(z.number()).describe(
    'The price in relation to the list price; null if it is not known.',
  ),
});

const money = (description: string) => nullable(z.number()).describe(description);

const extra = {
  mode: choice(
    batchModes,
    '`native`: lines whose provider has no batch API are refused. `any`: they are single requests.',
  ),
  dry_run: z.literal(true).optional().describe('The batch was only planned.'),
  plan: list(planned, 'How the lines are answered. Empty until they have been read.'),
  cost: money('What the batch is charged, in US dollars; null until it has ended, or if it is not known.'),
  saving: money(
    'How much more the same requests would have been charged at list prices, in US dollars; null until then, or where not all lines have the same `price_factor`.',
  ),
};

const problem = object('What is wrong with the file.', {
  code: text('The kind of error, for example `duplicate_custom_id`.'),
  message: text('What is wrong.'),
  line: nullable(integer('The line, from 1.')),
  param: nullable(text('The field of the line.')),
});

const reached = (status: string) =>
  nullable(integer(`When it came to the status \`${status}\`, in Unix seconds.`));

export const batch = named('Batch', "A batch, in the form of OpenAI's API.", {
  id: text('Its id.'),
  object: always('batch'),
  endpoint: text('The operation that each line is a request of.'),
  model: text('The model of the lines, if they have the same one.').optional(),
  errors: nullable(
    object('Why the file was refused as a whole.', {
      object: always('list'),
      data: list(problem, 'Up to a hundred problems.'),
    }),
  ),
  input_file_id: text('The file with the requests.'),
  completion_window: always('24h'),
  status: choice(
    ['validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled'],
    'How far it is. `failed`, `completed`, `expired` and `cancelled` are the last ones.',
  ),
  output_file_id: nullable(text('The file with the answers; null until the end, and where no line has one.')),
  error_file_id: nullable(
    text('The file with the lines that failed, or were not answered; null where there are none.'),
  ),
  created_at: unixSeconds,
  expires_at: integer('When what has no answer yet expires, in Unix seconds.'),
  in_progress_at: reached('in_progress'),
  finalizing_at: reached('finalizing'),
  completed_at: reached('completed'),
  failed_at: reached('failed'),
  expired_at: reached('expired'),
  cancelling_at: reached('cancelling'),
  cancelled_at: reached('cancelled'),
  request_counts: object('How many lines there are.', {
    total: count('In all; 0 until the file has been read.'),
    completed: count('Answered.'),
    failed: count('Answered with an error.'),
  }),
  metadata: nullable(z.record(z.string(), z.string())).describe('The pairs of the request.'),
  usage: object('What all answers together have used. Absent until there is one.', {
    input_tokens: count('Tokens of the input.'),
    input_tokens_details: object('What is known of them.', {
      cached_tokens: count('Tokens that were read from a cache.'),
    }),
    output_tokens: count('Tokens of the output.'),
    output_tokens_details: object('What is known of them.', {
      reasoning_tokens: count('Tokens of the reasoning.'),
    }),
    total_tokens: count('Both.'),
  }).optional(),
  extra: object('What the gateway adds.', extra),
});

export const batches = named('Batches', 'A list of batches.', {
  object: always('list'),
  data: list(batch, 'The batches, the newest first.'),
  first_id: nullable(text('The id of the first batch of this page.')),
  last_id: nullable(text('The id of the last batch of this page.')),
  has_more: flag('Whether there are more batches after this page.'),
});

const time = (description: string) => text(`${description}, in RFC 3339.`);

export const messageBatch = named('MessageBatch', "A message batch, in the form of Anthropic's API.", {
  id: text('Its id.'),
  type: always('message_batch'),
  processing_status: choice(['in_progress', 'canceling', 'ended'], 'How far it is.'),
  request_counts: object(
    'How many requests there are. Until the batch has ended, all of them are `processing`.',
    {
      processing: count('Not ended.'),
      succeeded: count('Answered.'),
      errored: count('Answered with an error.'),
      canceled: count('Not sent, or ended before an answer, because the batch was canceled.'),
      expired: count('Without an answer when the batch expired.'),
    },
  ),
  created_at: time('When it was created'),
  expires_at: time('When what has no answer yet expires'),
  ended_at: nullable(time('When it ended')),
  cancel_initiated_at: nullable(time('When it was canceled')),
  archived_at: nullable(time('When its results were deleted')),
  results_url: nullable(text('Where its results are read, at this gateway; null until it has ended.')),
  extra: object('What the gateway adds.', {
    ...extra,
    output_file_id: nullable(text('The file that the answers are read from, in the form of `/v1/batches`.')),
    error_file_id: nullable(text('The file that all other results are read from.')),
    errors: list(problem, 'Why the file of requests was refused as a whole. Only where it was.').optional(),
  }),
});

export const messageBatches = named('MessageBatches', 'A list of message batches.', {
  data: list(messageBatch, 'The batches, the newest first.'),
  has_more: flag('Whether there are more batches beyond this page.'),
  first_id: nullable(text('The id of the first batch of this page.')),
  last_id: nullable(text('The id of the last batch of this page.')),
});

export const deletedMessageBatch = named('DeletedMessageBatch', 'A batch that is no longer stored.', {
  id: text('Its id.'),
  type: always('message_batch_deleted'),
});
