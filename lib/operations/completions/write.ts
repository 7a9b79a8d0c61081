/** The choices of a text completion, from the events of a chat answer: its text alone. A refusal is text too. */
import type { Batched } from '../../async/pipe.ts';
import type { FinishReason, GenerationEvent, TokenLogprob } from '../../core/generation/events.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { type CostInUsage, withCost } from '../charge-so-far.ts';
import { oneMessage } from '../chat/read/one-message.ts';
import type { ChoiceEvent } from '../chat/write/delta.ts';
import { type ChatIdentity, writeMeta, writeUsage } from '../chat/write/write.ts';

/** One choice of a chunk, or of a whole answer. */
interface TextChoice {
  readonly index: number;
  readonly text: string;
  readonly logprobs: object | null;
  /** Null in all chunks but the last of a choice. */
  readonly finish_reason: FinishReason | null;
}

/** Converts an event to choices, each for a chunk of its own. The first of each choice begins with `echoed`. */
export function textWriter(echoed: string): (event: ChoiceEvent) => readonly TextChoice[] {
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

function choiceOf(index: number, fields: Partial<TextChoice>): TextChoice {
  return { index, text: '', logprobs: null, finish_reason: null, ...fields };
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
