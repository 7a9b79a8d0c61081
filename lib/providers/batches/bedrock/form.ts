/**
 * Batches of Amazon Bedrock: a file in a bucket, and a job that reads it there with a role of its own and writes beside it. Creating
 * a job again with the same token gives the same job. Sources: AWS, Bedrock API reference, CreateModelInvocationJob and
 * GetModelInvocationJob; Bedrock user guide, "Process multiple prompts with batch inference".
 */
import { GatewayError } from '../../../core/errors/errors.ts';
import { asObject, type JsonObject, objectsIn as objectsOfList } from '../../../core/formats/json-object.ts';
import { readFailure } from '../../../protocols/bedrock-converse/failure.ts';
import { asCount, asText } from '../../../protocols/json.ts';
import { scrubProviderMessage } from '../../../protocols/provider-message.ts';
import { finish, idIn, missing, postJson, readObject, settledStatuses } from '../answers.ts';
import type { BatchAccount, BatchForm, BucketJob, JobLine, JobState } from '../batch-form.ts';
import { resultsIn, streamOf } from '../json-lines.ts';
import { objectsIn } from './objects.ts';
import { invocationOf, readRow, refusalOf, rowOf } from './rows.ts';

const inputName = 'input.jsonl';

export const bedrockBatches: BatchForm = {
  // Source: AWS general reference, "Amazon Bedrock endpoints and quotas": the lowest of those of all models.
  limits: { lines: 50_000, bytes: 1_000_000_000, minLines: 100 },
  isReady: (settings) => settings['batch-bucket'] !== undefined && settings['batch-role'] !== undefined,
  refusal: refusalOf,
  async submit(account, { id, path, lines }, note) {
    const { bucket, role } = settingsOf(account);
    const files = { bucket, prefix: prefixOf(id) };
    const { uri, put } = objectsIn(account, bucket);
    await put(`${files.prefix}${inputName}`, await streamOf(() => rowsOf(lines())));
    await note(files);
    const asked = {
      jobName: id,
      clientRequestToken: id,
      roleArn: role,
      ...invocationOf(path),
      inputDataConfig: { s3InputDataConfig: { s3Uri: uri(`${files.prefix}${inputName}`) } },
      outputDataConfig: { s3OutputDataConfig: { s3Uri: uri(`${files.prefix}output/`) } },
      // The shortest.
      timeoutDurationInHours: 24,
    };
    const jobs = controlUrl(account, '/model-invocation-job');
    const created = await postJson(account, jobs, asked, readFailure);
    const upstream = { ...files, job: jobIn(created.jobArn) };
    await note(upstream);
    return upstream;
  },
  async find(account, { id }, known) {
    const files = known ? read(known) : { bucket: settingsOf(account).bucket, prefix: prefixOf(id) };
    const query = `nameContains=${id}&sortBy=CreationTime&sortOrder=Ascending&maxResults=100`;
    const response = await account.request('GET', controlUrl(account, `/model-invocation-jobs?${query}`));
    const { invocationJobSummaries } = await readObject(response, readFailure);
    return objectsOfList(invocationJobSummaries)
      .filter(({ jobName }) => jobName === id)
      .map(({ jobArn }) => ({ ...files, job: jobIn(jobArn) }));
  },
  async poll(account, upstream) {
    const response = await account.request('GET', jobUrl(account, upstream));
    if (response.status === missing) return { state: 'missing' };
    return stateOf(await readObject(response, readFailure));
  },
  async *results(account, upstream) {
    const { bucket, prefix, job } = read(upstream);
    const { list, get } = objectsIn(account, bucket);
    for (const key of await list(`${prefix}output/${job}/`)) {
      if (key.endsWith('.jsonl.out')) yield* resultsIn(await get(key), readRow);
    }
  },
  async cancel(account, upstream) {
    const response = await account.request('POST', `${jobUrl(account, upstream)}/stop`, { body: '' });
    await finish(response, readFailure, settledStatuses);
  },
  // The job itself cannot be deleted.
  async remove(account, upstream) {
    const { bucket, prefix } = read(upstream);
    const objects = objectsIn(account, bucket);
    for (const key of await objects.list(prefix)) await objects.delete(key);
  },
};

const prefixOf = (id: string): string => `bedrock/${id}/`;

function settingsOf({ settings }: BatchAccount) {
  const { 'batch-bucket': bucket, 'batch-role': role } = settings;
  if (bucket !== undefined && role !== undefined) return { bucket, role };
  const message =
    'No bucket and role are set for batches of Bedrock (set BEDROCK_BATCH_BUCKET, BEDROCK_BATCH_ROLE).';
  throw new GatewayError('upstream_credentials', message);
}

function read({ bucket, prefix, job }: JsonObject): BucketJob {
  return { bucket: idIn(bucket), prefix: idIn(prefix), ...(job !== undefined && { job: jobIn(job) }) };
}

/** The last part of a job's ARN is an id, too. */
const jobIn = (value: unknown): string => idIn(/(?:^|\/)([a-z0-9]{12})$/.exec(asText(value))?.[1]);

/** Jobs are made beside the models, at another address. */
const controlUrl = (account: BatchAccount, path: string): string =>
  `${account.endpointOf('bedrock', account.region)}${path}`;

const jobUrl = (account: BatchAccount, { job }: JsonObject): string =>
  controlUrl(account, `/model-invocation-job/${jobIn(job)}`);

async function* rowsOf(lines: AsyncIterable<JobLine>): AsyncGenerator<string> {
  for await (const line of lines) yield rowOf(line);
}

/** How those end that have results, and what became of the other records. */
const endings: Readonly<Record<string, Pick<JobState, 'unanswered'>>> = {
  Completed: {},
  PartiallyCompleted: { unanswered: 'expired' },
  Expired: { unanswered: 'expired' },
  Stopped: { unanswered: 'cancelled' },
};

function stateOf(job: JsonObject): JobState {
  const status = asText(job.status);
  const counts = { completed: asCount(job.successRecordCount), failed: asCount(job.errorRecordCount) };
  if (status === 'Failed') return { state: 'failed', problem: problemOf(job), counts };
  return Object.hasOwn(endings, status)
    ? { state: 'ended', ...endings[status], counts }
    : { state: 'running', counts };
}

/** What was wrong with the files, the role or the model. */
const problemOf = (job: JsonObject): string =>
  scrubProviderMessage(asText(asObject(job).message)) || 'The provider failed the job.';
