/** A line of a result file as a line of Anthropic's results. */

import type { ResultLine } from '../../core/batches.ts';
import { lineCancelled, lineExpired } from '../../core/batches.ts';
import { exactJson } from '../../core/formats/exact-json.ts';
import { jsonLine } from '../../core/formats/json-lines.ts';
import { asObject, type JsonObject } from '../../core/formats/json-object.ts';

export function resultLine(text: string): string {
  const line = asObject<ResultLine>(exactJson(text, JSON.parse(text)));
  return jsonLine({ custom_id: line.custom_id, result: resultOf(line) });
}

function resultOf({ response, error }: ReturnType<typeof asObject<ResultLine>>): JsonObject {
  const { status_code: status, body } = asObject<NonNullable<ResultLine['response']>>(response);
  if (status === 200) return { type: 'succeeded', message: body };
  if (response != null) return { type: 'errored', error: body };
  const { code, message } = asObject<NonNullable<ResultLine['error']>>(error);
  if (code === lineCancelled) return { type: 'canceled' };
  if (code === lineExpired) return { type: 'expired' };
  // Of a line that was not sent, and has no request.
  const failed = { type: 'invalid_request_error', message, param: null, code };
  return { type: 'errored', error: { type: 'error', error: failed, request_id: null } };
}
