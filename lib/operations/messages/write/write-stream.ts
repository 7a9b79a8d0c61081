/** Writes an answer as the events of the Messages API: `message_start`, its blocks, `message_delta`, `message_stop`. */
import type { Piped, Transform } from '../../../async/pipe.ts';
import type { PublicEvent } from '../../../core/endpoint.ts';
import { GatewayError } from '../../../core/errors/errors.ts';
import type { JsonObject } from '../../../core/formats/json-object.ts';
import type { GenerationEvent } from '../../../core/generation/events.ts';
import type { Usage } from '../../../core/generation/usage.ts';
import { estimateTokens } from '../../../pipeline/use/seen-use.ts';
import { type CostInUsage, withCost } from '../../answer-facts.ts';
import { foldMessage } from './original-format.ts';
import { usageAtEnd, usageAtStart } from './usage.ts';
import { type ContentOptions, createContent } from './write-content.ts';

export interface MessagesAnswer extends ContentOptions {
  /** The estimate of the input, in tokens. */
  readonly inputTokens: number;
  /** Whether it repeats the answer of an earlier request. */
  readonly isReplayed?: boolean;
  /** The texts at which the caller wants the model to stop. */
  readonly stopSequences: readonly string[];
  readonly cost: CostInUsage;
  /** What it returns at the end is added to the last event but one. */
  readonly debug: () => object | undefined;
  /** Called with the container that Anthropic has made, before the caller gets its id. Absent: nothing remembers it. */
  readonly noteContainer?: (id: string) => Promise<void>;
}

/** @throws GatewayError `upstream_invalid_call` for a call whose input is no object, `upstream_cut` without a finish. */
export function messagesStream(answer: MessagesAnswer): Transform<readonly GenerationEvent[], PublicEvent> {
  const content = createContent(answer);
  let isStarted = false;
  let finish: Finish | undefined;
  let usage: Usage | undefined;
  let serviceTier: string | undefined;

  const start = (out: PublicEvent[]) => {
    if (isStarted) return;
    isStarted = true;
    out.push({
      event: 'message_start',
      data: { type: 'message_start', message: begun(answer, serviceTier) },
    });
  };
  const finalUsage = () => {
    const { thought, other } = content.written();
    const outputTokens = estimateTokens(thought) + estimateTokens(other);
    const seen = { inputTokens: answer.inputTokens, outputTokens, searches: content.searches() };
    return withCost(usageAtEnd(usage, seen, serviceTier), answer.cost);
  };
  return {
    each(events, out) {
      content.writeTo(out);
      for (const event of events) {
        switch (event.type) {
          case 'start':
            serviceTier = event.serviceTier;
            break;
          case 'usage':
            ({ usage, serviceTier = serviceTier } = event);
            break;
          case 'finish':
            if (event.choice === 0) finish = event;
            break;
          default:
            start(out);
            // One answer was asked for.
            if (event.choice === 0) content.write(event);
        }
      }
      start(out);
    },
    end(out) {
      content.writeTo(out);
      if (!finish)
        throw new GatewayError('upstream_cut', 'The provider ended its response before it was complete.');
      const isCut = finish.reason === 'length' || finish.reason === 'content_filter';
      const areCallsWhole = content.end(isCut);
      const { stopSequences } = answer;
      const [calls, refusal] = [content.calls(), content.refusal()];
      const delta = writeStop({ finish, stopSequences, calls, areCallsWhole, refusal });
      const debug = answer.debug();
      const last = { type: 'message_delta', delta, usage: finalUsage(), ...(debug && { debug }) };
      out.push({ event: 'message_delta', data: last });
      out.push({ event: 'message_stop', data: '{"type":"message_stop"}' });
    },
  };
}

/** The message before its first block. */
function begun({ id, model, inputTokens }: MessagesAnswer, serviceTier: string | undefined): object {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    usage: usageAtStart(inputTokens, serviceTier),
  };
}

type Finish = Extract<GenerationEvent, { readonly type: 'finish' }>;

interface Ended {
  readonly finish: Finish;
  /** The texts at which the caller wants the model to stop: hosts report others, too, such as the model's own end. */
  readonly stopSequences: readonly string[];
  /** The number of calls. */
  readonly calls: number;
  /** Whether each has its whole input. */
  readonly areCallsWhole: boolean;
  /** Why the model refused; empty: it did not. */
  readonly refusal: string;
}

/** The `delta` of `message_delta`. Calls are to be made whatever the provider says of its end: it often says `stop`. */
function writeStop({ finish, stopSequences, calls, areCallsWhole, refusal }: Ended): object {
  const { reason, stopSequence, isContextFull } = finish;
  if (reason === 'content_filter') return refused(refusal);
  if (calls > 0 && areCallsWhole) return stopped('tool_use');
  if (refusal !== '') return refused(refusal);
  if (reason === 'length') return stopped(isContextFull ? 'model_context_window_exceeded' : 'max_tokens');
  if (stopSequence === undefined || !stopSequences.includes(stopSequence)) return stopped('end_turn');
  return { ...stopped('stop_sequence'), stop_sequence: stopSequence };
}

const stopped = (stop_reason: string) => ({
  stop_reason,
  stop_sequence: null,
  stop_details: null,
  container: null,
});

const refused = (explanation: string) => ({
  ...stopped('refusal'),
  stop_details: { type: 'refusal', category: null, explanation: explanation === '' ? null : explanation },
});

export async function writeMessagesBody(
  events: Piped<GenerationEvent>,
  answer: MessagesAnswer,
): Promise<object> {
  const fold = foldMessage();
  for await (const list of events.pipe(messagesStream(answer)))
    for (const { data } of list) fold.add((typeof data === 'string' ? JSON.parse(data) : data) as JsonObject);
  return fold.message();
}
