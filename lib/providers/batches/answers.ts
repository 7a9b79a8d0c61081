/** Reads what a batch API answers about files and jobs: short JSON, or an error. */
import { GatewayError } from '../../core/errors/errors.ts';
import { exactJson } from '../../core/formats/exact-json.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type { HttpResponse } from '../../core/ports/http.ts';
import { readBody, readBytesInTime } from '../../transport/read-body.ts';
import type { BatchAccount } from './batch-form.ts';

/** What an error of the provider's protocol means. */
type ReadFailure = (failure: UpstreamFailure) => GatewayError;

/** The longest answer about files and jobs: a page of a list, or of results. */
const maxAnswerBytes = 128 * 1024 * 1024;

/** What an error may take to say why, before its status alone counts. */
const maxFailureBytes = 256 * 1024;
const maxFailureMs = 5_000;

export const missing = 404;

/** Of an attempt to end or to delete what has ended, or is gone. */
export const settledStatuses: readonly number[] = [400, missing, 409];

/** The same response. Rejects with the GatewayError of an error status. */
export async function expectSuccess(response: HttpResponse, readFailure: ReadFailure): Promise<HttpResponse> {
  const { status, headers } = response;
  if (status >= 200 && status <= 299) return response;
  const bytes = await readBytesInTime(response, maxFailureBytes, maxFailureMs);
  throw readFailure({ status, headers, body: new TextDecoder().decode(bytes) });
}

/** The parsed answer, with its numbers as they are written; see `exactJson`. */
export async function readAnswer(response: HttpResponse, readFailure: ReadFailure): Promise<unknown> {
  const text = await readBody(await expectSuccess(response, readFailure), maxAnswerBytes);
  const parsed = parseJson(text);
  if (parsed !== undefined) return exactJson(text, parsed);
  throw new GatewayError(
    'upstream_invalid_answer',
    'The provider returned a response that could not be read.',
  );
}

export const readObject = async (response: HttpResponse, readFailure: ReadFailure): Promise<JsonObject> =>
  asObject(await readAnswer(response, readFailure));

export async function postJson(
  account: BatchAccount,
  path: string,
  body: JsonObject,
  readFailure: ReadFailure,
): Promise<JsonObject> {
  const options = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return await readObject(await account.request('POST', path, options), readFailure);
}

/** Reads the answer to its end. A status of `settled` is no failure. */
export async function finish(
  response: HttpResponse,
  readFailure: ReadFailure,
  settled: readonly number[] = [missing],
): Promise<void> {
  const isFailure = !settled.includes(response.status);
  if (isFailure) await expectSuccess(response, readFailure);
  await readBytesInTime(response, maxFailureBytes, maxFailureMs);
}

/** The id of what was made. Rejects with `upstream_invalid_answer` where there is none. */
export function idIn(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new GatewayError('upstream_invalid_answer', 'The provider returned a response without an id.');
}

/** A time in Unix milliseconds, of Unix seconds or of a date; undefined for others. */
function millisecondsOf(value: unknown): number | undefined {
  const milliseconds = typeof value === 'number' ? value * 1_000 : Date.parse(String(value));
  return Number.isFinite(milliseconds) ? milliseconds : undefined;
}

/** Clocks differ: a job may be listed as older than its submission. */
const clockSkewMs = 600_000;

/** Whether something may have been made after the submission began. */
export function mayBeNewer(createdAt: unknown, submittingAt: number): boolean {
  return (millisecondsOf(createdAt) ?? submittingAt) >= submittingAt - clockSkewMs;
}

/** The most pages of a list that are looked through for a job. */
export const maxListPages = 50;
