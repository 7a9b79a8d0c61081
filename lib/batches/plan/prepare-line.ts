/** Prepares one line for a job of a batch API that takes it; else, where its batch allows that, for a request of its own. */
import type { Batch } from '../../core/batches.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { lineRequestId } from '../../core/names/request-id.ts';
import type { BatchForm } from '../../providers/batches/batch-form.ts';
import { errorAnswer } from '../lines/error-answer.ts';
import {
  type BatchLine,
  type BatchParts,
  deploymentKey,
  type LineAnswer,
  type LiveLine,
  type PreparedLine,
} from '../ports.ts';

type Prepared =
  | { readonly by: 'native'; readonly line: PreparedLine; readonly form: BatchForm }
  | { readonly by: 'live'; readonly line: LiveLine }
  | { readonly by: 'refused'; readonly answer: LineAnswer };

/** `without`: deployments that are not to answer it. */
export async function prepareLine(
  { lines, loadForm }: Pick<BatchParts, 'lines' | 'loadForm'>,
  batch: Batch,
  line: BatchLine,
  without: ReadonlySet<string>,
): Promise<Prepared> {
  let left = without;
  let reason = 'No provider of the model has a batch API with a known price that may be used for it.';
  for (;;) {
    const prepared = await lines.prepare(batch, line, left);
    if (prepared.by === 'refused') return prepared;
    if (prepared.by === 'live' && batch.mode === 'any') return { by: 'live', line: prepared };
    if (prepared.by === 'live') {
      const id = lineRequestId({ batch: batch.id, line: line.n, attempt: 0 }, batch.createdAt * 1_000);
      return { by: 'refused', answer: errorAnswer(batch, notSupported(prepared.model, reason), id) };
    }
    const form = await loadForm(prepared.provider);
    const refusal = form && refusalOf(form, prepared);
    if (form && refusal === undefined) return { by: 'native', line: prepared, form };
    reason = refusal ?? reason;
    left = new Set([...left, deploymentKey(prepared)]);
  }
}

function refusalOf({ limits, refusal }: BatchForm, { request }: PreparedLine): string | undefined {
  const { lineBytes = Number.POSITIVE_INFINITY } = limits;
  const body = typeof request.body === 'string' ? request.body : JSON.stringify(request.body);
  if (Buffer.byteLength(body) > lineBytes)
    return `Its batch API takes at most ${lineBytes} bytes of a request.`;
  return refusal?.(request);
}

function notSupported(model: string, reason: string): GatewayError {
  const message = `The model '${model}' cannot answer this request in a batch: ${reason} Set 'extra.batch' to 'any' to have it answered as a single request.`;
  return new GatewayError('invalid_request', message, { param: 'model', code: 'batch_not_supported' });
}
