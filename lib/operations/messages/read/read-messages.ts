/** Reads the conversation: the instructions, and the messages with those of the system among them. */

import { source } from '../../../core/generation/original/source.ts';
import type { Message, SystemMessage } from '../../../core/generation/request.ts';
import type { Block } from './content/block-schema.ts';
import { markerOf, plainText } from './content/parts.ts';
import { readShown } from './content/read-content.ts';
import { type Content, readUser } from './content/read-user.ts';
import { messageSource } from './content/sources.ts';
import type { CacheMarker } from './history/open-variants.ts';
import { leaveOutBlock } from './history/other-block.ts';
import { leaveOut, type Notes } from './notes.ts';
import { readAssistant } from './read-assistant.ts';
import type { MessagesBody } from './schema.ts';

/** @throws GatewayError `invalid_request` for a file that is stored at Anthropic. */
export function readConversation(body: MessagesBody, notes: Notes): readonly Message[] {
  const { system, messages, cache_control: marker } = body;
  const conversation = [
    ...readSystem(system as Content, 'system', 'system', notes),
    ...messages.flatMap(({ role, content }, index) =>
      readMessage(role, content as Content, `messages.${index}`, notes),
    ),
  ];
  return marker ? markedAtEnd(conversation, marker) : conversation;
}

function readMessage(
  role: MessagesBody['messages'][number]['role'],
  content: Content,
  path: string,
  notes: Notes,
): readonly Message[] {
  if (role === 'user') return readUser(content, path, notes);
  if (role === 'assistant') return [readAssistant(content, path, notes)];
  return readSystem(content, path, `${path}.content`, notes);
}

/** Blocks stay in their order. Nothing for a message that only changes settings. */
function readSystem(content: Content, path: string, at: string, notes: Notes): readonly SystemMessage[] {
  const blocks: readonly Block[] = typeof content === 'string' ? [] : (content ?? []);
  const parts = blocks.flatMap((block, index) => {
    const from = `${at}.${index}`;
    // The schema has texts alone beside the messages.
    const read = at === 'system' && block.type !== 'text' ? leaveOutBlock : readShown;
    return read(block, from, notes).flatMap((part) => {
      if (part.type === 'text') return [part];
      leaveOut(notes, from, { type: block.type });
      return [];
    });
  });
  const texts = typeof content === 'string' && content !== '' ? [plainText(content, at)] : parts;
  return texts.length > 0 ? [{ role: 'system', content: texts, [source]: messageSource(path) }] : [];
}

/** The marker of a whole request is one at its end. */
function markedAtEnd(messages: readonly Message[], marker: NonNullable<CacheMarker>): readonly Message[] {
  const last = messages.at(-1);
  if (!last || last.cacheControl) return messages;
  const { path = 'messages' } = last[source] ?? {};
  const from = { path, fields: {}, elsewhere: { cacheControl: 'cache_control' } };
  return messages.with(-1, { ...last, ...markerOf({ cache_control: marker }), [source]: from });
}
