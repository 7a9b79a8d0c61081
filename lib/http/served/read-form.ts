/** Reads a body that is a form: its file is stored while it comes, or its fields and files are held in memory. */
import type * as z from 'zod/mini';
import type { Endpoint } from '../../core/endpoint.ts';
import { parseInput } from '../request/parse-input.ts';
import type { ServedRequest } from './served-request.ts';

export async function readAsForm<Schema extends z.core.$ZodType, Input>(
  served: ServedRequest,
  endpoint: Endpoint<Schema, Input>,
): Promise<Input> {
  const { key, parts, request, deadline } = served;
  const { form, heldForm } = endpoint;
  if (key && form) {
    served.form = await parts.readForm?.(request, form, { key, signal: deadline.signal });
    return readFields(served, endpoint, served.form?.fields);
  }
  return readFields(served, endpoint, heldForm && (await parts.readHeldForm?.(request, heldForm)));
}

/** What a form says beside its file, and the path. */
function readFields<Schema extends z.core.$ZodType, Input>(
  { request }: ServedRequest,
  endpoint: Endpoint<Schema, Input>,
  fields: Readonly<Record<string, unknown>> | undefined,
): Input {
  const given = { ...fields, ...request.pathParameters };
  const input = endpoint.read(parseInput(endpoint.schema, given), given, request.header, request.template);
  endpoint.prepare?.(input);
  return input;
}
