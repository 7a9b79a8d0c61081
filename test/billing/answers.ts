/** Answers in the protocols of the providers, with given counts. */
import { responseBody } from '../harness/protocols/openai-response-body.ts';
import type { Protocol } from './models.ts';
import type { RawUsage } from './price-list.ts';

/** A piece of an answer. */
export interface Piece {
  readonly text: string;
  /** Characters of the answer that it shows. */
  readonly shown?: number;
  /** Counts that it holds. */
  readonly counts?: RawUsage;
}

export interface Answer {
  readonly type: string;
  readonly pieces: readonly Piece[];
  /** How many pieces come before the one with the final counts. */
  readonly beforeEnd: number;
}

interface Wanted {
  readonly usage: RawUsage;
  readonly tier: string | undefined;
  readonly streamed: boolean;
  /** False: there are counts, and nothing of an answer. */
  readonly isReadable: boolean;
}

/** What every answer shows, in pieces. */
export const words = ['Some words ', 'of an answer ', 'in three pieces.'];

export function answerOf(protocol: Protocol, wanted: Wanted): Answer {
  const { body, frames } = writers[protocol](wanted);
  if (!wanted.streamed) {
    return { type: 'application/json', pieces: [{ text: JSON.stringify(body) }], beforeEnd: 0 };
  }
  const end = frames.findLastIndex(({ counts }) => counts !== undefined);
  return { type: 'text/event-stream', pieces: frames.map(write), beforeEnd: end };
}

interface Frame {
  readonly data: unknown;
  readonly event?: string;
  readonly shown?: number;
  readonly counts?: RawUsage;
}

function write({ data, event, ...facts }: Frame): Piece {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return { ...facts, text: `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n` };
}

interface Written {
  readonly body: object;
  readonly frames: readonly Frame[];
}

const shownBy = (each: (word: string) => object, event?: string): readonly Frame[] =>
  words.map((word) => ({ data: each(word), shown: word.length, ...(event !== undefined && { event }) }));

const image = 'iVBORw0KGgo=';

const writers: Readonly<Record<Protocol, (wanted: Wanted) => Written>> = {
  chat({ usage, tier, isReadable }) {
    const named = tier === undefined ? {} : { service_tier: tier };
    const head = { id: 'one', created: 1, model: 'one' };
    const chunk = (choices: readonly object[], more: object = {}) => ({
      ...head,
      object: 'chat.completion.chunk',
      choices,
      ...more,
    });
    const part = (delta: object, finish_reason: string | null = null) => [{ index: 0, delta, finish_reason }];
    const message = { role: 'assistant', content: words.join('') };
    return {
      body: {
        ...head,
        object: 'chat.completion',
        choices: isReadable ? [{ index: 0, message, finish_reason: 'stop' }] : 'none',
        usage,
        ...named,
      },
      frames: [
        ...(isReadable ? shownBy((content) => chunk(part({ content }))) : [{ data: '{"choices": 7,' }]),
        { data: chunk(part({}, 'stop'), named) },
        { data: chunk([], { usage, ...named }), counts: usage },
        { data: '[DONE]' },
      ],
    };
  },
  responses({ usage, tier, isReadable }) {
    const part = (text: string) => ({ type: 'output_text', text, annotations: [] });
    const item = (text: string, status: string) => ({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status,
      content: text === '' ? [] : [part(text)],
    });
    const whole = responseBody('completed', {
      output: isReadable ? [item(words.join(''), 'completed')] : 'none',
      usage,
      ...(tier !== undefined && { service_tier: tier }),
    });
    const own = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    const event = (type: string, fields: object): Frame => ({ event: type, data: { type, ...fields } });
    const text = words.join('');
    const said = [
      event('response.output_item.added', { output_index: 0, item: item('', 'in_progress') }),
      event('response.content_part.added', { ...own, part: part('') }),
      ...shownBy(
        (delta) => ({ type: 'response.output_text.delta', ...own, delta }),
        'response.output_text.delta',
      ),
      event('response.output_text.done', { ...own, text }),
      event('response.content_part.done', { ...own, part: part(text) }),
      event('response.output_item.done', { output_index: 0, item: item(text, 'completed') }),
    ];
    return {
      body: whole,
      frames: [
        event('response.created', { response: responseBody('in_progress') }),
        ...(isReadable ? said : [{ data: '{"type": "response.outp' }]),
        { ...event('response.completed', { response: whole }), counts: usage },
      ],
    };
  },
  messages({ usage, tier, isReadable }) {
    const { output_tokens: _, server_tool_use: __, ...input } = usage;
    const named = tier === undefined ? {} : { service_tier: tier };
    const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'one' };
    const begun = { ...input, output_tokens: 1, ...named };
    const event = (type: string, fields: object = {}): Frame => ({ event: type, data: { type, ...fields } });
    const text = { type: 'text', text: '' };
    const said = [
      event('content_block_start', { index: 0, content_block: text }),
      ...shownBy(
        (word) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: word } }),
        'content_block_delta',
      ),
      event('content_block_stop', { index: 0 }),
    ];
    return {
      body: {
        ...head,
        content: isReadable ? [{ ...text, text: words.join('') }] : 'none',
        stop_reason: 'end_turn',
        usage: { ...usage, ...named },
      },
      frames: [
        {
          ...event('message_start', { message: { ...head, content: [], stop_reason: null, usage: begun } }),
          counts: begun,
        },
        ...(isReadable ? said : [{ data: '{"type": "content_block_del' }]),
        { ...event('message_delta', { delta: { stop_reason: 'end_turn' }, usage }), counts: usage },
        event('message_stop'),
      ],
    };
  },
  gemini({ usage, isReadable }) {
    const answer = (parts: readonly object[], more: object = {}, finish: object = {}) => ({
      candidates: [{ content: { role: 'model', parts }, index: 0, ...finish }],
      ...more,
    });
    const stop = { finishReason: 'STOP' };
    return {
      body: isReadable
        ? answer([{ text: words.join('') }], { usageMetadata: usage }, stop)
        : { candidates: 'none', usageMetadata: usage },
      frames: [
        ...(isReadable ? shownBy((text) => answer([{ text }])) : [{ data: '{"candidates": [{' }]),
        { data: answer([{ text: '' }], { usageMetadata: usage }, stop), counts: usage },
      ],
    };
  },
  embeddings({ usage, isReadable }) {
    const data = isReadable ? [{ object: 'embedding', index: 0, embedding: [0.5, 0.5, 0.25] }] : 'none';
    return { body: { object: 'list', model: 'one', data, usage }, frames: [] };
  },
  images({ usage, isReadable }) {
    return { body: { created: 1, data: isReadable ? [{ b64_json: image }] : 'none', usage }, frames: [] };
  },
  'gemini-images'({ usage, isReadable }) {
    const parts = [{ inlineData: { mimeType: 'image/png', data: image } }];
    const candidates = isReadable ? [{ content: { role: 'model', parts }, finishReason: 'STOP' }] : 'none';
    return { body: { candidates, usageMetadata: usage }, frames: [] };
  },
};
