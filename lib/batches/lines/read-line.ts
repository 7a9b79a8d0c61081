/** Reads a line of the file of a batch: whose request it is, and what it asks for. */
import { isUtf8 } from 'node:buffer';
import type { Batch, BatchProblem } from '../../core/batches.ts';
import { exactJson } from '../../core/formats/exact-json.ts';
import type { FileLine } from '../../core/formats/json-lines.ts';
import { isJsonObject, type JsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { operationNamed } from '../../core/operations.ts';
import type { BatchLine } from '../ports.ts';

/** The longest line, in bytes: that of a request of its own. */
export const maxLineBytes = 10 * 1024 * 1024;

const maxCustomIdLength = 512;

/** Of Anthropic's contract. */
const anthropicId = /^[a-zA-Z0-9_-]{1,64}$/;

type ReadLine =
  | { readonly line: BatchLine }
  | { readonly problem: Omit<BatchProblem, 'line'> }
  /** There is nothing in it. */
  | undefined;

/** Deeper than a request may be, which has an answer that says so. What is far deeper can be read as JSON, and not be written again. */
const maxDepth = 200;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)));

const megabytes = maxLineBytes / 1024 / 1024;

export function readLine(
  { operation, contract }: Pick<Batch, 'contract' | 'operation'>,
  { n, bytes }: FileLine,
): ReadLine {
  if (!bytes) return problem('line_too_long', `A line has at most ${megabytes} MB.`);
  if (!isUtf8(bytes)) return problem('invalid_json_line', 'This line is not valid UTF-8.');
  const text = bytes.toString('utf8');
  if (text.trim() === '') return undefined;
  const parsed = parseJson(text);
  if (!isJsonObject(parsed)) return problem('invalid_json_line', 'This line is not a JSON object.');
  if (isDeeper(parsed, maxDepth))
    return problem('invalid_json_line', `This line is nested deeper than ${maxDepth} levels.`);
  const { custom_id: customId } = parsed;
  if (customId === undefined) return missing('custom_id');
  const idProblem = problemOfId(customId, contract);
  if (idProblem) return idProblem;
  if (contract === 'openai') {
    const { path } = operationNamed(operation);
    const { method, url } = parsed;
    if (method === undefined) return missing('method');
    if (method !== 'POST') return problem('invalid_method', "The method must be 'POST'.", 'method');
    if (url === undefined) return missing('url');
    if (url !== path)
      return problem('invalid_url', `The url must be that of the batch's endpoint, '${path}'.`, 'url');
  }
  const name = contract === 'anthropic' && parsed.body === undefined ? 'params' : 'body';
  const { [name]: body } = parsed;
  if (body === undefined) return missing(name);
  if (!isJsonObject(body)) return problem('invalid_request', `The ${name} must be a JSON object.`, name);
  if (body.stream === true && contract === 'openai')
    return problem('streaming_unsupported', 'An answer of a batch cannot be a stream.', 'body.stream');
  if (isDryRun(body))
    return problem(
      'dry_run_unsupported',
      'A line cannot be a dry run: make one of its batch.',
      `${name}.extra.dry_run`,
    );
  const { [name]: exact } = exactJson(text, parsed) as JsonObject;
  return { line: { n, customId: String(customId), body: JSON.stringify(exact) } };
}

const isDryRun = ({ extra }: JsonObject): boolean => isJsonObject(extra) && extra.dry_run === true;

function problemOfId(customId: unknown, contract: Batch['contract']): ReadLine {
  if (typeof customId !== 'string' || customId === '')
    return problem('invalid_custom_id', 'The custom_id must be a text that is not empty.', 'custom_id');
  if (contract === 'anthropic' && !anthropicId.test(customId))
    return problem(
      'invalid_custom_id',
      'The custom_id must have 1 to 64 letters, digits, hyphens and underscores.',
      'custom_id',
    );
  if (customId.length > maxCustomIdLength)
    return problem(
      'invalid_custom_id',
      `The custom_id has at most ${maxCustomIdLength} characters.`,
      'custom_id',
    );
  return undefined;
}

const problem = (code: string, message: string, param?: string): ReadLine => ({
  problem: { code, message, ...(param !== undefined && { param }) },
});

const missing = (name: string): ReadLine =>
  problem('missing_required_parameter', `Missing required parameter: '${name}'.`, name);
