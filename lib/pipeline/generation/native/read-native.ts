/**
 * Reads a caller's `native_fields` before anything is reserved: what decides the cost becomes a parameter of the request, and what
 * takes the place of a parameter is recorded. The rest is sent as it is.
 */

import { renamePath } from '../../../core/generation/original/source.ts';
import type { GenerationRequest, JsonObject, ParameterName } from '../../../core/generation/request.ts';
import { sizeOf } from '../../../normalization/conversation/summarize.ts';
import { withParameter } from '../../../normalization/parameter-rules.ts';
import { type Change, type Normalized, stripped } from '../../../normalization/rule.ts';
import { type Collected, collect, isSameParameter, type NativeList, type ReadParameter } from './collect.ts';

const root = 'native_fields';

/** @throws GatewayError `invalid_request` for a field that the target does not take, if it is the first. */
export function readNative(whole: GenerationRequest, list: NativeList): Normalized {
  const { nativeFields = {}, ...request } = whole;
  const found: Collected = { parameters: new Map(), unknown: [], unbounded: false, marker: undefined };
  const left = collect(nativeFields, root, { list, given: request.parameters, found });
  const applied = [...found.parameters].reduce(withRead, { request, changes: [] } as Normalized);
  const changes = [...applied.changes, ...leftOut(found.unknown, ofAnother)];
  const sent: GenerationRequest = {
    ...applied.request,
    ...(Object.keys(left).length > 0 && { nativeFields: left }),
    ...(found.unbounded && { unbounded: true }),
  };
  return { request: found.marker ? marked(sent, found.marker) : sent, changes };
}

const ofAnother = "These fields belong to another protocol than this fallback's.";

/** For a target of another protocol, in which they mean nothing, or a call that takes none. */
export function withoutNative(
  { nativeFields = {}, ...request }: GenerationRequest,
  reason = ofAnother,
): Normalized {
  return { request, changes: leftOut(Object.keys(nativeFields), reason) };
}

function withRead(
  { request, changes }: Normalized,
  [name, { value, path }]: readonly [ParameterName, ReadParameter],
): Normalized {
  const { parameters: given, parameterPaths } = request;
  const names = Object.keys(given) as ParameterName[];
  const replaced = names.filter((other) => isSameParameter(name, other));
  const rest = replaced.reduce((left, other) => withParameter(left, other, undefined), given);
  const records = replaced
    .filter((other) => given[other] !== value)
    .map((other) => overridden(renamePath(other, parameterPaths), given[other], value, path));
  return {
    request: {
      ...request,
      parameters: withParameter(rest, name, value),
      parameterPaths: { ...parameterPaths, ...(value !== undefined && { [name]: path }) },
    },
    changes: [...changes, ...records],
  };
}

function overridden(param: string, before: unknown, value: unknown, path: string): Change {
  const reason = `${path} overrides this parameter.`;
  const after = value === undefined ? null : sizeOfObject(value);
  return {
    param,
    action: after === null ? 'strip' : 'override',
    before: sizeOfObject(before),
    after,
    reason,
  };
}

const sizeOfObject = (value: unknown) => (typeof value === 'object' ? sizeOf(value) : value);

function leftOut(names: readonly string[], reason: string): readonly Change[] {
  if (names.length === 0) return [];
  return [stripped(root, names, reason)];
}

/** Anthropic's marker of a whole request is one at its end. */
function marked(request: GenerationRequest, marker: JsonObject): GenerationRequest {
  const last = request.messages.at(-1);
  if (!last || last.cacheControl) return request;
  const cacheControl = { ...marker, type: 'ephemeral' as const };
  return { ...request, messages: request.messages.with(-1, { ...last, cacheControl }) };
}
