/** The rows of Bedrock's batches. Source: AWS, Bedrock user guide, "Format and upload your batch inference data", "View the results". */
import { asObject, type JsonObject } from '../../../core/formats/json-object.ts';
import { parseJson } from '../../../core/formats/parse-json.ts';
import { asCount, asText } from '../../../protocols/json.ts';
import type { JobLine, LineRequest, LineResult } from '../batch-form.ts';
import { onOneLine } from '../json-lines.ts';

export const rowOf = ({ id, request }: JobLine): string =>
  `{"recordId":${JSON.stringify(id)},"modelInput":${onOneLine(request.body)}}\n`;

/** How a job calls the model for requests with a path, and which model; undefined: there is no job of such requests. */
export function invocationOf(path: string) {
  const [, model = '', action = ''] = /^\/model\/([^/]+)\/(invoke|converse)$/.exec(path) ?? [];
  if (model === '') return undefined;
  return {
    modelId: decodeURIComponent(model),
    modelInvocationType: action === 'converse' ? 'Converse' : 'InvokeModel',
  } as const;
}

/** Records with tools fail in jobs of the Converse API. Source: AWS, Bedrock user guide, "Process multiple prompts with batch inference". */
export function refusalOf({ path, body }: LineRequest): string | undefined {
  const invocation = invocationOf(path);
  if (!invocation) return 'The provider has no batches of such requests.';
  if (invocation.modelInvocationType === 'InvokeModel') return undefined;
  const request = asObject(typeof body === 'string' ? parseJson(body) : body);
  return request.toolConfig === undefined
    ? undefined
    : 'The provider has no batches of requests with tools for this model.';
}

/** Undefined for a row without an id: no line has it. */
export function readRow(row: JsonObject): LineResult | undefined {
  const id = asText(row.recordId);
  if (id === '') return undefined;
  if (row.modelOutput === undefined) return readError(id, asObject(row.error));
  const output = asObject(row.modelOutput);
  return { id, status: 200, headers: headersOf(output), body: JSON.stringify(output) };
}

/** Beside an answer of InvokeModel is a count, which some bodies have, too. */
function headersOf({ inputTextTokenCount }: JsonObject): Readonly<Record<string, string>> {
  const tokens = asCount(inputTextTokenCount);
  return tokens > 0 ? { 'x-amzn-bedrock-input-token-count': `${tokens}` } : {};
}

/** Errors of the live API by their statuses. Source: AWS, Bedrock API reference, InvokeModel and Converse. */
const types: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
};

function readError(id: string, { errorCode, errorMessage }: JsonObject): LineResult {
  const code = Number(errorCode);
  const status = code >= 400 && code <= 599 ? code : 500;
  const headers = { 'x-amzn-errortype': types[status] ?? 'InternalServerException' };
  return { id, status, headers, body: JSON.stringify({ message: asText(errorMessage) }) };
}
