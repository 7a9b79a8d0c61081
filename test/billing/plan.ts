/** What the request with a number asks for, and what becomes of each of its calls: the same in every run. */

import { createRandom, type Random } from '../harness/random.ts';
import type { ModelId, Protocol } from './models.ts';
import type { RawUsage } from './price-list.ts';

/** What the provider does with one call. */
export type Way =
  | 'whole'
  | 'slow'
  /** An error status: nothing was generated. */
  | 'busy'
  | 'failing'
  | 'refused'
  /** It hangs up after the head, or in the middle of the answer. */
  | 'cut'
  /** It takes the request and hangs up without a word. */
  | 'hung up'
  /** It takes the request and never answers: the gateway's own clock ends the call. */
  | 'silent'
  /** A stream that begins, and then stops. */
  | 'stalled'
  /** An answer with counts, and nothing that can be read beside them. */
  | 'unreadable';

export interface PlannedCall {
  readonly way: Way;
  readonly usage: RawUsage;
  /** The service tier that the answer names. */
  readonly tier?: string;
}

export interface PlannedRequest {
  readonly number: number;
  readonly operation: 'chat/completions' | 'responses' | 'embeddings' | 'images/generations';
  readonly model: ModelId;
  readonly fallback?: ModelId;
  readonly stream: boolean;
  readonly images: number;
  /** The caller disconnects in the middle. */
  readonly leaves: boolean;
  /** In order of arrival, whichever model is asked; the last one holds for all that follow. */
  readonly calls: readonly PlannedCall[];
}

const texts: readonly ModelId[] = [
  'billed/chat',
  'billed/long',
  'billed/tiered',
  'billed/claude',
  'billed/gemini',
];

/** The share of each way, in percent. */
const shares = {
  whole: 66,
  slow: 4,
  busy: 6,
  failing: 5,
  refused: 3,
  cut: 5,
  'hung up': 4,
  silent: 1,
  stalled: 2,
  unreadable: 4,
} as const satisfies Record<Way, number>;

const ways = Object.entries(shares).flatMap(([way, share]) => Array<Way>(share).fill(way as Way));

export function planOf(number: number): PlannedRequest {
  const random = createRandom(number * 7_919 + 17);
  for (let warming = 0; warming < 3; warming += 1) random.next();
  const kind = random.between(1, 100);
  if (kind <= 6) return { ...base(number, random), operation: 'embeddings', model: 'billed/vectors' };
  if (kind <= 14) {
    const images = random.between(1, 4);
    const model = random.one<ModelId>(['billed/pictures', 'billed/drawings']);
    return { ...base(number, random), operation: 'images/generations', model, images };
  }
  const model = random.one(texts);
  const others = texts.filter((other) => other !== model);
  return {
    ...base(number, random),
    operation: random.chance(0.35) ? 'responses' : 'chat/completions',
    model,
    stream: random.chance(0.5),
    leaves: random.chance(0.06),
    ...(random.chance(0.3) && { fallback: random.one(others) }),
  };
}

const base = (number: number, random: Random) => ({
  number,
  stream: false,
  images: 1,
  leaves: false,
  calls: Array.from({ length: 7 }, () => callOf(random)),
});

function callOf(random: Random): PlannedCall {
  const way = random.one(ways);
  const tier = random.one([undefined, undefined, undefined, 'default', 'flex', 'priority', 'galactic']);
  return { way, usage: countsOf(random), ...(tier !== undefined && { tier }) };
}

/** Counts that any protocol can write. */
function countsOf(random: Random): RawUsage {
  const input = random.chance(0.3) ? random.between(15_000, 120_000) : random.between(1, 900);
  const read = random.chance(0.3) ? random.between(0, input) : 0;
  const written = random.chance(0.3) ? random.between(0, input - read) : 0;
  const hour = random.chance(0.5) ? random.between(0, written) : 0;
  const output = random.between(1, 2_000);
  return {
    input,
    read,
    written,
    hour,
    output,
    thought: random.between(0, output),
    searches: random.chance(0.1) ? 2 : 0,
  };
}

type Counts = Readonly<
  Record<'input' | 'read' | 'written' | 'hour' | 'output' | 'thought' | 'searches', number>
>;

/** The same counts as the provider's protocol writes them. */
export function rawUsage(protocol: Protocol, planned: RawUsage): RawUsage {
  const { input, read, written, hour, output, thought, searches } = planned as Counts;
  switch (protocol) {
    case 'chat':
      return {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
        prompt_tokens_details: { cached_tokens: read },
        completion_tokens_details: { reasoning_tokens: thought },
      };
    case 'responses':
      return {
        input_tokens: input,
        input_tokens_details: { cached_tokens: read },
        output_tokens: output,
        output_tokens_details: { reasoning_tokens: thought },
        total_tokens: input + output,
      };
    case 'messages':
      return {
        input_tokens: input - read - written,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: written,
        cache_creation: { ephemeral_5m_input_tokens: written - hour, ephemeral_1h_input_tokens: hour },
        output_tokens: output,
        ...(searches > 0 && { server_tool_use: { web_search_requests: searches } }),
      };
    case 'gemini':
      return {
        promptTokenCount: input,
        cachedContentTokenCount: read,
        candidatesTokenCount: output - thought,
        thoughtsTokenCount: thought,
        totalTokenCount: input + output,
      };
    case 'embeddings':
      return { prompt_tokens: input, total_tokens: input };
    case 'images':
      return {
        input_tokens: input,
        input_tokens_details: { text_tokens: input - read, image_tokens: read },
        output_tokens: output,
        total_tokens: input + output,
      };
    case 'gemini-images':
      return {
        promptTokenCount: input,
        candidatesTokenCount: output,
        candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: output }],
        totalTokenCount: input + output,
      };
  }
}
