/** Tools of the OpenAI Responses protocol: functions in their flat form, custom tools, namespaces, and the host's own. */
import { withoutUndefined } from '../../core/formats/json-object.ts';
import { type Offer, offersOf } from '../../core/generation/offers.ts';
import type {
  GenerationRequest,
  JsonObject,
  Tool,
  ToolChoice,
  WebSearchTool,
} from '../../core/generation/request.ts';
import type { ResponsesDialect } from './dialect.ts';
import type * as wire from './wire.ts';

/** In the caller's order, so that an index in an error is the caller's index. */
export function encodeTools(request: GenerationRequest, dialect: ResponsesDialect): readonly JsonObject[] {
  return offersOf(request).map((offer) => encodeOffer(offer, dialect));
}

function encodeOffer(offer: Offer, dialect: ResponsesDialect): JsonObject {
  switch (offer.type) {
    case 'tool':
      return encodeTool(offer.tool, dialect);
    case 'search':
      return encodeSearch(offer.tool, dialect);
    case 'hosted':
      return offer.tool.tool;
    case 'namespace': {
      const { type, namespace: name, description, tools } = offer;
      return { type, name, description, tools: tools.map((tool) => encodeTool(tool, dialect)) };
    }
  }
}

/**
 * The protocol treats a function without `strict` as strict and rewrites its schema. That is what a caller of this protocol
 * asks for; in all others a function is strict only if the caller said so.
 */
function encodeTool(
  { kind, name, description, parameters, strict, format, extras }: Tool,
  { strictByDefault = false }: ResponsesDialect,
): wire.Tool {
  const described: wire.Tool = description === undefined ? {} : { description };
  if (kind === 'custom') return { type: kind, name, ...described, ...(format && { format }), ...extras };
  return withoutUndefined<wire.Tool>({
    type: 'function',
    name,
    ...described,
    parameters: parameters ?? { type: 'object', properties: {} },
    strict: strict ?? (strictByDefault ? undefined : false),
    ...extras,
  });
}

function encodeSearch(tool: WebSearchTool, dialect: ResponsesDialect): wire.SearchTool {
  const { contextSize, userLocation, allowedDomains, externalAccess, contentTypes } = tool;
  return withoutUndefined<wire.SearchTool>({
    type: dialect.searchType ?? tool.type,
    search_context_size: contextSize,
    user_location: userLocation && { type: 'approximate', ...userLocation },
    filters: allowedDomains && { allowed_domains: allowedDomains },
    external_web_access: externalAccess,
    search_content_types: contentTypes,
  });
}

/** Undefined where the caller chose nothing. */
export function encodeToolChoice(
  choice: ToolChoice | undefined,
  { webSearch, hostedTools = [] }: GenerationRequest,
  { searchType }: ResponsesDialect,
): wire.ToolChoice | string | undefined {
  const hosted = hostedTools.find((tool) => tool.choice !== undefined)?.choice;
  if (hosted) return hosted;
  if (typeof choice === 'object') return { type: choice.kind ?? 'function', name: choice.name };
  return choice === 'web_search' ? { type: searchType ?? webSearch?.type ?? choice } : choice;
}
