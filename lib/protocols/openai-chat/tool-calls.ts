/**
 * Tool calls of the OpenAI chat protocol, assembled from deltas. Hosts number them differently, repeat ids and names, or send
 * complete calls at once. Here they become calls numbered from 0, each emitted once.
 */

import { asObject, isJsonObject } from '../../core/formats/json-object.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import { newCallId } from '../../core/names/new-id.ts';
import { upstreamError } from '../failure.ts';
import { asOptionalText, asText } from '../json.ts';
import type * as wire from './wire.ts';

interface Call {
  /** Its number; undefined until its name has arrived and it was emitted. */
  call: number | undefined;
  /** The host's number. */
  readonly index: number | undefined;
  /** The host's id. */
  readonly id: string | undefined;
  /** Arguments that arrived before the name, or are white space so far. */
  held: string;
  isBlank: boolean;
  hasArguments: boolean;
  /** Whether it is a call of a custom tool, whose text may be empty or blank. */
  isCustom: boolean;
}

/** The calls of one choice, and the last one of each index and id of the host. */
export interface Calls {
  readonly list: Call[];
  readonly byIndex: Map<number, Call>;
  readonly byId: Map<string, Call>;
  /** How many were emitted. */
  emitted: number;
}

export const newCalls = (): Calls => ({ list: [], byIndex: new Map(), byId: new Map(), emitted: 0 });

/** Handles one delta of a call. `position` is its index in the list of a complete message. */
export function onToolCall(
  choice: number,
  calls: Calls,
  delta: wire.ToolCall,
  position: number | undefined,
  events: GenerationEvent[],
): void {
  const isCustom = isJsonObject(delta.custom);
  const source = asObject<wire.CalledTool>(delta.custom ?? delta.function);
  const id = asOptionalText(delta.id);
  const name = asOptionalText(source.name);
  const text = isCustom ? asText(source.input) : readArguments(source.arguments);
  const index = typeof delta.index === 'number' ? delta.index : position;
  if (id === undefined && name === undefined && text === '') return;
  const call = findCall(calls, { index, id, name }) ?? addCall(calls, index, id);
  if (call.call === undefined && name !== undefined) {
    call.call = calls.emitted;
    calls.emitted += 1;
    const callId = call.id ?? newCallId();
    call.isCustom = isCustom;
    const kind = isCustom ? { kind: 'custom' as const } : {};
    events.push({ type: 'tool-call', choice, call: call.call, id: callId, name, ...kind });
  }
  onArguments(choice, call, text, events);
}

/** At the end of a choice, a call without arguments gets an empty object. */
export function onToolCallsEnd(choice: number, calls: Calls, events: GenerationEvent[]): void {
  for (const { call, hasArguments, isCustom } of calls.list) {
    if (call === undefined) throw upstreamError('upstream_invalid_answer');
    if (!hasArguments && !isCustom) events.push({ type: 'tool-arguments', choice, call, text: '{}' });
  }
}

function onArguments(choice: number, call: Call, text: string, events: GenerationEvent[]): void {
  call.held += text;
  call.isBlank &&= text.trim() === '';
  // White space alone is not emitted until more arrives.
  if (call.call === undefined) return;
  if (!call.hasArguments && !call.isCustom && call.isBlank) return;
  if (call.held === '') return;
  call.hasArguments = true;
  events.push({ type: 'tool-arguments', choice, call: call.call, text: call.held });
  call.held = '';
}

/** The call that a delta continues, or undefined if it starts a new one. */
function findCall(
  calls: Calls,
  delta: { index: number | undefined; id: string | undefined; name: string | undefined },
): Call | undefined {
  const { index, id, name } = delta;
  const current =
    index === undefined
      ? ((id === undefined ? undefined : calls.byId.get(id)) ?? calls.list.at(-1))
      : calls.byIndex.get(index);
  // Some hosts change the id of a call from delta to delta. Only a name starts another call.
  if (current === undefined || name === undefined) return current;
  const isOther = index === undefined ? id === undefined || id !== current.id : isNewId(id, current);
  return isOther ? undefined : current;
}

function isNewId(id: string | undefined, current: Call): boolean {
  return id !== undefined && current.id !== undefined && id !== current.id;
}

function addCall(calls: Calls, index: number | undefined, id: string | undefined): Call {
  const pieces = { held: '', isBlank: true, hasArguments: false, isCustom: false };
  const call = { call: undefined, index, id, ...pieces };
  calls.list.push(call);
  if (index !== undefined) calls.byIndex.set(index, call);
  if (id !== undefined) calls.byId.set(id, call);
  return call;
}

function readArguments(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}
