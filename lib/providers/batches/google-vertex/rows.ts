/**
 * The rows of batches on Vertex. Those of Claude have an id; those of Gemini come back with the request, whose label is the id.
 * Sources: Google Cloud, "Batch inference from Cloud Storage" and "Batch predictions with Anthropic Claude models"; for labels as ids,
 * BerriAI/litellm, vertex_ai/files/transformation.py.
 */
import { exactJson } from '../../../core/formats/exact-json.ts';
import { asArray, asObject, isJsonObject, type JsonObject } from '../../../core/formats/json-object.ts';
import { parseJson } from '../../../core/formats/parse-json.ts';
import { asText } from '../../../protocols/json.ts';
import type { JobLine, LineRequest, LineResult } from '../batch-form.ts';
import { onOneLine } from '../json-lines.ts';

/** How the rows of a publisher's models are written and read. */
export interface RowFormat {
  readonly path: RegExp;
  readonly refusal: (request: LineRequest) => string | undefined;
  readonly write: (line: JobLine) => string;
  /** The id of a row that comes back. */
  readonly id: (row: JsonObject) => string;
}

const label = 'gateway-line';

export const geminiRows: RowFormat = {
  path: /^\/(publishers\/google\/models\/[^/:]+):generateContent$/,
  refusal: (request) => {
    const body = bodyOf(request);
    if (depthOf(body) > maxDepth)
      return 'A batch of the provider has no requests that are nested this deeply.';
    return hasDefinitions(schemasOf(body))
      ? 'A batch of the provider has no schemas with definitions.'
      : undefined;
  },
  write: ({ id, request }) => `{"request":${onOneLine({ ...bodyOf(request), labels: { [label]: id } })}}\n`,
  id: ({ request }) => asText(asObject(asObject(request).labels)[label]),
};

export const claudeRows: RowFormat = {
  path: /^\/(publishers\/anthropic\/models\/[^/:]+):rawPredict$/,
  // They are a header, which a row has not.
  refusal: ({ headers = {} }) =>
    headers['anthropic-beta'] === undefined ? undefined : 'A batch of the provider has no beta features.',
  write: ({ id, request }) => `{"custom_id":${JSON.stringify(id)},"request":${onOneLine(request.body)}}\n`,
  id: ({ custom_id: id }) => asText(id),
};

function bodyOf({ body }: LineRequest): JsonObject {
  return typeof body === 'string' ? asObject(exactJson(body, parseJson(body))) : body;
}

/** The schemas of answers and of functions: Vertex reads one type for each field over the whole file, so that a job has the same. */
function schemasOf(body: JsonObject): readonly unknown[] {
  const { responseSchema, responseJsonSchema } = asObject(body.generationConfig);
  return [responseSchema ?? responseJsonSchema ?? null, asArray(body.tools)];
}

export const sharedByGemini = (request: LineRequest): string => JSON.stringify(schemasOf(bodyOf(request)));

/** What BigQuery's columns may be nested, through which such a file is read. */
const maxDepth = 15;

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function hasDefinitions(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasDefinitions);
  return (
    isJsonObject(value) && ('$defs' in value || '$ref' in value || Object.values(value).some(hasDefinitions))
  );
}

/** Undefined for a row without an id: no line has it. */
export function readRow(row: JsonObject, { id: idOf }: RowFormat): LineResult | undefined {
  const id = idOf(row);
  if (id === '') return undefined;
  const status = asText(row.status);
  if (status === '') return { id, status: 200, body: JSON.stringify(asObject(row.response)) };
  return readStatus(id, status);
}

/** A failure in words, behind which is often the live API's answer: `Bad Request: {"error": {"code": 400, …}}`. */
function readStatus(id: string, status: string): LineResult {
  const given = asObject(parseJson(status.slice(status.indexOf('{'))));
  const { error } = given;
  if (error === undefined) {
    const failure = { code: 500, message: status, status: 'INTERNAL' };
    return { id, status: 500, body: JSON.stringify({ error: failure }) };
  }
  return { id, status: codeOf(asObject(error)), body: JSON.stringify(given) };
}

/** Google's errors have a number, Anthropic's a type. */
function codeOf({ code, type }: JsonObject): number {
  const number = Number(code);
  if (number >= 400 && number <= 599) return number;
  return asText(type) === 'invalid_request_error' ? 400 : 500;
}
