/** Reads a valid Messages body: as a request for any target, and unchanged for targets of Anthropic's own protocol. */
import { lazy } from '../../../async/lazy.ts';
import type { ReadHeader } from '../../../core/endpoint.ts';
import type { JsonObject } from '../../../core/formats/json-object.ts';
import type { GenerationRequest } from '../../../core/generation/request.ts';
import { withoutContextSuffix } from '../../../core/names/names.ts';
import { type Change, overridden } from '../../../normalization/rule.ts';
import type { Asked, OriginalRetry } from '../../../pipeline/generation/prepare.ts';
import type { DebugCategory } from '../../answer-facts.ts';
import { leftOutFields } from '../../left-out.ts';
import { readCache } from '../../read-cache.ts';
import { includesCost } from '../../read-request.ts';
import { readRouting } from '../../routing/read.ts';
import { readOriginal } from './history/original.ts';
import { withoutThinking } from './history/original-thinking.ts';
import { checkStoredReferences } from './history/stored-references.ts';
import { type Notes, newNotes, onlyAnthropic } from './notes.ts';
import { noteFeatures, readCost } from './read-cost.ts';
import { readConversation } from './read-messages.ts';
import { parameterPaths, readParameters, readThinking } from './read-parameters.ts';
import type { MessagesBody } from './schema.ts';
import { checkNames } from './tools/check-names.ts';
import { readChoice, readTools } from './tools/read-tools.ts';
import { type AnthropicVersion, checkVersion, readVersion } from './version.ts';

/** A Messages request, read. */
export interface MessagesInput extends Asked {
  readonly includeCost: boolean;
  readonly debug: readonly DebugCategory[];
  /** The version of Anthropic's API that the caller speaks. */
  readonly version: AnthropicVersion;
  /** Whether the caller does not want to see thinking, only what goes back to the model. */
  readonly hidesThinking: boolean;
  /** The container to use again. */
  readonly container?: { readonly id: string; readonly path: string };
}

/** `given`: the body as it was sent. Throws GatewayError `invalid_request`. */
export function readMessages(
  body: MessagesBody,
  given: unknown = body,
  header: ReadHeader = () => undefined,
): MessagesInput {
  const version = readVersion(header);
  checkNames(given);
  checkVersion(given, version);
  checkStoredReferences(body);
  const { extra } = body;
  const notes = newNotes();
  const request = readRequest(body, header('anthropic-beta') ?? '', notes);
  const { original, leftOut: leftOutOfOriginal } = readOriginal(
    given as JsonObject,
    header,
    ownFields,
    readCost(body, given as JsonObject),
  );
  const named = readModel(body.model);
  return {
    model: named.model,
    ...readRouting(body),
    normalize: extra?.normalize ?? true,
    repair: extra?.repair ?? false,
    dryRun: extra?.dry_run ?? false,
    resumable: extra?.resumable ?? false,
    debug: extra?.debug ?? [],
    ...readCache(extra, header),
    includeCost: includesCost({ extra }),
    version,
    hidesThinking: body.thinking?.display === 'omitted',
    ...readContainer(body),
    leftOut: named.changes,
    leftOutOfOriginal,
    originalRetry: withoutForeignThinking,
    elsewhere: {
      leftOut: lazy(() => [...notes.changes, ...leftOutFields(given, body, onlyAnthropic)]),
      ...(notes.refused && { refused: notes.refused }),
    },
    request: { ...request, original },
  };
}

function readContainer({ container }: MessagesBody): Pick<MessagesInput, 'container'> {
  const isId = typeof container === 'string';
  const id = isId ? container : container?.id;
  return id == null ? {} : { container: { id: `${id}`, path: isId ? 'container' : 'container.id' } };
}

function readRequest(body: MessagesBody, betas: string, notes: Notes): GenerationRequest {
  const messages = readConversation(body, notes);
  const bodies = body.tools ?? [];
  const { maxSearches, ...offered } = readTools(bodies, notes);
  const thinking = readThinking(body, betas, notes);
  noteFeatures(body, notes);
  return {
    messages,
    ...offered,
    parameters: {
      ...readParameters(body, notes),
      ...thinking.parameters,
      ...readChoice(body.tool_choice, bodies, offered, notes),
      ...(maxSearches && offered.webSearch && { max_tool_calls: maxSearches.count }),
    },
    parameterPaths: {
      ...parameterPaths(body),
      ...thinking.paths,
      ...(maxSearches && { max_tool_calls: maxSearches.path }),
    },
    stream: body.stream ?? false,
  };
}

/** The fields of the gateway, and of routers: no provider gets them. */
const ownFields = ['extra', 'models', 'provider', 'route'];

interface NamedModel {
  readonly model: string;
  readonly changes: readonly Change[];
}

/** The beta for a longer context is never added: where a client wants it, its header names it. */
function readModel(name: string): NamedModel {
  const model = withoutContextSuffix(name);
  if (model === name) return { model, changes: [] };
  const reason =
    "A context suffix is not part of a model name, so it was removed. The model's whole context is available without it.";
  return { model, changes: [overridden('model', name, model, reason)] };
}

/**
 * A request in Claude's own protocol without its thinking, where a target has refused the signatures: they are of one model, and
 * of the newest models bound to the conversation before them. Sources: vybestack/llxprt-code issue 2335, openclaw/openclaw issue
 * 95052.
 */

const rejectsSignature = /\bInvalid `?signature`? in `?thinking`? block\b/;

const withoutForeignThinking: OriginalRetry = ({ kind, message }, request) => {
  const { original } = request;
  if (!original || kind !== 'upstream_bad_request' || !rejectsSignature.test(message)) return undefined;
  const { body, changes } = withoutThinking(original.body);
  return changes.length > 0
    ? { request: { ...request, original: { ...original, body } }, changes }
    : undefined;
};
