/** The Responses operation: `POST /v1/responses`. */
import type { RunUpstream } from '../../core/background.ts';
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { mayStore } from '../../core/tenancy.ts';
import { keepEvent } from '../../pipeline/answer-bounds.ts';
import { generating } from '../../pipeline/generation/buffered.ts';
import { generate } from '../../pipeline/generation/generate.ts';
import type { Generated } from '../../pipeline/generation/generated.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { costInUsage, gatewayHeaders, noteMetadata, writeDebug } from '../answer-facts.ts';
import type { BackgroundParts } from './background/run-state.ts';
import { allowedHistory, refersToStored } from './read/history.ts';
import { type ResponsesInput, readResponses } from './read/read.ts';
import { readConversation } from './read/read-items.ts';
import { responsesSchema } from './read/schema.ts';
import {
  type Conversation,
  checkSize,
  conversationOf,
  notStored,
  type StoreParts,
  storeResponse,
} from './stored/store-response.ts';
import { responsePrefix } from './write/ids.ts';
import { onlyError } from './write/only-error.ts';
import { createResponseWriter, type ResponseWriter, type WrittenRun, writeBody } from './write/write.ts';

export interface ResponsesParts extends PipelineParts, StoreParts {
  /** A new random id with this prefix. */
  readonly newId: (prefix: string) => string;
  /** The responses that are created in the background; absent: there are none. */
  readonly background?: BackgroundParts | undefined;
  /** The run whose response this is; absent: that of a caller. */
  readonly run?: RunOption;
}

/** A response that is created in the background, with its id. */
export interface RunOption extends WrittenRun {
  readonly id: string;
  /** Unix seconds. */
  readonly createdAt: number;
  /** As `RunHold` has it. */
  readonly maxToolCalls?: number | undefined;
  readonly upstream: RunUpstream;
}

export function responsesEndpoint(parts: ResponsesParts): Endpoint<typeof responsesSchema, ResponsesInput> {
  return {
    schema: responsesSchema,
    read(body, given, header) {
      if (body.background && !parts.run && !parts.background?.start) throw noBackground();
      return readResponses(body, given, header);
    },
    ...generating(parts, 'responses'),
    // A background response is refused at once, with a 429, if its limits are used up.
    isCostly: (input) => input.background !== undefined || refersToStored(input),
    // Before the response has an id, only its failure can be said. A run says it as the status of its answer.
    ...(!parts.run && { earlyFrame: () => ({ onError: onlyError }) }),
    answer: (call) => answer(parts, call),
  };
}

async function answer(parts: ResponsesParts, given: Call<ResponsesInput>): Promise<Answer> {
  // What a run makes was accepted when it began.
  const isBound = !parts.run && !mayStore(given.key);
  const input = isBound
    ? (await import('./stored/within-store-policy.ts')).withinStorePolicy(given)
    : given.input;
  const call = { ...given, input };
  noteMetadata(call.facts, input.echo.metadata);
  const tenant = tenantOf(call);
  const history = await allowedHistory(parts, call, tenant);
  if (input.store) checkSize(history);
  const conversation = conversationOf(history);
  const request = { ...input.request, messages: readConversation(input, history) };
  const { run } = parts;
  if (run) call.facts.response = run.id;
  const asked = {
    ...input,
    normalize: true,
    request,
    isContinued: refersToStored(input),
    ...(run?.maxToolCalls && { maxToolCalls: run.maxToolCalls }),
    run: run?.upstream,
  };
  if (input.background && parts.background && !run) {
    const { createInBackground } = await import('./background/create.ts');
    const ref = { tenant, id: parts.newId(responsePrefix) };
    const created = { call, ref, asked, background: input.background };
    return await createInBackground({ ...parts, background: parts.background }, created);
  }
  const generated = await generate(parts, 'responses', asked, call);
  const writer = writerOf(parts, generated, { call, tenant, conversation });
  const headers = gatewayHeaders(generated);
  if (!request.stream) return { type: 'json', headers, body: await writeBody(writer, generated.events) };
  const onError = (error: GatewayError) => writer.fail(error);
  return { type: 'stream', headers, events: writer.stream(generated.events), onError };
}

const noBackground = () =>
  invalid('background', 'is not supported: this gateway does not create responses in the background');

interface Written {
  readonly call: Call<ResponsesInput>;
  readonly tenant: string;
  readonly conversation: Conversation;
}

function writerOf(parts: ResponsesParts, generated: Generated, written: Written): ResponseWriter {
  const { call, tenant, conversation } = written;
  const { input, requestId } = call;
  const keeps = input.store && !generated.dry;
  const now = () => Math.floor(parts.now() / 1000);
  const { id, createdAt } = parts.run ?? { id: parts.newId(responsePrefix), createdAt: now() };
  return createResponseWriter({
    identity: { id, created_at: createdAt, model: generated.target.model.id },
    run: parts.run,
    echo: input.echo,
    include: input.include,
    keepsEmptyText: generated.dry !== undefined,
    // A whole answer was counted when it was read.
    ...(input.request.stream && { onEvent: (event) => keepEvent(call.memory, event) }),
    cost: costInUsage(call),
    now,
    store: async (response) =>
      keeps && (await storeResponse(parts, response, { id, tenant, requestId, conversation })),
    debug: (isStored) => {
      const lost = keeps && !isStored ? [notStored] : [];
      return writeDebug(call, { ...generated, changes: [...generated.changes, ...lost] });
    },
  });
}

/** Whose responses are stored and found. */
export function tenantOf({ key }: Call<unknown>): string {
  if (key) return key.tenant;
  throw new GatewayError('invalid_api_key', 'An API key is required.');
}
