/** Answers of models: streams as frames, bodies, streams that are cut, and what is written for the caller. */

import { pipe } from '../../../lib/async/pipe.ts';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import type { Frame } from '../../../lib/core/generation/original/protocol.ts';
import { writeChatBody } from '../../../lib/operations/chat/write/write-body.ts';
import { messagesStream, writeMessagesBody } from '../../../lib/operations/messages/write/write-stream.ts';
import { createResponseWriter, writeBody } from '../../../lib/operations/responses/write/write.ts';
import { withoutSecrets } from '../../../lib/pipeline/secrets.ts';
import { problems } from '../../docs/document.ts';
import { echo } from '../../harness/responses/written-response.ts';
import { contentOf, type Decoded, decodeBody, decodeStream, faultsOf } from '../judge.ts';
import { providerKey, showsKey } from '../key.ts';
import type { ProtocolSamples } from '../samples.ts';
import { jsonLines, readLines, readValue, type Target } from './target.ts';

/** A frame as a line: the type of the event, its data as JSON where it is JSON, and whether it is an exception. */
function toLine({ event, data, exception = false }: Frame): unknown {
  try {
    return [event, JSON.parse(data), exception];
  } catch {
    return [event, data, exception];
  }
}

function toFrame(line: unknown): Frame {
  const [event, value, exception] = Array.isArray(line) ? line : ['', line, false];
  const data = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return { event: typeof event === 'string' ? event : '', data, ...(exception === true && { exception }) };
}

const framesOf = (input: Buffer): readonly Frame[] => readLines(input).map(toFrame);

/** Any number as one of so many. */
const toIndex = (value: unknown, count: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.abs(Math.trunc(value)) % count : 0;

export function generationTargets({ name, protocol, streams, bodies }: ProtocolSamples): readonly Target[] {
  const samples = streams.map((frames) => jsonLines(frames.map(toLine)));
  const wholes = new Map(streams.map((frames, index) => [samples[index], decodeStream(protocol, frames)]));
  return [
    {
      name: `stream ${name}`,
      samples,
      check: (input) => judged(decodeStream(protocol, framesOf(input))),
    },
    {
      name: `body ${name}`,
      samples: bodies.map((body) => jsonLines([body])),
      check: (input) => judged(decodeBody(protocol, readValue(input))),
    },
    {
      name: `cut ${name}`,
      // What says how long the stream is allowed to be comes first, and is what is damaged.
      samples: samples.flatMap((_, index) => jsonLines([{ stream: index, frames: 3, characters: 20 }])),
      check(input) {
        const { stream, frames: count, characters } = Object(readValue(input));
        const sample = samples[toIndex(stream, samples.length)] ?? Buffer.of();
        const all = framesOf(sample);
        const kept = all.slice(0, toIndex(count, all.length + 1));
        const next = all[kept.length];
        const part = next && { ...next, data: next.data.slice(0, toIndex(characters, next.data.length + 1)) };
        const cut = decodeStream(protocol, part ? [...kept, part] : kept);
        const whole = wholes.get(sample);
        // The end of an answer that was not seen cannot be known: it fails, or nothing of it is missing.
        const isFalse =
          !cut.error && !whole?.error && contentOf(cut.events) !== contentOf(whole?.events ?? []);
        return isFalse ? ['takes a part for the whole'] : faultsOf(cut);
      },
    },
  ];
}

/** The rules for events, and what is written of those that are an answer. */
async function judged(decoded: Decoded): Promise<readonly string[]> {
  const faults = faultsOf(decoded);
  if (faults.length > 0 || decoded.error !== undefined) return [...faults, ...faultsOfError(decoded.error)];
  return [
    ...(await faultsOfChat(decoded.events)),
    ...(await faultsOfResponse(decoded.events)),
    ...(await faultsOfMessage(decoded.events)),
  ];
}

export function faultsOfError(error: unknown): readonly string[] {
  if (error === undefined) return [];
  if (!(error instanceof GatewayError)) return [`is no GatewayError: ${error}`];
  // As the call of a provider does with what it throws.
  const body = withoutSecrets(error, [providerKey]).toBody();
  const { error: shown } = body;
  const texts = [shown.message, shown.type, shown.param ?? '', shown.code ?? ''];
  if (texts.some((text) => typeof text !== 'string')) return ['an error has texts'];
  if (texts.some((text) => text.length > 1_000)) return ['an error is short'];
  return showsKey(texts.join('\n')) ? ['an error shows the key'] : problems('Error', body);
}

async function* once<Value>(value: Value) {
  yield value;
}

async function faultsOfChat(events: readonly GenerationEvent[]): Promise<readonly string[]> {
  const identity = { id: 'chatcmpl-1', created: 1, model: 'acme/one' };
  const body = await writeChatBody(once(events), identity, () => undefined, undefined);
  return problems('ChatCompletion', JSON.parse(JSON.stringify(body))).map((problem) => `chat: ${problem}`);
}

/** A message, and its stream with one block open at a time. Calls that cannot be written are an error. */
async function faultsOfMessage(events: readonly GenerationEvent[]): Promise<readonly string[]> {
  try {
    return await faultsOfWritten(events);
  } catch (thrown) {
    return faultsOfError(thrown);
  }
}

async function faultsOfWritten(events: readonly GenerationEvent[]): Promise<readonly string[]> {
  const answer = {
    id: 'msg_1',
    model: 'acme/one',
    provider: 'acme',
    inputTokens: 1,
    thinking: 'all',
    stopSequences: [],
    cost: undefined,
    debug: () => undefined,
  } as const;
  const body = await writeMessagesBody(pipe(once(events), passOn), answer);
  const lists = await Array.fromAsync(pipe(once(events), messagesStream(answer)));
  const names = lists.flat().map(({ event }) => event);
  const faults = problems('Message', JSON.parse(JSON.stringify(body)));
  const isInOrder = grammar.test(names.map((name) => `${name};`).join(''));
  return [...faults, ...(isInOrder ? [] : ['its stream is out of order'])].map(
    (fault) => `message: ${fault}`,
  );
}

const passOn = {
  each: (events: readonly GenerationEvent[], out: GenerationEvent[]) => void out.push(...events),
};

const grammar =
  /^message_start;(content_block_start;(content_block_delta;)*content_block_stop;)*message_delta;message_stop;$/;

async function faultsOfResponse(events: readonly GenerationEvent[]): Promise<readonly string[]> {
  // What only the provider knows is passed on as it is, and so has no schema.
  if (events.some(({ type }) => type.startsWith('protocol-'))) return [];
  const writer = createResponseWriter({
    identity: { id: `resp_${'0'.repeat(32)}`, created_at: 1, model: 'acme/one' },
    echo,
    include: [],
    now: () => 2,
    store: async () => true,
    debug: () => undefined,
  });
  const body = await writeBody(writer, once(events));
  return problems('Response', JSON.parse(JSON.stringify(body))).map((problem) => `response: ${problem}`);
}
