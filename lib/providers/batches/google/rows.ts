/**
 * The rows of the Gemini API's batches: requests with a key, and for each an answer or a status. Sources: ai.google.dev,
 * "Batch API" and its reference; for embeddings, google-gemini/cookbook, quickstarts/Batch_mode.ipynb, with its output.
 */
import { asArray, asObject, type JsonObject } from '../../../core/formats/json-object.ts';
import { parseJson } from '../../../core/formats/parse-json.ts';
import { asText } from '../../../protocols/json.ts';
import type { LineRequest, LineResult } from '../batch-form.ts';
import { onOneLine } from '../json-lines.ts';

/** How a batch of requests with a path is created. */
export interface Kind {
  /** Of the path that creates it. */
  readonly action: string;
  readonly refusal: (request: LineRequest) => string | undefined;
  /** What stands under `request`, as JSON. */
  readonly request: (request: LineRequest) => string;
}

const contents: Kind = {
  action: 'batchGenerateContent',
  refusal: () => undefined,
  request: ({ body }) => onOneLine(body),
};

const requestsOf = ({ body }: LineRequest): readonly unknown[] =>
  asArray(asObject(typeof body === 'string' ? parseJson(body) : body).requests);

/** A row has one text, and so has its answer. */
const embeddings: Kind = {
  action: 'asyncBatchEmbedContent',
  refusal: (request) =>
    requestsOf(request).length === 1 ? undefined : 'A batch of the provider embeds one text with each line.',
  request: (request) => onOneLine(asObject(requestsOf(request)[0])),
};

const kinds: Readonly<Record<string, Kind>> = { generateContent: contents, batchEmbedContents: embeddings };

/** Undefined: there is no batch of such requests. */
export function kindOf(path: string): Kind | undefined {
  const [, action = ''] = /^\/models\/[^/:]+:(\w+)$/.exec(path) ?? [];
  return Object.hasOwn(kinds, action) ? kinds[action] : undefined;
}

export const rowOf = (kind: Kind, id: string, request: LineRequest): string =>
  `{"key":${JSON.stringify(id)},"request":${kind.request(request)}}`;

/** Undefined for a row without a key: no line has it. */
export function readRow(row: JsonObject): LineResult | undefined {
  const id = asText(row.key);
  if (id === '') return undefined;
  if (row.response !== undefined) {
    return { id, status: 200, body: JSON.stringify(answerOf(asObject(row.response))) };
  }
  return readStatus(id, asObject(row.error ?? row.status));
}

/** As the live API answers: it embeds several texts with each request. */
function answerOf(response: JsonObject): JsonObject {
  const { embedding, tokenCount, ...others } = response;
  if (embedding === undefined) return response;
  // A number of 64 bits is a text in Google's JSON.
  return { embeddings: [embedding], usageMetadata: { promptTokenCount: Number(tokenCount) || 0 }, ...others };
}

/** Source: googleapis/googleapis, google/rpc/code.proto, which names the HTTP status of each. */
const statuses: readonly (readonly [name: string, http: number])[] = [
  ['OK', 200],
  ['CANCELLED', 499],
  ['UNKNOWN', 500],
  ['INVALID_ARGUMENT', 400],
  ['DEADLINE_EXCEEDED', 504],
  ['NOT_FOUND', 404],
  ['ALREADY_EXISTS', 409],
  ['PERMISSION_DENIED', 403],
  ['RESOURCE_EXHAUSTED', 429],
  ['FAILED_PRECONDITION', 400],
  ['ABORTED', 409],
  ['OUT_OF_RANGE', 400],
  ['UNIMPLEMENTED', 501],
  ['INTERNAL', 500],
  ['UNAVAILABLE', 503],
  ['DATA_LOSS', 500],
  ['UNAUTHENTICATED', 401],
];

/** The name of a status by its number. */
export const statusName = (code: unknown): string => statuses[Number(code)]?.[0] ?? 'UNKNOWN';

/** A status by its number in gRPC, as the live API answers with it. */
function readStatus(id: string, status: JsonObject): LineResult {
  const code = Number(status.code);
  const [name, http] = statuses[code] ?? ['UNKNOWN', code >= 400 && code <= 599 ? code : 500];
  if (name === 'CANCELLED') return { id, unanswered: 'cancelled' };
  const error = { ...status, code: http, message: asText(status.message), status: name };
  return { id, status: http === 200 ? 500 : http, body: JSON.stringify({ error }) };
}
