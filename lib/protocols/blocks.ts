/**
 * Converts answers of protocols that stream numbered blocks to events. Tracks which block is open, the number of calls, and
 * what must be emitted when a block ends. Reading the protocol itself is not done here.
 */
import type { FinishReason, GenerationEvent, UrlCitation } from '../core/generation/events.ts';
import type { JsonObject, ReasoningFormat } from '../core/generation/request.ts';
import { newCallId } from '../core/names/new-id.ts';
import { upstreamError } from './failure.ts';
import { jsonToolName } from './json-tool.ts';

type Events = readonly GenerationEvent[];

type Block =
  | { readonly type: 'text'; readonly from: number; readonly sources: { url: string; title: string }[] }
  | { readonly type: 'reasoning'; text: string; signature: string; format: ReasoningFormat }
  /** `call` is undefined for the tool that stands for a JSON answer. */
  | { readonly type: 'call'; readonly call: number | undefined; empty: boolean };

/** The state of one answer while it is decoded. */
export interface BlockAnswer {
  started: boolean;
  finished: boolean;
  calls: number;
  /** Calls without arguments so far. */
  readonly empty: Set<number>;
  details: number;
  /** The number of characters of text so far. */
  written: number;
  readonly open: Map<number, Block>;
}

export function newAnswer(): BlockAnswer {
  return {
    started: false,
    finished: false,
    calls: 0,
    empty: new Set(),
    details: 0,
    written: 0,
    open: new Map(),
  };
}

/** The one `start` event; nothing if it was emitted already. */
export function startAnswer(answer: BlockAnswer, serviceTier?: string): Events {
  if (answer.started) return [];
  answer.started = true;
  return [{ type: 'start', ...(serviceTier !== undefined && { serviceTier }) }];
}

/** The events, with a `start` event before them if the protocol omitted it. */
export function fromStart(answer: BlockAnswer, events: Events): Events {
  return events.length === 0 || answer.started ? events : [...startAnswer(answer), ...events];
}

function blockOf<Type extends Block['type']>(
  answer: BlockAnswer,
  index: number,
  type: Type,
  make: () => Extract<Block, { type: Type }>,
): Extract<Block, { type: Type }> {
  const known = answer.open.get(index);
  if (known?.type === type) return known as Extract<Block, { type: Type }>;
  const block = make();
  answer.open.set(index, block);
  return block;
}

const textBlock = (answer: BlockAnswer, index: number) =>
  blockOf(answer, index, 'text', () => ({ type: 'text', from: answer.written, sources: [] }));

export function writeText(answer: BlockAnswer, index: number, text: string): Events {
  textBlock(answer, index);
  if (text === '') return [];
  answer.written += text.length;
  return [{ type: 'text', choice: 0, text }];
}

/** Remembers a source. It is emitted when the block ends, because only then its range is known. */
export function citeSource(answer: BlockAnswer, index: number, url: string, title: string): Events {
  if (url !== '') textBlock(answer, index).sources.push({ url, title });
  return [];
}

/** Reasoning text, and the signature that may follow it. The format depends on whether there is a signature. */
export function writeReasoning(
  answer: BlockAnswer,
  index: number,
  piece: { readonly text?: string; readonly signature?: string },
  formats: { readonly signed: ReasoningFormat; readonly unsigned: ReasoningFormat },
): Events {
  const { text = '', signature = '' } = piece;
  const block = blockOf(answer, index, 'reasoning', () => ({
    type: 'reasoning',
    text: '',
    signature: '',
    format: formats.unsigned,
  }));
  block.text += text;
  block.signature += signature;
  if (block.signature !== '') block.format = formats.signed;
  return text === '' ? [] : [{ type: 'reasoning', choice: 0, text }];
}

export function writeEncryptedReasoning(answer: BlockAnswer, data: string, format: ReasoningFormat): Events {
  if (data === '') return [];
  const detail = { type: 'reasoning.encrypted', data, format, index: nextIndex(answer) } as const;
  return [{ type: 'reasoning-detail', choice: 0, detail }];
}

/** The index of a detail among the pieces that the caller sends back, where all texts of an answer are one piece. */
function nextIndex(answer: BlockAnswer): number {
  const before = answer.details + answer.calls + (answer.written > 0 ? 1 : 0);
  answer.details += 1;
  return before;
}

/**
 * A missing id is generated.
 *
 * @throws GatewayError `upstream_invalid_answer` for a call without a name.
 */
export function openCall(answer: BlockAnswer, index: number, id: string, name: string): Events {
  if (name === '') throw upstreamError('upstream_invalid_answer');
  const isAnswer = name === jsonToolName;
  const call = isAnswer ? undefined : answer.calls++;
  answer.open.set(index, { type: 'call', call, empty: true });
  if (call === undefined) return [];
  answer.empty.add(call);
  return [{ type: 'tool-call', choice: 0, call, id: id || newCallId(), name }];
}

/** Arguments of an open call. Ignored for other blocks, because the provider runs some tools itself. */
export function writeArguments(answer: BlockAnswer, index: number, text: string): Events {
  const block = answer.open.get(index);
  if (block?.type !== 'call' || text === '') return [];
  block.empty = false;
  if (block.call !== undefined) return [argumentsOf(answer, block.call, text)];
  answer.written += text.length;
  return [{ type: 'text', choice: 0, text }];
}

/** Arguments sent together with the call. An empty object is ignored: in a stream, the arguments follow. */
export function writeInput(answer: BlockAnswer, index: number, input: JsonObject): Events {
  return Object.keys(input).length > 0 ? writeArguments(answer, index, JSON.stringify(input)) : [];
}

function argumentsOf(answer: BlockAnswer, call: number, text: string): GenerationEvent {
  answer.empty.delete(call);
  return { type: 'tool-arguments', choice: 0, call, text };
}

/** Emits what was held back until the end of the block. */
export function closeBlock(answer: BlockAnswer, index: number): Events {
  const block = answer.open.get(index);
  // A call without arguments still needs valid JSON.
  const rest = block?.type === 'call' && block.empty ? writeArguments(answer, index, '{}') : [];
  answer.open.delete(index);
  if (block?.type === 'text')
    return block.sources.map((source) => annotation(source, block.from, answer.written));
  return block?.type === 'reasoning' ? closeReasoning(answer, block) : rest;
}

function annotation(source: { url: string; title: string }, from: number, to: number): GenerationEvent {
  const url_citation = { ...source, start_index: from, end_index: to };
  return {
    type: 'annotation',
    choice: 0,
    annotation: { type: 'url_citation', url_citation } satisfies UrlCitation,
  };
}

function closeReasoning(answer: BlockAnswer, block: Extract<Block, { type: 'reasoning' }>): Events {
  const { text, signature, format } = block;
  if (text === '' && signature === '') return [];
  const index = nextIndex(answer);
  const signed = signature === '' ? {} : { signature };
  return [
    {
      type: 'reasoning-detail',
      choice: 0,
      detail: { type: 'reasoning.text', text, ...signed, format, index },
    },
  ];
}

type Finish = Extract<GenerationEvent, { readonly type: 'finish' }>;

/** What else is known of the end of an answer. */
interface EndFacts extends Pick<Finish, 'stopSequence' | 'isContextFull' | 'isUnclear'> {
  /** Why the model refused; empty: it did not say. */
  readonly refusal?: string;
}

/** Closes all open blocks and ends the answer, once. The calls decide between `stop` and `tool_calls`. */
export function finishAnswer(
  answer: BlockAnswer,
  reason: FinishReason,
  { refusal = '', ...facts }: EndFacts = {},
): Events {
  if (answer.finished) return [];
  answer.finished = true;
  const rest = [...answer.open.keys()].flatMap((index) => closeBlock(answer, index));
  // Another block may have replaced the block of a call before it ended.
  const empty = [...answer.empty].map((call) => argumentsOf(answer, call, '{}'));
  const plain = reason === 'stop' || reason === 'tool_calls';
  const byCalls = answer.calls > 0 ? 'tool_calls' : 'stop';
  return [
    ...rest,
    ...empty,
    ...(refusal !== '' ? [{ type: 'refusal', choice: 0, text: refusal } as const] : []),
    { type: 'finish', choice: 0, reason: plain ? byCalls : reason, ...facts },
  ];
}
