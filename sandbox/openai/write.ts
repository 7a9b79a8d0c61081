/** Writes an answer in the OpenAI protocol, as a body or as the pieces of a stream. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { ReasoningField, StatedCost } from '../../lib/providers/hosts/host.ts';
import { type Answer, dataEvent, newId, type SandboxCall } from '../exchange.ts';
import { argumentPieces, countTokens, piecesOf } from '../script.ts';

interface ChatOptions {
  readonly model: string;
  /** How many choices; all say the same. */
  readonly choices?: number;
  /** Whether each token comes with its probability, and beside how many others. */
  readonly logprobs?: { readonly top: number } | undefined;
  /** Where readable reasoning stands, on hosts that show it. */
  readonly reasoning?: ReasoningField | undefined;
  readonly shortToolIds?: boolean | undefined;
  /** The service tier that answers; absent: the host has none. */
  readonly tier?: string | undefined;
  /** Where the usage states what the answer costs; absent: nowhere. */
  readonly states?: StatedCost | undefined;
  /** Whether a stream ends with a usage chunk. */
  readonly includeUsage?: boolean;
}

const finishReasons = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
} as const;

/** A dollar for a million tokens, whatever the model. */
export function writeCost(tokens: number, states: StatedCost | undefined): object {
  if (states === 'ticks') return { cost_in_usd_ticks: tokens * 10_000 };
  if (states === undefined) return {};
  const cost = tokens / 1_000_000;
  return states === 'cost' ? { cost, is_byok: false } : { cost: { total_cost: cost, currency: 'USD' } };
}

const now = () => Math.floor(Date.now() / 1_000);

export function writeChatBody(answer: Answer, options: ChatOptions): JsonObject {
  const { choices = 1, model, tier } = options;
  const calls = answer.calls.map((call) => ({ ...callHead(call, options), ...callOf(call) }));
  const message = {
    role: 'assistant',
    content: calls.length > 0 ? null : answer.text,
    ...wholeReasoning(answer, options.reasoning),
    ...(calls.length > 0 && { tool_calls: calls }),
    refusal: null,
    annotations: [],
  };
  const finish_reason = finishReasons[answer.finish];
  return {
    id: newId('chatcmpl-'),
    object: 'chat.completion',
    created: now(),
    model,
    choices: Array.from({ length: choices }, (_, index) => {
      return { index, message, logprobs: writeLogprobs(answer.text, options), finish_reason };
    }),
    usage: writeUsage(answer, options, choices),
    service_tier: tier,
    system_fingerprint: 'fp_sandbox',
  };
}

/** The events of a stream, `[DONE]` included. */
export function writeChatStream(answer: Answer, options: ChatOptions): readonly string[] {
  const { model, tier, includeUsage = false } = options;
  const base = {
    id: newId('chatcmpl-'),
    object: 'chat.completion.chunk',
    created: now(),
    model,
    service_tier: tier,
    system_fingerprint: 'fp_sandbox',
  };
  const chunk = (delta: object, finish_reason: string | null = null, logprobs: object | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, logprobs, finish_reason }],
    ...(includeUsage && { usage: null }),
    obfuscation: 'sandbox',
  });
  const content = answer.calls.length > 0 ? null : '';
  const chunks: object[] = [chunk({ role: 'assistant', content, refusal: null })];
  for (const delta of reasoningDeltas(answer, options.reasoning)) chunks.push(chunk(delta));
  for (const text of piecesOf(answer.text)) {
    chunks.push(chunk({ content: text }, null, writeLogprobs(text, options)));
  }
  for (const delta of answer.calls.flatMap((call, index) => callDeltas(call, index, options)))
    chunks.push(chunk({ tool_calls: [delta] }));
  chunks.push(chunk({}, finishReasons[answer.finish]));
  if (includeUsage)
    chunks.push({ ...base, choices: [], usage: writeUsage(answer, options), obfuscation: 'sandbox' });
  return [...chunks.map(dataEvent), 'data: [DONE]\n\n'];
}

function callHead({ id, arguments: input }: SandboxCall, { shortToolIds }: ChatOptions) {
  const type = typeof input === 'string' ? 'custom' : 'function';
  return { id: shortToolIds ? id.slice(0, 9) : `call_${id}`, type };
}

function callOf({ name, arguments: input }: SandboxCall) {
  if (typeof input === 'string') return { custom: { name, input } };
  return { function: { name, arguments: JSON.stringify(input) } };
}

/** Name first, then the arguments in two parts. */
function callDeltas(call: SandboxCall, index: number, options: ChatOptions): readonly object[] {
  const { name, arguments: input } = call;
  const isCustom = typeof input === 'string';
  const head = isCustom ? { custom: { name, input: '' } } : { function: { name, arguments: '' } };
  return [
    { index, ...callHead(call, options), ...head },
    ...argumentPieces(input).map((part) => ({
      index,
      ...(isCustom ? { custom: { input: part } } : { function: { arguments: part } }),
    })),
  ];
}

function writeUsage({ usage }: Answer, { states }: ChatOptions, choices = 1) {
  const completion = (usage.output + usage.reasoning) * choices;
  return {
    prompt_tokens: usage.input,
    completion_tokens: completion,
    total_tokens: usage.input + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning * choices,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
    ...writeCost(usage.input + completion, states),
  };
}

function writeLogprobs(text: string, { logprobs }: ChatOptions): JsonObject | null {
  if (logprobs === undefined) return null;
  return { content: logprobsOf(text, logprobs.top), refusal: null };
}

/** One entry for each piece of a stream, each beside `top` others. */
export function logprobsOf(text: string, top: number): readonly JsonObject[] {
  return piecesOf(text).map((token) => {
    const entry = { token, logprob: -0.125 * countTokens(token), bytes: [...Buffer.from(token)] };
    return { ...entry, top_logprobs: Array.from({ length: top }, () => entry) };
  });
}

/** The part of a whole message that holds the reasoning. */
function wholeReasoning({ reasoning, text, calls }: Answer, field: ReasoningField | undefined): object {
  if (field === undefined || reasoning === '') return {};
  const answered = calls.length > 0 ? '' : text;
  switch (field) {
    case 'tags':
      return { content: `${tagged(reasoning)}${answered}` };
    case 'parts':
      return { content: [thinkingPart(reasoning), { type: 'text', text: answered }] };
    case 'details':
      return { reasoning, reasoning_details: [detail(reasoning)] };
    default:
      return { [field]: reasoning };
  }
}

/** The deltas of the reasoning, before those of the text. */
function reasoningDeltas({ reasoning }: Answer, field: ReasoningField | undefined): readonly object[] {
  if (field === undefined || reasoning === '') return [];
  switch (field) {
    case 'tags':
      // Tokens do not care for tags: both are cut in the middle.
      return tagged(reasoning)
        .split(/(?<=<\/?thi)/)
        .flatMap((part) => piecesOf(part))
        .map((content) => ({ content }));
    case 'parts':
      return piecesOf(reasoning).map((text) => ({ content: [thinkingPart(text)] }));
    case 'details':
      return piecesOf(reasoning).map((text) => ({ reasoning: text, reasoning_details: [detail(text)] }));
    default:
      return piecesOf(reasoning).map((text) => ({ [field]: text }));
  }
}

const tagged = (reasoning: string): string => `<think>${reasoning}</think>\n\n`;

const thinkingPart = (text: string): object => ({ type: 'thinking', thinking: [{ type: 'text', text }] });

const detail = (text: string): object => ({ type: 'reasoning.text', text, format: 'unknown', index: 0 });
