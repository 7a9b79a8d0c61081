/** Expands every short form of a caller's item. This is the form that the gateway reads, stores and lists. */
import * as z from 'zod/mini';
import { lazy } from '../../../async/lazy.ts';
import { GatewayError } from '../../../core/errors/errors.ts';
import { type Source, source } from '../../../core/generation/original/source.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import { readFile } from '../../file-schema.ts';
import { given } from '../../read-request.ts';
import { decodeSummary } from '../write/encrypted-content.ts';
import type {
  AssistantItem,
  ConversationItem,
  InputContent,
  InputFile,
  InputItem,
  InputMessage,
  OutputText,
  UrlCitationAnnotation,
} from './item.ts';
import { type ItemBody, itemSchema } from './item-schema.ts';

export function fullItem(item: ItemBody): InputItem {
  if ('content' in item && 'role' in item) return fullMessage(item);
  switch (item.type) {
    case 'function_call': {
      const { type, call_id, name, arguments: text } = item;
      return { ...baseOf(item), type, call_id, name, ...given(item, ['namespace']), arguments: text };
    }
    case 'custom_tool_call': {
      const { type, call_id, name, input } = item;
      return { ...baseOf(item), type, call_id, name, ...given(item, ['namespace']), input };
    }
    case 'custom_tool_call_output':
    case 'function_call_output': {
      const { type, call_id, output } = item;
      return {
        ...baseOf(item),
        type,
        call_id,
        output: typeof output === 'string' ? output : output.map(fullPart),
      };
    }
    case 'reasoning':
      return {
        ...baseOf(item),
        type: item.type,
        summary: item.summary ?? [],
        ...given(item, ['content', 'encrypted_content']),
      };
    case 'web_search_call': {
      const { type, status, action } = item;
      return {
        ...given(item, ['id']),
        type,
        status: status === 'incomplete' ? 'failed' : (status ?? 'completed'),
        action: action ?? { type: 'search', query: '' },
      };
    }
    case 'item_reference':
    case null:
    case undefined:
      return { type: 'item_reference', id: item.id };
    case 'compaction':
      return readCompaction({ ...item }) ?? protocolItem({ ...item });
    default:
      return protocolItem({ ...item });
  }
}

function protocolItem(item: JsonObject): InputItem {
  return { type: 'protocol_item', ...(typeof item.id === 'string' && { id: item.id }), item };
}

/** A summary by the gateway is a text of the user; a provider's own compaction is for that provider alone. */
function readCompaction({ encrypted_content: encrypted }: JsonObject): InputMessage | undefined {
  const summary = typeof encrypted === 'string' ? decodeSummary(encrypted) : undefined;
  if (summary === undefined) return undefined;
  return userText(`This summary stands in place of the conversation until here:\n\n${summary}`);
}

/** An input that is only a text. */
export function userText(text: string): InputMessage {
  return { type: 'message', status: 'completed', role: 'user', content: [inputText(text)] };
}

/**
 * An item of a stored response: it was valid when it was stored, and is no reference. `from`: where the caller refers to
 * it.
 */
export function storedItem(stored: JsonObject, from: Source): ConversationItem {
  const { data } = z.safeParse(itemSchema(), stored);
  const item = data && fullItem(data);
  if (item && item.type !== 'item_reference') return { ...item, [source]: from };
  throw new GatewayError('internal', 'The gateway cannot read the stored items of an earlier response.');
}

type Based = Pick<MessageBody, 'id' | 'status'>;
type MessageBody = Extract<ItemBody, { role: string }>;

function baseOf(item: Based): Pick<InputMessage, 'id' | 'status'> {
  return { ...given(item, ['id']), status: item.status ?? 'completed' };
}

function fullMessage(message: MessageBody): InputMessage | AssistantItem {
  const base = { ...baseOf(message), type: 'message' as const };
  if (message.role === 'assistant') {
    const { role, content } = message;
    return { ...base, role, content: fullAnswer(content), ...given(message, ['phase']) };
  }
  const { role, content } = message;
  const parts = typeof content === 'string' ? [inputText(content)] : content.map(fullPart);
  return { ...base, role, content: parts };
}

const inputText = (text: string) => ({ type: 'input_text', text }) as const;

type PartBody = Exclude<Extract<MessageBody, { role: 'user' }>['content'], string>[number];

function fullPart(part: PartBody): InputContent {
  switch (part.type) {
    case 'input_text':
      return inputText(part.text);
    case 'input_image':
      return { type: part.type, image_url: part.image_url, detail: part.detail ?? 'auto' };
    case 'input_file':
      return fullFile(part);
  }
}

function fullFile(part: Extract<PartBody, { type: 'input_file' }>): InputFile {
  const { url } = readFile(part);
  const content = isDataUrl(url) ? { file_data: url } : { file_url: url };
  return { type: part.type, ...content, ...given(part, ['filename']) };
}

const isDataUrl = (url: string): boolean => /^data:/i.test(url);

type AnswerBody = Extract<MessageBody, { role: 'assistant' }>['content'];

function fullAnswer(content: AnswerBody): AssistantItem['content'] {
  if (typeof content === 'string') return [outputText(content)];
  return content.map((part) => {
    if (part.type === 'refusal') return part;
    const cited = part.type === 'output_text' ? (part.annotations ?? []) : [];
    return outputText(part.text, cited.flatMap(asCitation));
  });
}

function outputText(text: string, annotations: readonly UrlCitationAnnotation[] = []): OutputText {
  return { type: 'output_text', text, annotations, logprobs: [] };
}

const citationSchema = lazy(() =>
  z.object({
    type: z.literal('url_citation'),
    url: z.string(),
    title: z.string(),
    start_index: z.int(),
    end_index: z.int(),
  }),
);

/** Annotations only describe an earlier answer: one of another kind is left out. */
function asCitation(annotation: unknown): UrlCitationAnnotation[] {
  const { data } = z.safeParse(citationSchema(), annotation);
  return data ? [data] : [];
}
