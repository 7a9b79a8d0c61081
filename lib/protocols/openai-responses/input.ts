/**
 * A conversation as the input items of the OpenAI Responses API. Every message stays in place, also system messages: earlier
 * items never change, so that they stay cached.
 */

import type { Target } from '../../core/catalog/model.ts';
import { nameFor, pdfType } from '../../core/formats/file-type.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import type {
  AssistantMessage,
  AssistantText,
  ContentPart,
  FilePart,
  Message,
  ReasoningDetail,
  ToolCall,
} from '../../core/generation/request.ts';
import { encodeToolCallId } from '../../core/generation/tools/tool-call-id.ts';
import { onlySeen } from '../inline-media.ts';
import { inOrder, type Piece, type PositionedBlock } from '../turns.ts';
import type { ResponsesDialect } from './dialect.ts';
import type { Part, ReasoningPart, SentItem, SentPart } from './wire.ts';

export function encodeInput(
  messages: readonly Message[],
  { model }: Target,
  dialect: ResponsesDialect,
): readonly SentItem[] {
  const systemRole = (model.traits.reasoning && dialect.reasonerSystemRole) || 'system';
  const customCalls = customCallsIn(messages);
  return messages.flatMap((message) => encodeMessage(message, systemRole, customCalls, dialect));
}

/** The ids of the calls of custom tools: their results have a type of their own. */
function customCallsIn(messages: readonly Message[]): ReadonlySet<string> {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
  return new Set(calls.filter(({ kind }) => kind === 'custom').map(({ id }) => id));
}

function encodeMessage(
  message: Message,
  systemRole: string,
  customCalls: ReadonlySet<string>,
  { reasoningFormat }: ResponsesDialect,
): readonly SentItem[] {
  const name: SentItem = message.name === undefined ? {} : { name: message.name };
  if (message.role === 'assistant') {
    return encodeAssistant(message, reasoningFormat).map((item) =>
      item.type === 'message' ? { ...item, ...name } : item,
    );
  }
  const content = encodeContent(message.content);
  if (message.role === 'tool') {
    return [
      {
        type: customCalls.has(message.toolCallId) ? 'custom_tool_call_output' : 'function_call_output',
        call_id: encodeToolCallId(message.toolCallId),
        output: content,
        ...name,
      },
    ];
  }
  return [{ type: 'message', role: message.role === 'system' ? systemRole : 'user', content, ...name }];
}

/** A single text is sent as a plain string, which every host accepts. */
function encodeContent(parts: readonly ContentPart[]): string | readonly SentPart[] {
  const [first, ...others] = parts;
  if (others.length === 0 && (first === undefined || first.type === 'text')) return first?.text ?? '';
  return parts.map(encodePart);
}

function encodePart(part: ContentPart): SentPart {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  const seen = onlySeen(part);
  if (seen.type === 'file') return encodeFile(seen);
  return { type: 'input_image', image_url: seen.url, detail: seen.detail ?? 'auto' };
}

/** Inline data needs a file name, by which the host detects its type. A URL has its own name and must not get another. */
function encodeFile({ url, mediaType = pdfType, filename = nameFor(mediaType) }: FilePart): SentPart {
  const isInline = /^data:/i.test(url);
  return { type: 'input_file', ...(isInline ? { filename, file_data: url } : { file_url: url }) };
}

function encodeAssistant(message: AssistantMessage, format: string): readonly SentItem[] {
  const { content, refusal, toolCalls, webSearches = [], items = [], reasoningDetails } = message;
  const searches = webSearches.map(({ id, action, position }) => {
    return { position, blocks: [{ type: 'web_search_call', id, status: 'completed', action }] };
  });
  const calls = toolCalls.map((call) => ({ position: call.position, blocks: [encodeCall(call)] }));
  const others = items.map(({ item, position }) => ({ position, blocks: [item] }));
  return inOrder<SentItem>(
    encodeReasoning(reasoningDetails.filter((detail) => detail.format === format)),
    [...encodeTexts(content), ...encodeRefusal(refusal)],
    [...searches, ...calls, ...others],
  );
}

/** Without the id: a call with an id is rejected if the reasoning before it is missing. */
function encodeCall({ id, name, namespace, kind, arguments: text }: ToolCall): SentItem {
  const called = withoutUndefined<SentItem>({ call_id: encodeToolCallId(id), name, namespace });
  if (kind === 'custom') return { type: 'custom_tool_call', ...called, input: text };
  return { type: 'function_call', ...called, arguments: text.trim() === '' ? '{}' : text };
}

const answerOf = (content: readonly Part[], phase?: string): SentItem =>
  withoutUndefined<SentItem>({ type: 'message', role: 'assistant', content, phase });

/** Texts of one position were one message. */
function encodeTexts(content: readonly AssistantText[]): readonly Piece<SentItem>[] {
  const said = content.filter(({ text }) => text !== '');
  return [...Map.groupBy(said, ({ position }) => position)].map(([position, texts]) => {
    const parts = texts.map(({ text }) => ({ type: 'output_text', text, annotations: [] }));
    return { position, blocks: [answerOf(parts, texts[0]?.phase)] };
  });
}

function encodeRefusal(refusal: string | undefined): readonly Piece<SentItem>[] {
  return refusal === undefined ? [] : [{ blocks: [answerOf([{ type: 'refusal', refusal }])] }];
}

/** Details with the same id were one item. */
function encodeReasoning(details: readonly ReasoningDetail[]): readonly PositionedBlock<SentItem>[] {
  const positionOf = ({ position, index }: ReasoningDetail): number => position ?? index;
  const items = Map.groupBy(details, (detail) => detail.id ?? positionOf(detail));
  return [...items.values()].flatMap((own) => {
    const [first] = own;
    return first ? [{ position: positionOf(first), block: encodeReasoningItem(first.id, own) }] : [];
  });
}

function encodeReasoningItem(id: string | undefined, details: readonly ReasoningDetail[]): SentItem {
  const summary: ReasoningPart[] = [];
  const content: ReasoningPart[] = [];
  let encrypted: string | undefined;
  for (const detail of details) {
    if (detail.type === 'reasoning.summary') summary.push({ type: 'summary_text', text: detail.summary });
    else if (detail.type === 'reasoning.text') content.push({ type: 'reasoning_text', text: detail.text });
    else encrypted = detail.data;
  }
  return withoutUndefined<SentItem>({
    type: 'reasoning',
    id,
    summary,
    content: content.length > 0 ? content : undefined,
    encrypted_content: encrypted,
  });
}
