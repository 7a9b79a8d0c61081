/**
 * Batches on Vertex: a file in a bucket of Cloud Storage, and a job that reads it there and writes beside it. Creating one twice makes
 * two: they are found by their display name, which is the id of the job. Sources: Google Cloud, "Batch inference with Gemini",
 * "Batch predictions with Anthropic Claude models", and projects.locations.batchPredictionJobs.
 */
import { GatewayError } from '../../../core/errors/errors.ts';
import { asObject, type JsonObject, objectsIn as objectsOf } from '../../../core/formats/json-object.ts';
import { readFailure } from '../../../protocols/google-generate-content/failure.ts';
import { asText } from '../../../protocols/json.ts';
import { finish, idIn, missing, postJson, readObject, settledStatuses } from '../answers.ts';
import type { BatchAccount, BatchForm, BucketJob, JobLine, JobState } from '../batch-form.ts';
import { resultsIn, streamOf } from '../json-lines.ts';
import { objectsIn } from './objects.ts';
import { claudeRows, geminiRows, type RowFormat, readRow, sharedByGemini } from './rows.ts';

const refused = 'The provider has no batches of such requests.';

const vertexBatches = (rows: RowFormat): BatchForm => ({
  limits: { lines: 200_000, bytes: 1_000_000_000 },
  isReady: (settings) => settings['batch-bucket'] !== undefined,
  refusal: (request) => (rows.path.test(request.path) ? rows.refusal(request) : refused),
  async submit(account, { id, path, lines }, note) {
    const model = idIn(rows.path.exec(path)?.[1]);
    const files = { bucket: bucketOf(account), prefix: prefixOf(id) };
    const { uri, put } = objectsIn(account, files.bucket);
    const input = `${files.prefix}input.jsonl`;
    await put(input, await streamOf(() => written(lines(), rows)));
    await note(files);
    const asked = {
      displayName: id,
      model,
      inputConfig: { instancesFormat: 'jsonl', gcsSource: { uris: [uri(input)] } },
      outputConfig: {
        predictionsFormat: 'jsonl',
        gcsDestination: { outputUriPrefix: uri(`${files.prefix}output`) },
      },
    };
    const { name } = await postJson(account, '/batchPredictionJobs', asked, readFailure);
    const upstream = { ...files, job: jobIn(name) };
    await note(upstream);
    return upstream;
  },
  async find(account, { id }, known) {
    const files = known ? read(known) : { bucket: bucketOf(account), prefix: prefixOf(id) };
    const filter = encodeURIComponent(`displayName="${id}"`);
    const response = await account.request('GET', `/batchPredictionJobs?pageSize=100&filter=${filter}`);
    const { batchPredictionJobs } = await readObject(response, readFailure);
    // The oldest first; the list begins with the newest.
    return objectsOf(batchPredictionJobs)
      .filter(({ displayName }) => displayName === id)
      .toReversed()
      .map(({ name }) => ({ ...files, job: jobIn(name) }));
  },
  async poll(account, upstream) {
    const response = await account.request('GET', jobPath(upstream));
    if (response.status === missing) return { state: 'missing' };
    return stateOf(await readObject(response, readFailure));
  },
  async *results(account, upstream) {
    const { bucket, prefix } = read(upstream);
    const { list, get } = objectsIn(account, bucket);
    const keys = (await list(`${prefix}output/`)).filter((key) => key.endsWith('.jsonl'));
    // What was written while the job ran may be written again at its end.
    const seen = new Set<string>();
    for (const key of keys) {
      for await (const result of resultsIn(await get(key), (row) => readRow(row, rows))) {
        if (!seen.has(result.id)) yield result;
        seen.add(result.id);
      }
    }
  },
  async cancel(account, upstream) {
    const response = await account.request('POST', `${jobPath(upstream)}:cancel`, {
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    await finish(response, readFailure, settledStatuses);
  },
  async remove(account, upstream) {
    const { bucket, prefix, job } = read(upstream);
    if (job !== undefined) {
      await finish(await account.request('DELETE', jobPath(upstream)), readFailure, settledStatuses);
    }
    const objects = objectsIn(account, bucket);
    for (const key of await objects.list(prefix)) await objects.delete(key);
  },
});

export const vertexGeminiBatches: BatchForm = { ...vertexBatches(geminiRows), shared: sharedByGemini };

export const vertexClaudeBatches: BatchForm = vertexBatches(claudeRows);

const prefixOf = (id: string): string => `vertex/${id}/`;

function bucketOf({ settings }: BatchAccount): string {
  const { 'batch-bucket': bucket } = settings;
  if (bucket !== undefined) return bucket;
  const message = 'No bucket is set for batches of Vertex (set GOOGLE_VERTEX_BATCH_BUCKET).';
  throw new GatewayError('upstream_credentials', message);
}

function read({ bucket, prefix, job }: JsonObject): BucketJob {
  return { bucket: idIn(bucket), prefix: idIn(prefix), ...(job !== undefined && { job: jobIn(job) }) };
}

/** The last part of its name. */
const jobIn = (value: unknown): string => idIn(/(?:^|\/)(\d{1,30})$/.exec(asText(value))?.[1]);

const jobPath = ({ job }: JsonObject): string => `/batchPredictionJobs/${jobIn(job)}`;

async function* written(lines: AsyncIterable<JobLine>, { write }: RowFormat): AsyncGenerator<string> {
  for await (const line of lines) yield write(line);
}

/** How those end that have results, and what became of the other rows. */
const endings: Readonly<Record<string, Pick<JobState, 'unanswered'>>> = {
  SUCCEEDED: {},
  PARTIALLY_SUCCEEDED: {},
  CANCELLED: { unanswered: 'cancelled' },
  EXPIRED: { unanswered: 'expired' },
};

function stateOf({ state, completionStats, error }: JsonObject): JobState {
  const name = asText(state).replace(/^JOB_STATE_/, '');
  const { successfulCount, failedCount } = asObject(completionStats);
  const counts = { completed: Number(successfulCount) || 0, failed: Number(failedCount) || 0 };
  if (name === 'FAILED') return { state: 'failed', problem: problemOf(asObject(error)), counts };
  return Object.hasOwn(endings, name)
    ? { state: 'ended', ...endings[name], counts }
    : { state: 'running', counts };
}

/** Its words may repeat what a row has. */
const problemOf = ({ code }: JsonObject): string =>
  typeof code === 'number' ? `The job failed with code ${code}.` : 'The provider failed the job.';
