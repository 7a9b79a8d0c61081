/** A message as one body: the events of the stream, folded as a client folds them. */
import type { Piped } from '../../../async/pipe.ts';
import type { PublicEvent } from '../../../core/endpoint.ts';
import type { GenerationEvent } from '../../../core/generation/events.ts';
import { isJsonObject, type JsonObject } from '../../../core/json-object.ts';
import { parseJson } from '../../../core/parse-json.ts';
import { type MessagesAnswer, messagesStream } from './write-stream.ts';

export async function writeMessagesBody(
  events: Piped<GenerationEvent>,
  answer: MessagesAnswer,
): Promise<object> {
  const folded: Folded = { message: {}, content: [], input: '' };
  for await (const list of events.pipe(messagesStream(answer)))
    for (const event of list) fold(folded, dataOf(event));
  return { ...folded.message, content: folded.content };
}

type Json = Record<string, unknown>;

interface Folded {
  message: JsonObject;
  readonly content: Json[];
  /** The input of the open block, as JSON text. */
  input: string;
}

const dataOf = ({ data }: PublicEvent): JsonObject =>
  (typeof data === 'string' ? JSON.parse(data) : data) as JsonObject;

function fold(folded: Folded, { type, ...event }: JsonObject): void {
  const { content, message } = folded;
  const block = content.at(-1);
  if (type === 'message_start') folded.message = event.message as JsonObject;
  else if (type === 'content_block_start') content.push({ ...(event.content_block as JsonObject) });
  else if (type === 'content_block_delta' && block) addDelta(folded, block, event.delta as JsonObject);
  else if (type === 'content_block_stop' && block) {
    if (folded.input !== '') block.input = inputOf(folded.input);
    folded.input = '';
  } else if (type === 'message_delta') {
    const { delta, usage, ...others } = event;
    const counted = { ...(message.usage as JsonObject), ...(usage as JsonObject) };
    folded.message = { ...message, ...(delta as JsonObject), usage: counted, ...others };
  }
}

/** The fields whose pieces are joined. */
const joined: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
};

function addDelta(folded: Folded, block: Json, delta: JsonObject): void {
  const type = `${delta.type}`;
  const field = joined[type];
  if (field !== undefined) block[field] = `${block[field]}${delta[field]}`;
  else if (type === 'input_json_delta') folded.input += delta.partial_json;
  else if (type === 'citations_delta')
    block.citations = [...((block.citations as unknown[] | undefined) ?? []), delta.citation];
}

/** The input of a call that was cut is no object: it is shown as it is, under the name that Anthropic uses for that. */
function inputOf(text: string): JsonObject {
  const input = parseJson(text);
  return isJsonObject(input) ? input : { INVALID_JSON: text };
}
