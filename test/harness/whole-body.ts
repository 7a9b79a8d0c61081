/**
 * The body that a provider would have sent for a recorded stream: each protocol's own way of putting its pieces together,
 * written apart from the gateway's decoders so that the two can judge each other.
 */
import { EventStreamCodec } from '@smithy/eventstream-codec';
import { dataOf } from './chat-stream.ts';
import type { Protocol, Recording } from './recorded/recordings.ts';

/** A JSON object of a recording; `at` walks into it. */
type Json = Readonly<Record<string, unknown>>;

/** The value at a dotted path, or undefined. */
function at<Value = string>(json: unknown, path: string): Value | undefined {
  let value = json;
  for (const key of path.split('.')) value = (value as Json | undefined)?.[key];
  return value as Value | undefined;
}

const folds: Readonly<Record<Protocol, (events: readonly Json[]) => object>> = {
  openai: wholeOpenAi,
  'openai-responses': wholeResponse,
  anthropic: wholeAnthropic,
  google: wholeGoogle,
  bedrock: wholeBedrock,
  cohere: wholeCohere,
};

export function wholeBody(recording: Recording): object {
  const events =
    recording.protocol === 'bedrock'
      ? messagesOf(recording.body)
      : dataOf(recording.body.toString())
          .filter((data) => data !== '[DONE]')
          .map((data) => JSON.parse(data));
  return folds[recording.protocol](events);
}

/** Its last event holds the whole, but reasoning is encrypted once more in it, and some hosts leave its items out. */
function wholeResponse(events: readonly Json[]): object {
  const output = events
    .filter(({ type }) => type === 'response.output_item.done')
    .map((event) => at<object>(event, 'item'));
  return { ...at<object>(events.at(-1), 'response'), ...(output.length > 0 && { output }) };
}

function messagesOf(bytes: Buffer): readonly Json[] {
  const codec = new EventStreamCodec(
    (part) => Buffer.from(part).toString(),
    (text) => Buffer.from(text),
  );
  const found: Json[] = [];
  for (let start = 0; start < bytes.length; start += bytes.readUInt32BE(start)) {
    const { headers, body } = codec.decode(bytes.subarray(start, start + bytes.readUInt32BE(start)));
    const type = String(headers[':event-type']?.value);
    found.push({ [type]: JSON.parse(Buffer.from(body).toString()) });
  }
  return found;
}

interface OpenAiCall {
  /** Absent where a host sends whole calls. */
  readonly index?: number;
  readonly function: { arguments: unknown };
}

interface OpenAiMessage {
  content: Json[];
  reasoning: Readonly<Record<string, string>>;
  details: object[];
  calls: OpenAiCall[];
}

function wholeOpenAi(chunks: readonly Json[]): object {
  const message: OpenAiMessage = { content: [], reasoning: {}, details: [], calls: [] };
  let finish: string | null = null;
  let usage: object | undefined;
  let service_tier: string | undefined;
  for (const chunk of chunks) {
    service_tier = at(chunk, 'service_tier') ?? service_tier;
    usage = at<object>(chunk, 'usage') ?? at<object>(chunk, 'x_groq.usage') ?? usage;
    finish = at(chunk, 'choices.0.finish_reason') || finish;
    addOpenAi(message, at<Json>(chunk, 'choices.0.delta') ?? {});
  }
  const { content, reasoning, details, calls } = message;
  const isText = content.every(({ type }) => type === 'text');
  const text = content.map((part) => part.text).join('') || null;
  const whole = {
    role: 'assistant',
    content: isText ? text : content,
    ...reasoning,
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const choices = [{ index: 0, message: whole, finish_reason: finish }];
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices,
    usage,
    service_tier,
  };
}

function addOpenAi(message: OpenAiMessage, delta: Json): void {
  const { content } = delta;
  if (Array.isArray(content)) message.content.push(...content);
  else if (content) message.content.push({ type: 'text', text: content });
  for (const field of ['reasoning_content', 'reasoning']) {
    const piece = at(delta, field);
    if (piece)
      message.reasoning = { ...message.reasoning, [field]: (message.reasoning[field] ?? '') + piece };
  }
  message.details.push(...(at<object[]>(delta, 'reasoning_details') ?? []));
  for (const call of at<OpenAiCall[]>(delta, 'tool_calls') ?? []) {
    const index = call.index ?? message.calls.length;
    const known = message.calls[index];
    if (known) known.function.arguments += String(call.function.arguments ?? '');
    else message.calls[index] = structuredClone(call);
  }
}

interface AnthropicBlock extends Record<string, unknown> {
  pending?: string;
  citations?: unknown[];
}

function wholeAnthropic(events: readonly Json[]): object {
  const message: Record<string, unknown> = {};
  const content: AnthropicBlock[] = [];
  for (const event of events) {
    const index = at<number>(event, 'index') ?? 0;
    switch (event.type) {
      case 'message_start':
        Object.assign(message, event.message);
        break;
      case 'content_block_start':
        content[index] = structuredClone(at<AnthropicBlock>(event, 'content_block') ?? {});
        break;
      case 'content_block_delta':
        addAnthropic(content[index] ?? {}, event.delta);
        break;
      case 'message_delta': {
        const { type: _, delta, usage, ...others } = event;
        const counts = { ...Object(message.usage), ...Object(usage) };
        Object.assign(message, delta, others, { usage: counts });
        break;
      }
    }
  }
  const blocks = content.map(({ pending, ...block }) => ({
    ...block,
    ...(pending && { input: JSON.parse(pending) }),
  }));
  return { ...message, content: blocks };
}

function addAnthropic(block: AnthropicBlock, delta: unknown): void {
  const add = (key: string, text: string | undefined) => {
    if (text !== undefined) block[key] = String(block[key] ?? '') + text;
  };
  add('text', at(delta, 'text'));
  add('thinking', at(delta, 'thinking'));
  add('signature', at(delta, 'signature'));
  add('pending', at(delta, 'partial_json'));
  const citation = at<object>(delta, 'citation');
  if (citation) block.citations = [...(block.citations ?? []), citation];
}

function wholeGoogle(events: readonly Json[]): object {
  const parts = events.flatMap((event) => at<Json[]>(event, 'candidates.0.content.parts') ?? []);
  const ended = events.findLast((event) => at(event, 'candidates.0.finishReason'));
  const candidate = { ...at<object>(ended, 'candidates.0'), content: { role: 'model', parts } };
  return { ...events.at(-1), candidates: [candidate] };
}

interface BedrockBlock {
  text?: string;
  toolUse?: { pending: string };
  reasoning?: { text: string; signature?: string };
  redacted?: string;
}

function wholeBedrock(events: readonly Json[]): object {
  const content: BedrockBlock[] = [];
  let stopReason: string | undefined;
  let usage: object | undefined;
  for (const event of events) {
    const started = at<number>(event, 'contentBlockStart.contentBlockIndex');
    const call = at<object>(event, 'contentBlockStart.start.toolUse');
    if (started !== undefined && call) content[started] = { toolUse: { ...call, pending: '' } };
    const index = at<number>(event, 'contentBlockDelta.contentBlockIndex');
    if (index !== undefined) {
      content[index] ??= {};
      addBedrock(content[index], at(event, 'contentBlockDelta.delta'));
    }
    stopReason = at(event, 'messageStop.stopReason') ?? stopReason;
    usage = at<object>(event, 'metadata.usage') ?? usage;
  }
  const blocks = content.filter(Boolean).map(writeBedrock);
  return { output: { message: { role: 'assistant', content: blocks } }, stopReason, usage };
}

function addBedrock(block: BedrockBlock, delta: unknown): void {
  const text = at(delta, 'text');
  if (text !== undefined) block.text = (block.text ?? '') + text;
  if (block.toolUse) block.toolUse.pending += at(delta, 'toolUse.input') ?? '';
  const thought = at(delta, 'reasoningContent.text');
  const signature = at(delta, 'reasoningContent.signature');
  if (thought !== undefined || signature !== undefined) {
    block.reasoning ??= { text: '' };
    block.reasoning.text += thought ?? '';
    if (signature !== undefined) block.reasoning.signature = signature;
  }
  const redacted = at(delta, 'reasoningContent.redactedContent');
  if (redacted !== undefined) block.redacted = (block.redacted ?? '') + redacted;
}

function writeBedrock({ text, toolUse, reasoning, redacted }: BedrockBlock): object {
  if (toolUse) {
    const { pending, ...call } = toolUse;
    return { toolUse: { ...call, input: JSON.parse(pending || '{}') } };
  }
  if (reasoning) return { reasoningContent: { reasoningText: reasoning } };
  if (redacted !== undefined) return { reasoningContent: { redactedContent: redacted } };
  return { text };
}

interface CoherePart {
  readonly type: string;
  text?: string;
  thinking?: string;
}

function wholeCohere(events: readonly Json[]): object {
  const content: CoherePart[] = [];
  const calls: { readonly function: { arguments: string } }[] = [];
  let plan = '';
  for (const event of events) {
    const message = at<Json>(event, 'delta.message');
    const index = Number(event.index);
    const piece = at<CoherePart>(message, 'content');
    if (event.type === 'content-start' && piece) content[index] = { ...piece };
    const part = content[index];
    if (event.type === 'content-delta' && part?.type === 'text') part.text += piece?.text ?? '';
    if (event.type === 'content-delta' && part?.type === 'thinking') part.thinking += piece?.thinking ?? '';
    if (event.type === 'tool-plan-delta') plan += at(message, 'tool_plan') ?? '';
    if (event.type === 'tool-call-start')
      calls[index] = structuredClone(message?.tool_calls) as (typeof calls)[0];
    const call = calls[index];
    if (event.type === 'tool-call-delta' && call)
      call.function.arguments += at(message, 'tool_calls.function.arguments');
  }
  const extras = { ...(plan !== '' && { tool_plan: plan }), ...(calls.length > 0 && { tool_calls: calls }) };
  const end = at<Json>(events.at(-1), 'delta');
  return { id: '1', ...end, message: { role: 'assistant', content, ...extras } };
}
