/**
 * Calls of one id in a request that goes to Claude as its caller wrote it, as in a conversation with a host that counts the calls of
 * each answer from 0: "`tool_use` ids must be unique". Each further call gets another id, and so does its result.
 */

import { isJsonObject, type JsonObject, objectsIn } from '../../../../core/formats/json-object.ts';
import { createCallIds } from '../../../../core/generation/tools/tool-call-id.ts';
import type { Change } from '../../../../normalization/rule.ts';
import type { Adapted } from './original-thinking.ts';

/** The same body where nothing must change. */
export function adaptCalls(body: JsonObject): Adapted {
  const messages = objectsIn(body.messages);
  const ids = messages.flatMap(({ content }) =>
    objectsIn(content)
      .filter(isCall)
      .map(({ id }) => id),
  );
  if (new Set(ids).size === ids.length) return { body, changes: [] };
  const changes: Change[] = [];
  const uniqueId = createCallIds();
  /** The ids that the results of an id get: of the calls of the last message with it. */
  const open = new Map<unknown, string[]>();
  const renamed = (block: JsonObject, field: 'id' | 'tool_use_id', after: string, path: string) => {
    const before = block[field];
    if (before === after) return block;
    const reason = 'Claude refuses two calls of one id.';
    changes.push({ param: `${path}.${field}`, action: 'override', before, after, reason });
    return { ...block, [field]: after };
  };
  const adapted = (body.messages as readonly unknown[]).map((message, index) => {
    if (!isJsonObject(message) || !Array.isArray(message.content)) return message;
    const opened = new Map<unknown, string[]>();
    const content = message.content.map((block: unknown, at) => {
      if (!isJsonObject(block)) return block;
      const path = `messages.${index}.content.${at}`;
      if (isCall(block)) {
        const id = uniqueId(`${block.id}`);
        const own = opened.get(block.id) ?? [];
        own.push(id);
        opened.set(block.id, own);
        return renamed(block, 'id', id, path);
      }
      const id = block.type === 'tool_result' ? open.get(block.tool_use_id)?.pop() : undefined;
      return id === undefined ? block : renamed(block, 'tool_use_id', id, path);
    });
    for (const [id, own] of opened) open.set(id, own.toReversed());
    return { ...message, content };
  });
  return { body: { ...body, messages: adapted }, changes };
}

const isCall = ({ type, id }: JsonObject): boolean => type === 'tool_use' && typeof id === 'string';
