/** A call of a function or of a custom tool of the caller. Its arguments arrive in pieces, at their end, or with the complete call. */

import { asArray, asObject, isJsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { newCallId } from '../../core/names/new-id.ts';
import { upstreamError } from '../failure.ts';
import { asOptionalText, asText } from '../json.ts';
import { type Answer, type Events, restOf } from './answer.ts';
import type * as wire from './wire.ts';

export interface CallItem {
  readonly type: 'function_call' | 'custom_tool_call';
  id: string | undefined;
  name: string | undefined;
  namespace: string | undefined;
  /** Its number; undefined until it was emitted. */
  call: number | undefined;
  arguments: string;
  /** What of the arguments was not emitted yet. */
  held: string;
  /** Whether all of them so far are white space. */
  isBlank: boolean;
  hasEmitted: boolean;
}

export const newCall = (type: CallItem['type'] = 'function_call'): CallItem => ({
  type,
  id: undefined,
  name: undefined,
  namespace: undefined,
  call: undefined,
  arguments: '',
  held: '',
  isBlank: true,
  hasEmitted: false,
});

/** OpenAI's models sometimes call a tool of their own that wraps the calls they mean. */
const wrappers: readonly (string | undefined)[] = [
  'multi_tool_use.parallel',
  'multi_tool_use_parallel',
  'parallel',
];

const isWrapper = ({ type, name }: CallItem) => type === 'function_call' && wrappers.includes(name);

export function openCall(answer: Answer, item: CallItem, source: wire.Item): Events {
  item.id ??= asOptionalText(source.call_id);
  item.name ??= asOptionalText(source.name);
  item.namespace ??= asOptionalText(source.namespace);
  // The content of a wrapper is known at its end.
  return item.name === undefined || isWrapper(item) ? [] : emitCall(answer, item);
}

export function onArgumentsDelta(item: CallItem, { delta }: wire.Event): Events {
  return addArguments(item, asText(delta));
}

function addArguments(item: CallItem, text: string): Events {
  item.arguments += text;
  item.held += text;
  item.isBlank &&= text.trim() === '';
  return emitArguments(item);
}

/** The complete arguments, at their end. */
export function onArguments(item: CallItem, source: wire.Item | wire.Event): Events {
  const { arguments: given } = item.type === 'custom_tool_call' ? { arguments: source.input } : source;
  const whole = isJsonObject(given) ? JSON.stringify(given) : asText(given);
  return addArguments(item, restOf(item.arguments, whole));
}

/** @throws GatewayError `upstream_invalid_answer` for a call without a name. */
export function closeCall(answer: Answer, item: CallItem, source: wire.Item): Events {
  const opened = openCall(answer, item, source);
  const rest = onArguments(item, source);
  if (item.name === undefined) throw upstreamError('upstream_invalid_answer');
  if (item.call === undefined) return unwrap(answer, item) ?? emitCompleteCall(answer, item);
  return [...opened, ...rest, ...emitEnd(item.call, item)];
}

function emitCall(answer: Answer, item: CallItem): Events {
  if (item.call !== undefined) return [];
  item.call = answer.calls;
  answer.calls += 1;
  const { call, id = newCallId(), name = '' } = item;
  const identity = {
    name,
    ...(item.namespace !== undefined && { namespace: item.namespace }),
    ...(item.type === 'custom_tool_call' && { kind: 'custom' as const }),
  };
  return [{ type: 'tool-call', choice: 0, call, id, ...identity }, ...emitArguments(item)];
}

/** Of JSON, white space alone is not emitted until more arrives. */
function emitArguments(item: CallItem): Events {
  const { type, call, held, isBlank } = item;
  if (call === undefined || held === '') return [];
  if (type === 'function_call' && isBlank) return [];
  item.held = '';
  item.hasEmitted = true;
  return [{ type: 'tool-arguments', choice: 0, call, text: held }];
}

/** A function call without arguments gets an empty object: its arguments must be JSON. */
function emitEnd(call: number, { type, hasEmitted }: CallItem): Events {
  if (type === 'custom_tool_call') return [{ type: 'tool-call-end', choice: 0, call }];
  return hasEmitted ? [] : [{ type: 'tool-arguments', choice: 0, call, text: '{}' }];
}

function emitCompleteCall(answer: Answer, item: CallItem): Events {
  const call = answer.calls;
  return [...emitCall(answer, item), ...emitEnd(call, item)];
}

/** The calls inside a wrapper; undefined if it is a tool of the caller with the same name. */
function unwrap(answer: Answer, { id = newCallId(), arguments: text }: CallItem): Events | undefined {
  const uses = asArray(asObject<wire.Wrapper>(parseJson(text)).tool_uses).map(asObject<wire.Wrapped>);
  const calls = uses.map(({ recipient_name, parameters }, index): CallItem | undefined => {
    const name = asText(recipient_name).replace(/^functions\./, '');
    if (name === '' || !isJsonObject(parameters)) return undefined;
    return { ...newCall(), id: `${id}_${index}`, name, held: JSON.stringify(parameters), isBlank: false };
  });
  const known = calls.filter((call) => call !== undefined);
  if (known.length === 0 || known.length < calls.length) return undefined;
  return known.flatMap((call) => emitCompleteCall(answer, call));
}
