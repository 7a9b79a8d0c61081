/** A call of a function in an answer. Its arguments come in pieces, at their end, or with the whole call. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../core/generation/request.ts';
import { isJsonObject } from '../../core/json-object.ts';
import { parseJson } from '../../core/parse-json.ts';
import { upstreamError } from '../failure.ts';
import { asArray, asObject, asOptionalText, asText } from '../json.ts';
import { type Answer, type Events, restOf } from './answer.ts';

export interface CallItem {
  readonly type: 'function_call';
  id: string | undefined;
  name: string | undefined;
  /** Its number; undefined until it was told. */
  call: number | undefined;
  arguments: string;
  /** How much of the arguments was told. */
  told: number;
}

export const newCall = (): CallItem => ({
  type: 'function_call',
  id: undefined,
  name: undefined,
  call: undefined,
  arguments: '',
  told: 0,
});

/** Models of OpenAI's now and then call a tool of their own making that holds the calls they mean. */
const wrappers: readonly (string | undefined)[] = [
  'multi_tool_use.parallel',
  'multi_tool_use_parallel',
  'parallel',
];

export function openCall(answer: Answer, item: CallItem, source: JsonObject): Events {
  item.id ??= asOptionalText(source.call_id);
  item.name ??= asOptionalText(source.name);
  // What a wrapper holds is known at its end.
  return item.name === undefined || wrappers.includes(item.name) ? [] : tellCall(answer, item);
}

export function onArgumentsDelta(item: CallItem, { delta }: JsonObject): Events {
  item.arguments += asText(delta);
  return tellArguments(item);
}

/** The arguments as a whole, at their end. */
export function onArguments(item: CallItem, source: JsonObject): Events {
  const { arguments: given } = source;
  const whole = isJsonObject(given) ? JSON.stringify(given) : asText(given);
  item.arguments += restOf(item.arguments, whole);
  return tellArguments(item);
}

/** @throws GatewayError `upstream_invalid_answer` for a call of nothing. */
export function closeCall(answer: Answer, item: CallItem, source: JsonObject): Events {
  const opened = openCall(answer, item, source);
  const rest = onArguments(item, source);
  if (item.name === undefined) throw upstreamError('upstream_invalid_answer');
  if (item.call === undefined) return unwrap(answer, item) ?? tellWhole(answer, item);
  return [...opened, ...rest, ...tellNothing(item)];
}

function tellCall(answer: Answer, item: CallItem): Events {
  if (item.call !== undefined) return [];
  item.call = answer.calls;
  answer.calls += 1;
  const { call, id = `call_${randomUUID()}`, name = '' } = item;
  return [{ type: 'tool-call', choice: 0, call, id, name }, ...tellArguments(item)];
}

/** White space alone is no arguments; it waits until more comes. */
function tellArguments(item: CallItem): Events {
  const { call, arguments: all, told } = item;
  if (call === undefined || all.length === told || all.trim() === '') return [];
  item.told = all.length;
  return [{ type: 'tool-arguments', choice: 0, call, text: all.slice(told) }];
}

/** A call without arguments is one with none: its text must still be JSON. */
function tellNothing({ call, told }: CallItem): Events {
  return call === undefined || told > 0 ? [] : [{ type: 'tool-arguments', choice: 0, call, text: '{}' }];
}

function tellWhole(answer: Answer, item: CallItem): Events {
  return [...tellCall(answer, item), ...tellNothing(item)];
}

/** The calls inside of a wrapper; undefined for a tool of the caller's that only has its name. */
function unwrap(
  answer: Answer,
  { id = `call_${randomUUID()}`, arguments: text }: CallItem,
): Events | undefined {
  const uses = asArray(asObject(parseJson(text)).tool_uses).map(asObject);
  const calls = uses.map(({ recipient_name, parameters }, place): CallItem | undefined => {
    const name = asText(recipient_name).replace(/^functions\./, '');
    if (name === '' || !isJsonObject(parameters)) return undefined;
    return { ...newCall(), id: `${id}_${place}`, name, arguments: JSON.stringify(parameters) };
  });
  const known = calls.filter((call) => call !== undefined);
  if (known.length === 0 || known.length < calls.length) return undefined;
  return known.flatMap((call) => tellWhole(answer, call));
}
