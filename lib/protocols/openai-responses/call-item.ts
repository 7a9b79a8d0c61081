/** A function call of an answer. Its arguments arrive in pieces, at their end, or with the complete call. */
import type { JsonObject } from '../../core/generation/request.ts';
import { isJsonObject } from '../../core/json-object.ts';
import { newCallId } from '../../core/new-id.ts';
import { parseJson } from '../../core/parse-json.ts';
import { upstreamError } from '../failure.ts';
import { asArray, asObject, asOptionalText, asText } from '../json.ts';
import { type Answer, type Events, restOf } from './answer.ts';

export interface CallItem {
  readonly type: 'function_call';
  id: string | undefined;
  name: string | undefined;
  /** Its number; undefined until it was emitted. */
  call: number | undefined;
  arguments: string;
  /** How many characters of the arguments were emitted. */
  emitted: number;
}

export const newCall = (): CallItem => ({
  type: 'function_call',
  id: undefined,
  name: undefined,
  call: undefined,
  arguments: '',
  emitted: 0,
});

/** OpenAI's models sometimes call a tool of their own that wraps the calls they mean. */
const wrappers: readonly (string | undefined)[] = [
  'multi_tool_use.parallel',
  'multi_tool_use_parallel',
  'parallel',
];

export function openCall(answer: Answer, item: CallItem, source: JsonObject): Events {
  item.id ??= asOptionalText(source.call_id);
  item.name ??= asOptionalText(source.name);
  // The content of a wrapper is known at its end.
  return item.name === undefined || wrappers.includes(item.name) ? [] : emitCall(answer, item);
}

export function onArgumentsDelta(item: CallItem, { delta }: JsonObject): Events {
  item.arguments += asText(delta);
  return emitArguments(item);
}

/** The complete arguments, at their end. */
export function onArguments(item: CallItem, source: JsonObject): Events {
  const { arguments: given } = source;
  const whole = isJsonObject(given) ? JSON.stringify(given) : asText(given);
  item.arguments += restOf(item.arguments, whole);
  return emitArguments(item);
}

/** @throws GatewayError `upstream_invalid_answer` for a call without a name. */
export function closeCall(answer: Answer, item: CallItem, source: JsonObject): Events {
  const opened = openCall(answer, item, source);
  const rest = onArguments(item, source);
  if (item.name === undefined) throw upstreamError('upstream_invalid_answer');
  if (item.call === undefined) return unwrap(answer, item) ?? emitCompleteCall(answer, item);
  return [...opened, ...rest, ...emitNoArguments(item)];
}

function emitCall(answer: Answer, item: CallItem): Events {
  if (item.call !== undefined) return [];
  item.call = answer.calls;
  answer.calls += 1;
  const { call, id = newCallId(), name = '' } = item;
  return [{ type: 'tool-call', choice: 0, call, id, name }, ...emitArguments(item)];
}

/** White space alone is not emitted until more arrives. */
function emitArguments(item: CallItem): Events {
  const { call, arguments: all, emitted } = item;
  if (call === undefined || all.length === emitted || all.trim() === '') return [];
  item.emitted = all.length;
  return [{ type: 'tool-arguments', choice: 0, call, text: all.slice(emitted) }];
}

/** A call without arguments gets an empty object: its arguments must be JSON. */
function emitNoArguments({ call, emitted }: CallItem): Events {
  return call === undefined || emitted > 0 ? [] : [{ type: 'tool-arguments', choice: 0, call, text: '{}' }];
}

function emitCompleteCall(answer: Answer, item: CallItem): Events {
  return [...emitCall(answer, item), ...emitNoArguments(item)];
}

/** The calls inside a wrapper; undefined if it is a tool of the caller with the same name. */
function unwrap(answer: Answer, { id = newCallId(), arguments: text }: CallItem): Events | undefined {
  const uses = asArray(asObject(parseJson(text)).tool_uses).map(asObject);
  const calls = uses.map(({ recipient_name, parameters }, index): CallItem | undefined => {
    const name = asText(recipient_name).replace(/^functions\./, '');
    if (name === '' || !isJsonObject(parameters)) return undefined;
    return { ...newCall(), id: `${id}_${index}`, name, arguments: JSON.stringify(parameters) };
  });
  const known = calls.filter((call) => call !== undefined);
  if (known.length === 0 || known.length < calls.length) return undefined;
  return known.flatMap((call) => emitCompleteCall(answer, call));
}
