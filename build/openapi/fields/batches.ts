/** What the fields of batches are. */
import type { Fields } from '../describe-fields.ts';

export const batchIdFields: Fields = { batch_id: 'The id of the batch.' };

export const messageBatchIdFields: Fields = { message_batch_id: 'The id of the batch.' };

const extra: Fields = {
  extra: 'What the gateway adds.',
  'extra.batch':
    '`native`: a line whose provider has no batch API is refused (`batch_not_supported`). `any`: it is a single request, at its price. Without it, as the operator has set it.',
  'extra.dry_run':
    '`true`: the lines are only read and planned. The batch ends as `completed`, with its plan and without files, and costs nothing.',
};

export const createBatchFields: Fields = {
  input_file_id:
    'A file with the purpose `batch`: a line of JSON for each request, `{"custom_id", "method": "POST", "url", "body"}`, where `url` is the `endpoint`. The lines may have different models.',
  endpoint: 'The operation that each line is a request of.',
  completion_window: 'How long the batch may take. What has no answer then expires.',
  metadata: 'Pairs of your own, which the batch has.',
  output_expires_after: 'For how long the files of answers are kept. 30 days when it is not set.',
  'output_expires_after.anchor': 'From when on it is counted.',
  'output_expires_after.seconds': 'The time in seconds.',
  ...extra,
};

export const listBatchesFields: Fields = {
  limit: 'How many batches a page has.',
  after: 'The `id` of the last batch of the page before.',
};

export const createMessageBatchFields: Fields = {
  requests: 'The requests. Their models may differ. Their number is also bounded by the size of a body.',
  'requests[].custom_id': 'Your own id of the request, different from all others: its result has it.',
  'requests[].params': 'The body of a message, as of `POST /v1/messages`, without `stream`.',
  requests_file_id:
    'In place of `requests`: a file with the purpose `batch`, with a line of JSON for each request, `{"custom_id", "params"}`.',
  user_profile_id: 'Ignored.',
  ...extra,
};

export const listMessageBatchesFields: Fields = {
  limit: 'How many batches a page has.',
  after_id: 'Only batches after the one with this id, which are older.',
  before_id: 'Only batches before the one with this id, which are newer.',
};
