/** When the body of a request is read: a small one while its caller is looked up, and any other once the caller is known. */
import type * as z from 'zod/mini';
import type { Endpoint } from '../../core/endpoint.ts';
import { earlyBodyBytes } from '../request/body-limit.ts';
import { isForm } from '../request/form-type.ts';
import { readInTurns } from '../request/read-input.ts';
import { bodyBytes } from '../request/request.ts';
import type { ServedRequest } from './served-request.ts';

/** Whether the body is a form whose files are held in memory. */
export const isHeldForm = <Schema extends z.core.$ZodType, Input>(
  { parts, request }: ServedRequest,
  { heldForm }: Endpoint<Schema, Input>,
): boolean => heldForm !== undefined && parts.readHeldForm !== undefined && isForm(request.header);

/** Whether a body is too large to be read for someone unknown. */
export const isLarge = <Schema extends z.core.$ZodType, Input>(
  served: ServedRequest,
  endpoint: Endpoint<Schema, Input>,
): boolean => !endpoint.form && (isHeldForm(served, endpoint) || bodyBytes(served.request) > earlyBodyBytes);

/** Reads a large body, or a form. */
export async function readLate<Schema extends z.core.$ZodType, Input>(
  served: ServedRequest,
  endpoint: Endpoint<Schema, Input>,
): Promise<Input> {
  const { request, host, deadline } = served;
  if (!endpoint.form && !isHeldForm(served, endpoint))
    return await readInTurns(endpoint, request, { signal: deadline.signal, memory: host.memory });
  const { readAsForm } = await import('./read-form.ts');
  return await readAsForm(served, endpoint);
}
