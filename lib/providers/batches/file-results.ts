/** The results of batches of OpenAI's shape: files of lines, those of answers and those of failures alike. */
import { asObject } from '../../core/formats/json-object.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { asOptionalText, asText, lookUp } from '../../protocols/json.ts';
import { readFailure } from '../../protocols/openai-chat/failure.ts';
import { expectSuccess } from './answers.ts';
import type { BatchAccount, LineResult } from './batch-form.ts';
import { resultsIn } from './json-lines.ts';

/** Without an answer. Sources: OpenAI's reference of the request output object; docs.deepinfra.com, "Batch API". */
const unanswered: Readonly<Record<string, 'cancelled' | 'expired'>> = {
  batch_expired: 'expired',
  batch_cancelled: 'cancelled',
};

/** The status that the live API has for what a line only names by a code. */
const statuses: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_request_error: 400,
  rate_limit_exceeded: 429,
  request_timeout: 504,
};

/** The results in a file. A line that is none is left out. */
export async function* readResults(account: BatchAccount, file: string): AsyncGenerator<LineResult> {
  const response = await account.request('GET', `/files/${file}/content`);
  const { body } = await expectSuccess(response, readFailure);
  yield* resultsIn(body, resultOf);
}

function resultOf({ custom_id, response, error }: JsonObject): LineResult | undefined {
  const id = asOptionalText(custom_id);
  if (id === undefined) return undefined;
  const { status_code: status, body, ...others }: JsonObject = asObject(response);
  if (typeof status === 'number') return { id, status, body: bodyOf(body, others) };
  const { code, message = error, ...more }: JsonObject = asObject(error);
  const name = asText(code);
  const why = lookUp(unanswered, name);
  if (why) return { id, unanswered: why };
  const failure = { error: { ...more, message: asText(message), code: code ?? null } };
  return { id, status: lookUp(statuses, name) ?? 500, body: JSON.stringify(failure) };
}

/** A failure may stand beside its status, without a body. */
const bodyOf = (body: unknown, others: JsonObject): string =>
  typeof body === 'string' ? body : JSON.stringify(body ?? { error: others });
