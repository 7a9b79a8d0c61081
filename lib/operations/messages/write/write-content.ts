/**
 * The events of an answer as content blocks, in their order: text, thinking, calls and searches. Thinking that is not readable
 * gets a block with only a signature before what follows it, and none at the end: Anthropic refuses a message that ends in
 * thinking, and its clients take the last block for the answer. So thinking that comes after something else waits for what follows.
 */
import type { GenerationEvent } from '../../../core/generation/events.ts';
import type { ReasoningDetail } from '../../../core/generation/request.ts';
import { encodeDetails } from '../signature.ts';
import { type Block, createBlocks } from './blocks.ts';
import { createReasoning } from './reasoning.ts';
import { createCalls } from './write-calls.ts';
import { isSearch, writeCitation, writeSearch } from './write-search.ts';

/**
 * What is written of the model's reasoning: all of it, what the model needs back (in signatures), or nothing.
 */
export type ShownThinking = 'all' | 'signatures' | 'none';

export interface ContentOptions {
  /** Of the message: `msg_…` */
  readonly id: string;
  /** The `owner/model` that answers. */
  readonly model: string;
  /** The name of its provider. */
  readonly provider: string;
  readonly thinking: ShownThinking;
  /** True: a text without a character is a block, too. */
  readonly keepsEmptyText?: boolean;
}

type Thought = Extract<GenerationEvent, { readonly type: 'reasoning' | 'reasoning-detail' }>;

type ContentEvent = Exclude<GenerationEvent, { readonly type: 'start' | 'finish' | 'usage' }>;

const thinkingDelta = (text: string) => `{"type":"thinking_delta","thinking":${JSON.stringify(text)}}`;

/** The text that citations can quote. A longer one is not kept for them. In characters. */
const maxQuotableText = 256 * 1024;

export function createContent({ id, model, provider, thinking, keepsEmptyText }: ContentOptions) {
  const blocks = createBlocks();
  const calls = createCalls(blocks);
  const reasoning = createReasoning({ model, provider, hidden: thinking !== 'all' });
  const marker = encodeDetails({ model, format: provider, details: [] });
  /** The last block, while more of the same may follow. */
  let open: { readonly type: 'text' | 'thinking'; readonly block: Block } | undefined;
  let text = '';
  let refusal = '';
  let searches = 0;
  let thought = 0;
  let other = 0;
  /** Whether there is a block of another kind than thinking. */
  let isAnswered = false;
  /** The reasoning that came after one. */
  let waiting: Thought[] = [];

  const sign = (block: Block, signature: string) => {
    blocks.delta(block, `{"type":"signature_delta","signature":${JSON.stringify(signature)}}`);
    blocks.end(block);
  };
  const closeOpen = () => {
    const closing = open;
    open = undefined;
    if (closing?.type === 'thinking') sign(closing.block, reasoning.take());
    else if (closing) blocks.end(closing.block);
  };
  const addThinking = () => blocks.add({ type: 'thinking', thinking: '', signature: '' });
  const writePending = () => {
    if (reasoning.isPending()) sign(addThinking(), reasoning.take());
  };
  /** Called before another block is added. */
  const makeRoom = () => {
    closeOpen();
    writePending();
  };
  /** Called before a block of another kind than thinking is added or goes on. */
  const onAnswer = () => {
    isAnswered = true;
    for (const event of waiting) think(event);
    waiting = [];
  };
  const openText = (): Block => {
    onAnswer();
    if (open?.type === 'text') return open.block;
    makeRoom();
    const block = blocks.add({ type: 'text', text: '' });
    open = { type: 'text', block };
    return block;
  };
  const openThinking = (): Block => {
    if (open?.type === 'thinking') return open.block;
    closeOpen();
    const block = addThinking();
    open = { type: 'thinking', block };
    return block;
  };
  const onText = (piece: string) => {
    if (piece === '' && !keepsEmptyText) return;
    other += piece.length;
    if (text.length < maxQuotableText) text += piece;
    blocks.delta(openText(), `{"type":"text_delta","text":${JSON.stringify(piece)}}`);
  };
  const onReasoning = (piece: string) => {
    const shown = thinking === 'none' ? '' : reasoning.text(piece);
    if (shown !== '') blocks.delta(openThinking(), thinkingDelta(shown));
  };
  const onDetail = (detail: ReasoningDetail) => {
    const own = thinking === 'none' ? undefined : reasoning.detail(detail);
    if (own?.type === 'signed') {
      const block = openThinking();
      open = undefined;
      if (own.unseen !== '') blocks.delta(block, thinkingDelta(own.unseen));
      sign(block, own.signature);
    } else if (own) {
      makeRoom();
      blocks.end(blocks.add({ type: 'redacted_thinking', data: own.data }));
    }
  };
  const think = (event: Thought) =>
    event.type === 'reasoning' ? onReasoning(event.text) : onDetail(event.detail);
  return {
    /** Appends what is written from now on to this list. */
    writeTo: blocks.writeTo,
    write(event: ContentEvent) {
      switch (event.type) {
        case 'text':
          return onText(event.text);
        case 'reasoning':
        case 'reasoning-detail':
          if (event.type === 'reasoning') thought += event.text.length;
          if (isAnswered) waiting.push(event);
          else think(event);
          return;
        case 'refusal':
          other += event.text.length;
          refusal += event.text;
          return;
        case 'message':
          // Its text is a block of its own.
          if (open?.type === 'text') closeOpen();
          return;
        case 'tool-call':
          onAnswer();
          makeRoom();
          return calls.open(event.call, event.id, event.name);
        case 'tool-arguments':
          other += event.text.length;
          return calls.add(event.call, event.text);
        case 'web-search-end':
          if (!isSearch(event)) return;
          onAnswer();
          makeRoom();
          searches += 1;
          return writeSearch(blocks, `srvtoolu_${id.replace(/^msg_/, '')}${searches}`, event, marker);
        case 'annotation':
          // A source of a text that another block has ended is only in the results of the search.
          if (open?.type === 'text') blocks.delta(open.block, writeCitation(event.annotation, text, marker));
          return;
      }
    },
    /** Ends all blocks. As `Calls.end`. */
    end(isCut: boolean) {
      closeOpen();
      if (blocks.count() === 0) writePending();
      return calls.end(isCut);
    },
    calls: calls.count,
    searches: () => searches,
    /** Why the model refused, in its own words; empty: it did not. */
    refusal: () => refusal,
    /** The number of characters of reasoning, and of all else that the model wrote. */
    written: () => ({ thought, other }),
  };
}
