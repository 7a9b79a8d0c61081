/** Reads the request of an request, by the schema of its operation: at once, or with turns for other requests beside a large body. */
import { setImmediate } from 'node:timers/promises';
import type * as z from 'zod/mini';
import { inTurns } from '../../async/in-turns.ts';
import type { Endpoint } from '../../core/endpoint.ts';
import type { RequestMemory } from '../../core/ports/memory.ts';
import type { HttpRequest } from './http-request.ts';
import { parseInput } from './parse-input.ts';
import { type GivenBody, jsonBody, parameters } from './request.ts';

/** What was read, or why it could not be: known early, used only when the caller is known. */
export function readAhead<Schema extends z.core.$ZodType, Input>(
  endpoint: Endpoint<Schema, Input>,
  request: HttpRequest,
): () => Input {
  try {
    const input = readNow(endpoint, request);
    return () => input;
  } catch (thrown) {
    return () => {
      throw thrown;
    };
  }
}

function readNow<Schema extends z.core.$ZodType, Input>(
  endpoint: Endpoint<Schema, Input>,
  request: HttpRequest,
): Input {
  const steps = reading(endpoint, request);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/**
 * What comes before and after, such as making a text of the body and writing it for the provider, has turns of its own. Rejects with
 * the reason of the signal, too. `memory`: for a body that is compressed.
 */
export async function readInTurns<Schema extends z.core.$ZodType, Input>(
  endpoint: Endpoint<Schema, Input>,
  request: HttpRequest,
  { signal, memory }: { readonly signal: AbortSignal; readonly memory: RequestMemory | undefined },
): Promise<Input> {
  await setImmediate();
  const input = await inTurns(reading(endpoint, request, memory), signal);
  await setImmediate();
  return input;
}

/** Pauses where others may have their turn. Parsing, checking and reading cannot be divided further. */
function* reading<Schema extends z.core.$ZodType, Input>(
  endpoint: Endpoint<Schema, Input>,
  request: HttpRequest,
  memory?: RequestMemory,
): Generator<void, Input> {
  const isGiven = request.method === 'POST' && !endpoint.hasNoBody;
  const { body, exact } = isGiven
    ? jsonBody(request, memory, endpoint.heldForm !== undefined)
    : asGiven(parameters(request));
  // The path says what the body is for.
  const asked = isGiven ? withPath(body, request) : body;
  request.leaveBody?.();
  yield;
  const checked = parseInput(endpoint.schema, asked);
  yield;
  const given = endpoint.passesNumbers ? exact() : body;
  const input = endpoint.read(checked, given, request.header, request.template);
  yield;
  endpoint.prepare?.(input);
  return input;
}

const withPath = (body: unknown, { pathParameters }: HttpRequest): unknown =>
  Object.keys(pathParameters).length === 0 ? body : { ...(body as object), ...pathParameters };

const asGiven = (body: unknown): GivenBody => ({ body, exact: () => body });
