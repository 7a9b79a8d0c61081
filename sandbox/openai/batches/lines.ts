/** Reads the file of a batch. The first line that is wrong fails it as a whole. */

import { parseJson } from '../../../lib/core/formats/parse-json.ts';
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import type { BatchLine } from '../../batches/job.ts';
import { isObject, objectOf, textOf } from '../../json.ts';
import { exists } from '../models.ts';

/** Why a file is refused, in the words of OpenAI's batch object. */
export interface LineProblem {
  readonly code: string;
  readonly message: string;
  readonly line: number | null;
  readonly param: string | null;
}

export interface LineRules {
  /** Lines have only an id and a body. */
  readonly isBare?: true;
  /** Fields of the bodies that are the same in all lines. */
  readonly alike?: readonly string[];
  /** Its models are OpenAI's. */
  readonly ofOpenai?: true;
}

/** What is said once for all lines. */
interface LineDefaults {
  /** As the provider writes it: `/v1/…`. */
  readonly endpoint: string;
  readonly model?: string | undefined;
}

interface ReadLines {
  readonly lines: readonly BatchLine[];
  readonly problem?: LineProblem;
}

const problemOf = (line: number | null, code: string, message: string, param: string | null = null) => ({
  lines: [],
  problem: { code, message, line, param },
});

/** Sources of the codes: the errors that users of OpenAI's Batch API quote, in the issues of its clients. */
export function readLines(bytes: Buffer, rules: LineRules, defaults: LineDefaults): ReadLines {
  const texts = bytes
    .toString('utf8')
    .split('\n')
    .filter((text) => text.trim() !== '');
  if (texts.length === 0) return problemOf(null, 'empty_file', 'The input file is empty.');
  const lines: BatchLine[] = [];
  const ids = new Set<string>();
  const kinds = new Set<string>();
  for (const [index, text] of texts.entries()) {
    const n = index + 1;
    const line = parse(text);
    if (line === undefined)
      return problemOf(n, 'invalid_json_line', 'This line is not parseable as valid JSON.');
    const missing = ['custom_id', ...(rules.isBare ? [] : ['method', 'url']), 'body'].find(
      (name) => !(name in line),
    );
    if (missing !== undefined)
      return problemOf(n, 'missing_required_parameter', `Missing required parameter: '${missing}'.`, missing);
    const found = faultOf(line, rules, defaults);
    if (found) return problemOf(n, ...found);
    const id = textOf(line.custom_id);
    if (ids.has(id))
      return problemOf(n, 'duplicate_custom_id', `The custom_id '${id}' was already used.`, 'custom_id');
    ids.add(id);
    const body: JsonObject = {
      ...(defaults.model !== undefined && { model: defaults.model }),
      ...objectOf(line.body),
    };
    const { alike = [] } = rules;
    kinds.add(JSON.stringify(alike.map((name) => body[name])));
    if (kinds.size > 1)
      return problemOf(
        n,
        'mismatched_model',
        `All lines must have the same ${alike.join(' and ')}.`,
        'body.model',
      );
    const url = rules.isBare ? defaults.endpoint : textOf(line.url);
    lines.push({ id, path: url.replace(/^\/v1/, ''), body });
  }
  return { lines };
}

const isServed = (model: string): boolean => exists(model) || model.startsWith('text-embedding-');

type Fault = readonly [code: string, message: string, param: string];

function faultOf(
  { method, url, body, custom_id: id }: JsonObject,
  { isBare, ofOpenai }: LineRules,
  { endpoint }: LineDefaults,
): Fault | undefined {
  if (textOf(id) === '') return ['invalid_value', 'The custom_id is empty.', 'custom_id'];
  if (!isBare && method !== 'POST') return ['invalid_method', 'The method must be POST.', 'method'];
  if (!isBare && url !== endpoint)
    return ['invalid_url', `The URL provided for this request does not match the batch endpoint.`, 'url'];
  if (!isObject(body)) return ['invalid_value', 'The body is no object.', 'body'];
  if (body.stream === true)
    return ['streaming_unsupported', 'Streaming is not supported in the Batch API.', 'body.stream'];
  if (ofOpenai && !isServed(textOf(body.model)))
    return ['model_not_found', `The provided model '${textOf(body.model)}' is not supported.`, 'body.model'];
  return undefined;
}

function parse(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}
