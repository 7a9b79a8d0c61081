/** Reads a valid Messages body: as a request for any target, and unchanged for targets of Anthropic's own protocol. */
import { lazy } from '../../../async/lazy.ts';
import type { ReadHeader } from '../../../core/endpoint.ts';
import type { JsonObject } from '../../../core/formats/json-object.ts';
import type { GenerationRequest } from '../../../core/generation/request.ts';
import type { Asked } from '../../../pipeline/generation/prepare.ts';
import type { DebugCategory } from '../../debug.ts';
import { leftOutFields } from '../../left-out.ts';
import { includesCost } from '../../read-request.ts';
import { readRouting } from '../../routing/read.ts';
import { withoutForeignThinking } from './history/foreign-thinking.ts';
import { readOriginal } from './history/original.ts';
import { checkStoredReferences } from './history/stored-references.ts';
import { type Notes, newNotes, onlyAnthropic } from './notes.ts';
import { readCost } from './read-cost.ts';
import { noteFeatures } from './read-features.ts';
import { readConversation } from './read-messages.ts';
import { readModel } from './read-model.ts';
import { parameterPaths, readParameters } from './read-parameters.ts';
import { readThinking } from './read-thinking.ts';
import type { MessagesBody } from './schema.ts';
import { checkNames } from './tools/check-names.ts';
import { readChoice } from './tools/read-choice.ts';
import { readTools } from './tools/read-tools.ts';
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
    debug: extra?.debug ?? [],
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
