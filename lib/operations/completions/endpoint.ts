/** Text completions, for clients that do not use chat: `POST /v1/completions`. */
import type { Batched } from '../../async/pipe.ts';
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import type { FinishReason, GenerationEvent, TokenLogprob } from '../../core/generation/events.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { generating } from '../../pipeline/generation/buffered.ts';
import { generate } from '../../pipeline/generation/generate.ts';
import type { Generated } from '../../pipeline/generation/generated.ts';
import { type CostInUsage, costInUsage, gatewayHeaders, withCost, writeDebug } from '../answer-facts.ts';
import type { ChatParts } from '../chat/endpoint.ts';
import { oneMessage } from '../chat/read/one-message.ts';
import type { ChoiceEvent, WrittenChoice } from '../chat/write/delta.ts';
import { type ChatIdentity, writeMeta, writeUsage } from '../chat/write/write.ts';
import { chunkStream, writeChatStreamError } from '../chat/write/write-stream.ts';
import { type CompletionsInput, readCompletions } from './read.ts';
import { completionsSchema } from './schema.ts';

export function completionsEndpoint(parts: ChatParts): Endpoint<typeof completionsSchema, CompletionsInput> {
  return {
    schema: completionsSchema,
    read: readCompletions,
    ...generating(parts, 'chat_completions'),
    earlyFrame: () => ({ onError: writeChatStreamError }),
    answer: async (call) => write(parts, call, await generate(parts, 'chat_completions', call.input, call)),
  };
}

async function write(parts: ChatParts, call: Call<CompletionsInput>, generated: Generated): Promise<Answer> {
  const { input } = call;
  const { target, events } = generated;
  const { echoed, includeUsage } = input;
  const identity = {
    id: parts.newId('cmpl-'),
    created: Math.floor(parts.now() / 1000),
    model: target.model.id,
  };
  const debug = () => writeDebug(call, generated);
  const cost = costInUsage(call);
  const headers = gatewayHeaders(generated);
  if (!input.request.stream) {
    return {
      type: 'json',
      headers,
      body: await writeCompletionBody(events, identity, { echoed, cost, debug }),
    };
  }
  const object = 'text_completion';
  const stream = chunkStream({ object, write: textWriter(echoed), identity, includeUsage, cost, debug });
  return { type: 'stream', headers, events: events.pipe(stream), onError: writeChatStreamError };
}

/** One choice of a chunk, or of a whole answer. */
interface TextChoice {
  readonly index: number;
  readonly text: string;
  readonly logprobs: object | null;
  /** Null in all chunks but the last of a choice. */
  readonly finish_reason: FinishReason | null;
}

/** Converts an event to choices, each for a chunk of its own. The first of each choice begins with `echoed`. */
export function textWriter(echoed: string): (event: ChoiceEvent) => readonly WrittenChoice[] {
  /** The number of characters so far whose tokens were reported, of each choice. */
  const offsets = new Map<number, number>();
  return (event) => {
    const { choice: index } = event;
    const isFirst = !offsets.has(index);
    const offset = offsets.get(index) ?? 0;
    offsets.set(index, offset);
    const echo = isFirst && echoed !== '' ? [choiceOf(index, { text: echoed })] : [];
    if (event.type === 'text' || event.type === 'refusal')
      return [...echo, choiceOf(index, { text: event.text })];
    if (event.type === 'finish') return [...echo, choiceOf(index, { finish_reason: event.reason })];
    if (event.type !== 'logprobs') return echo;
    const tokens = [...event.content, ...event.refusal];
    offsets.set(index, offset + charactersOf(tokens));
    return [...echo, choiceOf(index, { logprobs: writeTextLogprobs(tokens, offset) })];
  };
}

function choiceOf(index: number, fields: Partial<TextChoice>): WrittenChoice {
  const choice: TextChoice = { index, text: '', logprobs: null, finish_reason: null, ...fields };
  return { json: JSON.stringify(choice), isLast: choice.finish_reason !== null };
}

const charactersOf = (tokens: readonly TokenLogprob[]): number =>
  tokens.reduce((sum, { token }) => sum + lengthOf(token), 0);

/** In Unicode code points, as the positions in Python. */
const lengthOf = (text: string): number => [...text].length;

/** Lists of equal length. `offset`: where the first token begins in the text that was generated. */
function writeTextLogprobs(tokens: readonly TokenLogprob[], offset: number): object {
  let next = offset;
  const offsets = tokens.map(({ token }) => {
    const own = next;
    next += lengthOf(token);
    return own;
  });
  return {
    tokens: tokens.map(({ token }) => token),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    top_logprobs: tokens.map(({ top_logprobs: likely }) =>
      Object.fromEntries(likely.map(({ token, logprob }) => [token, logprob])),
    ),
    text_offset: offsets,
  };
}

/** What is known of a choice of a whole answer. */
interface Collected {
  text: string;
  finish: FinishReason;
  readonly tokens: TokenLogprob[];
}

interface CompletionFacts {
  readonly echoed: string;
  readonly cost: CostInUsage;
  readonly debug: () => object | undefined;
}

/** The whole answer. What `debug` returns at the end is added unchanged. */
export async function writeCompletionBody(
  events: Batched<GenerationEvent>,
  { id, created, model }: ChatIdentity,
  { echoed, cost, debug }: CompletionFacts,
): Promise<object> {
  const choices = new Map<number, Collected>();
  let usage: Usage | undefined;
  let meta = {};
  const join = oneMessage();
  for await (const list of events) {
    for (const event of list.flatMap((one) => join(one) ?? [])) {
      if (event.type === 'start') meta = writeMeta(event);
      else if (event.type === 'usage') usage = event.usage;
      else collect(choices, event, echoed);
    }
  }
  const facts = debug();
  return {
    id,
    object: 'text_completion',
    created,
    model,
    ...meta,
    choices: [...choices].sort(([a], [b]) => a - b).map(([index, choice]) => writeChoice(index, choice)),
    ...(usage && { usage: withCost(writeUsage(usage), cost) }),
    ...(facts && { debug: facts }),
  };
}

function collect(choices: Map<number, Collected>, event: ChoiceEvent, echoed: string): void {
  const choice = choices.get(event.choice) ?? { text: echoed, finish: 'stop', tokens: [] };
  choices.set(event.choice, choice);
  if (event.type === 'text' || event.type === 'refusal') choice.text += event.text;
  else if (event.type === 'logprobs') {
    for (const tokens of [event.content, event.refusal])
      for (const token of tokens) choice.tokens.push(token);
  } else if (event.type === 'finish') choice.finish = event.reason;
}

function writeChoice(index: number, { text, tokens, finish }: Collected): TextChoice {
  const logprobs = tokens.length > 0 ? writeTextLogprobs(tokens, 0) : null;
  return { index, text, logprobs, finish_reason: finish };
}
