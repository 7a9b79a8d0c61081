/**
 * Writes a response as a stream of events. A response that is not streamed is the object in the last event.
 */

import { type Batched, type Piped, pipe, type Transform } from '../../../async/pipe.ts';
import type { PublicEvent } from '../../../core/endpoint.ts';
import { GatewayError } from '../../../core/errors/errors.ts';
import type { FinishReason, GenerationEvent } from '../../../core/generation/events.ts';
import { isPublicTier } from '../../../core/generation/parameters.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { Usage } from '../../../core/generation/usage.ts';
import type { CostInUsage } from '../../answer-facts.ts';
import { type OutputItem, publicItem } from '../read/item.ts';
import { type Includable, showItem } from '../stored/stored-format.ts';
import type { ResponseEcho } from './echo.ts';
import {
  createEventQueue,
  failed,
  finished,
  inProgress,
  type Outcome,
  type ResponseIdentity,
  writeResponse,
} from './response-object.ts';
import { createOutput, type OutputEvent } from './write-output.ts';

export interface WriteOptions {
  readonly identity: ResponseIdentity;
  readonly echo: ResponseEcho;
  /** Fields of items that are shown only on request. */
  readonly include: readonly Includable[];
  readonly cost?: CostInUsage;
  readonly keepsEmptyText?: boolean;
  /** Called with each event before it is written. May throw GatewayError, which ends the answer. */
  readonly onEvent?: (event: GenerationEvent) => void;
  /** Unix seconds. */
  readonly now: () => number;
  /** Stores the response if the caller wants that. Returns whether it was stored. */
  readonly store: (response: JsonObject) => Promise<boolean>;
  /** The `debug` object of the response; `isStored` is the result of `store`. */
  readonly debug: (isStored: boolean) => object | undefined;
  /** Of a response that is created in the background. */
  readonly run?: WrittenRun | undefined;
}

export interface WrittenRun {
  /** The number of the first event that is written: those before it say that the response is queued. */
  readonly firstEvent: number;
  /** Called with the final response object. */
  readonly ended: (response: JsonObject) => void;
}

export interface ResponseWriter {
  /** The whole stream. Throws if the answer breaks off. */
  stream(events: Batched<GenerationEvent>): Piped<PublicEvent>;
  /** The final response object of a stream that was read to its end. */
  final(): JsonObject | undefined;
  /** The last events of a stream that broke off. */
  fail(error: GatewayError): readonly PublicEvent[];
}

export function createResponseWriter(options: WriteOptions): ResponseWriter {
  const { identity, echo, include, now, onEvent, run, keepsEmptyText } = options;
  const queue = createEventQueue(run?.firstEvent);
  const shown = (item: OutputItem) => showItem({ ...publicItem(item) }, include);
  const output = createOutput({ responseId: identity.id, queue, shown, keepsEmptyText });
  const facts: Facts = {};
  const response = (outcome: Outcome, items: readonly object[]) =>
    writeResponse(identity, echo, { ...facts, cost: options.cost, outcome, output: items });
  const close = (): Outcome => {
    const outcome = outcomeOf(facts, now());
    output.close(outcome.status === 'completed' ? 'completed' : 'incomplete');
    return outcome;
  };
  const take = (event: GenerationEvent) => {
    onEvent?.(event);
    if (!isFact(event)) output.write(event);
    else note(facts, event);
  };
  const flush = (out: PublicEvent[]) => {
    for (const event of queue.take()) out.push(event);
  };
  let outcome = inProgress;
  let final: JsonObject | undefined;
  const items: Transform<readonly GenerationEvent[], PublicEvent> = {
    each(events, out) {
      for (const event of events) take(event);
      flush(out);
    },
    end(out) {
      outcome = close();
      flush(out);
    },
  };
  /** A layer of its own: the ends of the items do not wait for the store. */
  const ending: Transform<readonly PublicEvent[], PublicEvent> = {
    each(events, out) {
      for (const event of events) out.push(event);
    },
    async end(out) {
      const isStored = await options.store(response(outcome, output.items().map(publicItem)));
      const answered = response(outcome, output.items().map(shown));
      final = withDebug({ ...answered, store: isStored }, options.debug(isStored));
      run?.ended(final);
      queue.emit(`response.${outcome.status}`, { response: final });
      flush(out);
    },
  };
  return {
    stream(events) {
      if (!run) queue.emit('response.created', { response: response(inProgress, []) });
      queue.emit('response.in_progress', { response: response(inProgress, []) });
      return pipe(pipe(events, items), ending);
    },
    final: () => final,
    fail(error) {
      const { code, message, param } = error;
      const items = output.items().map(brokenOff).map(shown);
      queue.emit('error', { code, message, param });
      // A failed response is not stored, as a later turn could not continue from it: only a run keeps it.
      const answered = { ...response(failed(error), items), store: run !== undefined };
      const last = withDebug(answered, options.debug(echo.store));
      run?.ended(last);
      queue.emit('response.failed', { response: last });
      return queue.take();
    },
  };
}

/** What is known of an answer besides its items. */
interface Facts {
  usage?: Usage;
  serviceTier?: string;
  finish?: FinishReason;
  moderation?: JsonObject;
}

type FactEvent = Exclude<GenerationEvent, OutputEvent>;

function isFact(event: GenerationEvent): event is FactEvent {
  return event.type === 'start' || event.type === 'finish' || event.type === 'usage';
}

function note(facts: Facts, event: FactEvent): void {
  if (event.type === 'finish') Object.assign(facts, finishOf(event));
  else if (isPublicTier(event.serviceTier)) facts.serviceTier = event.serviceTier;
  if (event.type === 'usage') facts.usage = event.usage;
}

const finishOf = ({ reason, moderation }: FactEvent & { type: 'finish' }): Facts => ({
  finish: reason,
  ...(moderation && { moderation }),
});

/** @throws GatewayError `upstream_cut` for an answer without a finish reason. */
function outcomeOf({ finish }: Facts, now: number): Outcome {
  if (finish === undefined)
    throw new GatewayError('upstream_cut', 'The provider ended its response before it was complete.');
  return finished(finish, now);
}

/** Writes a response that is not streamed. */
export async function writeBody(
  writer: ResponseWriter,
  events: Batched<GenerationEvent>,
): Promise<JsonObject> {
  for await (const _ of writer.stream(events));
  const response = writer.final();
  if (!response) throw new Error('A stream that was read to its end has no response.');
  return response;
}

const withDebug = (response: JsonObject, debug: object | undefined): JsonObject =>
  debug ? { ...response, debug } : response;

/** The final state of an item that may have been open when the answer broke off. */
function brokenOff(item: OutputItem): OutputItem {
  if (item.type === 'reasoning' || item.type === 'protocol_item') return item;
  if (item.type !== 'web_search_call') {
    return item.status === 'in_progress' ? { ...item, status: 'incomplete' } : item;
  }
  return item.status === 'searching' || item.status === 'in_progress' ? { ...item, status: 'failed' } : item;
}
