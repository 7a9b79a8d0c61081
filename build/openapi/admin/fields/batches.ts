/** The descriptions of the fields of batches and files in the dashboard's API. */

const batch: Readonly<Record<string, string>> = {
  contract: 'Whose form the batch has: `openai` for `/v1/batches`, `anthropic` for `/v1/messages/batches`.',
  status_at: 'When it came to its status, in Unix seconds.',
  counts: 'What became of its lines so far.',
  total: 'All of its lines; 0 while its file is read.',
  completed: 'Lines that were answered.',
  failed: 'Lines that were answered with an error.',
  cancelled: 'Lines that a cancellation left without an answer.',
  expired: 'Lines that were not answered in time.',
  models: 'The models that its lines name.',
  jobs: 'How many jobs it has.',
  use: 'What the answered lines have used; null: nothing was answered yet.',
  input_tokens: 'Tokens of the input.',
  cached_tokens: 'Of these, tokens that were read from a cache.',
  output_tokens: 'Tokens of the output.',
  reasoning_tokens: 'Of these, tokens of reasoning.',
};

export const batchDescriptions: Readonly<Record<string, string>> = {
  'admin-batches-retrieve.batch_id': 'The id of the batch.',
  'admin-batches-cancel.batch_id': 'The id of the batch.',
  ...ofEach(['BatchList', 'BatchDetails'], batch),
  'BatchList.has_ended': 'Whether batches that have ended are among them: false without a tenant.',
  'BatchDetails.mode': '`any`: lines without a batch API of their provider are answered as single requests.',
  'BatchDetails.input_file_id': 'The file with its lines.',
  'BatchDetails.output_file_id': 'The file with the answers; null: there is none.',
  'BatchDetails.error_file_id': 'The file with the lines that failed; null: there is none.',
  'BatchDetails.problems': 'Why its file was refused.',
  'BatchDetails.line': 'The line of the file, from 1; null: the whole file.',
  'BatchDetails.plan': 'What was planned for the lines of each model.',
  'BatchDetails.price_factor':
    'The price in relation to the list price, 0.5 for half of it; null: not known.',
  'BatchDetails.by':
    'The provider whose batch API answers the lines, in a plan `native`; `live`: they are single requests.',
  'BatchDetails.lines': 'How many lines.',
  'BatchDetails.job_list': 'Its jobs: lines of one deployment that are sent together.',
  'BatchDetails.n': 'The number of the job, from 0.',
  'BatchDetails.attempts': 'How often it was submitted.',
  'BatchDetails.polls': 'How often the provider was asked for it.',
  'BatchDetails.next_poll_at': 'When the provider is asked again, in Unix seconds; null: not any more.',
  'BatchDetails.is_cancelled': 'Whether the provider was asked to cancel it.',
  'BatchDetails.held_nano_usd': 'What is reserved for it in nano-dollars; null: nothing.',
  'FileList.filename': 'The name of the file.',
  'FileList.purpose': 'What the file is for.',
  'FileList.bytes': 'Its size.',
};

function ofEach(components: readonly string[], fields: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    components.flatMap((component) =>
      Object.entries(fields).map(([field, description]) => [`${component}.${field}`, description]),
    ),
  );
}
