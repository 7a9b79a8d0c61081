/** What the OpenAI protocol refuses in `messages`. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { checkKeys, listOf, objectOf, objectsOf, textOf } from '../json.ts';
import { refuse, refuseLongId, refuseMissing, refuseUnknown } from './refuse.ts';

const roles = new Set(['developer', 'system', 'user', 'assistant', 'tool']);
const messageKeys = new Set(['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'refusal']);
/** Sources: microsoft/autogen issue 6377, Portkey-AI/gateway issue 1062 (Azure), BerriAI/litellm issue 17343. */
const maxIdLength = 40;
const partTypes = new Set(['text', 'image_url', 'refusal', 'file', 'input_audio']);

/** `strict` also refuses fields that OpenAI itself does not know; compatible hosts take them. */
export function checkMessages(messages: readonly unknown[], strict: boolean): void {
  for (const [index, one] of messages.entries()) {
    const message = objectOf(one);
    const path = `messages[${index}]`;
    if (strict) checkKeys(message, messageKeys, (unknown) => refuseUnknown(`${path}.${unknown}`));
    if (!roles.has(textOf(message.role))) {
      refuse(`Invalid value: '${textOf(message.role)}'.`, `${path}.role`, 'invalid_value');
    }
    checkContent(message, path);
    checkCalls(message, path);
    if (strict) checkIds(message, path);
  }
  checkOrder(messages.map(objectOf));
}

function checkContent(message: JsonObject, path: string): void {
  const { content } = message;
  if (typeof content === 'string') return;
  const mayBeEmpty = message.role === 'assistant' && (message.tool_calls || message.refusal);
  if (content === null || content === undefined) {
    if (mayBeEmpty) return;
    refuse(
      `Invalid type for '${path}.content': expected one of a string or array of objects, but got null instead.`,
      `${path}.content`,
      'invalid_type',
    );
  }
  for (const [index, part] of objectsOf(content).entries())
    checkPart(message, part, `${path}.content[${index}]`);
}

function checkPart(message: JsonObject, part: JsonObject, path: string): void {
  const type = textOf(part.type);
  if (!partTypes.has(type)) refuse(`Invalid value: '${type}'.`, `${path}.type`, 'invalid_value');
  if (type === 'file') checkFile(message, part, path);
  if (type !== 'image_url') return;
  const url = textOf(objectOf(part.image_url).url);
  if (message.role !== 'user') {
    refuse(`Image URLs are only allowed for messages with role 'user', not '${textOf(message.role)}'.`, path);
  }
  if (!/^(https?:|data:image\/)/.test(url))
    refuse('Invalid image URL.', `${path}.image_url.url`, 'invalid_value');
}

function checkFile(message: JsonObject, part: JsonObject, path: string): void {
  const { file_data, filename } = objectOf(part.file);
  if (message.role !== 'user') refuse("Files are only allowed for messages with role 'user'.", path);
  if (textOf(filename) === '') refuseMissing(`${path}.file.filename`);
  if (/^data:application\/pdf;base64,[A-Za-z0-9+/]+=*$/.test(textOf(file_data))) return;
  refuse(
    `Invalid '${path}.file.file_data': expected a base64-encoded data URL of a PDF.`,
    `${path}.file`,
    'invalid_value',
  );
}

function checkCalls(message: JsonObject, path: string): void {
  const calls = message.tool_calls;
  if (calls === undefined) return;
  if (listOf(calls).length === 0) {
    refuse(`Invalid '${path}.tool_calls': empty array.`, `${path}.tool_calls`, 'empty_array');
  }
  for (const [index, call] of objectsOf(calls).entries()) {
    const { custom, function: called } = call;
    const input = call.type === 'custom' ? objectOf(custom).input : objectOf(called).arguments;
    const known = textOf(call.id) !== '' && (call.type === 'function' || call.type === 'custom');
    if (!known || typeof input !== 'string')
      refuse('Missing required parameter.', `${path}.tool_calls[${index}]`);
  }
}

function checkIds(message: JsonObject, path: string): void {
  refuseLongId(textOf(message.tool_call_id), maxIdLength, `${path}.tool_call_id`);
  for (const [index, { id }] of objectsOf(message.tool_calls).entries()) {
    refuseLongId(textOf(id), maxIdLength, `${path}.tool_calls[${index}].id`);
  }
}

/** Calls and their results: every result follows its call, every call has its result. */
function checkOrder(messages: readonly JsonObject[]): void {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'tool') refuseOpenCalls(open);
    else if (!open.delete(textOf(message.tool_call_id))) {
      refuse(
        "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
        'messages',
      );
    }
    for (const call of objectsOf(message.tool_calls)) open.add(textOf(call.id));
  }
  refuseOpenCalls(open);
}

function refuseOpenCalls(open: ReadonlySet<string>): void {
  if (open.size === 0) return;
  const ids = [...open].join(', ');
  refuse(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. These had no response: ${ids}`,
    'messages',
  );
}
