/** A request with the header `Idempotency-Key` while it is served: the answer of an earlier one, or its own, which is kept. */
import type * as z from 'zod/mini';
import type { Endpoint, ReadHeader } from '../../core/endpoint.ts';
import type { FoundApiKey } from '../../core/ports/api-keys.ts';
import type { ClaimAnswer } from '../../core/ports/kept-answers.ts';
import { claim, keptFor, respondWithKept } from '../idempotency.ts';
import { formType } from '../request/form-type.ts';
import type { HttpAnswer } from '../respond.ts';
import { isHeldForm } from './read-body.ts';
import { isComplete, type ServedRequest } from './served-request.ts';

interface Sent {
  readonly key: FoundApiKey;
  readonly claimAnswer: ClaimAnswer;
  /** The header. */
  readonly idempotencyKey: string;
  readonly body: string | Buffer;
}

/** The answer of an earlier request. Undefined: this one is the first, and goes on when its caller has left. */
export async function claimServed<Schema extends z.core.$ZodType, Input>(
  served: ServedRequest,
  endpoint: Endpoint<Schema, Input>,
  { key, claimAnswer, idempotencyKey, body }: Sent,
): Promise<HttpAnswer | undefined> {
  const { operation, parts, request, host, deadline, requestLog } = served;
  const { memory } = host;
  const sent = {
    idempotencyKey,
    body: isHeldForm(served, endpoint) ? withoutBoundary(request.header, body) : body,
    contentEncoding: request.header('content-encoding'),
  };
  const claimed = await claim(sent, { claimAnswer, operation, key, signal: deadline.signal, memory });
  if (claimed.state === 'kept') {
    requestLog.facts.replayed = true;
    return await respondWithKept(claimed.answer, served.options);
  }
  deadline.outliveCaller();
  served.keep = (answer) =>
    keptFor(answer, {
      claim: claimed,
      isComplete: () => isComplete(served.ended),
      isDry: requestLog.facts.dryRun === true,
      log: parts.log,
      memory,
    });
  return undefined;
}

/** The body without its boundary, which clients choose for each request: the same content, sent again, is the same. */
export function withoutBoundary(header: ReadHeader, body: string | Buffer): string | Buffer {
  const [, quoted, plain] = formType.exec(header('content-type') ?? '') ?? [];
  const boundary = quoted ?? plain;
  return boundary === undefined ? body : Buffer.from(body).toString('latin1').replaceAll(boundary, '');
}
