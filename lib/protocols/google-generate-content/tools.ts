/**
 * Tools of the Gemini API: the caller's functions, Google's own search, and which of them the model may use.
 */

import type { Target } from '../../core/catalog/model.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import type { GenerationRequest, Tool, ToolChoice, WebSearchTool } from '../../core/generation/request.ts';
import type * as wire from './wire.ts';

/** The fields `tools` and `toolConfig`. */
export function encodeTools({ tools, webSearch, parameters }: GenerationRequest, target: Target): wire.Body {
  const { tool_choice: choice } = parameters;
  // Google's search has no `none`: it is either declared or not.
  const search = webSearch && choice !== 'none' ? [encodeSearch(webSearch)] : [];
  const functions: readonly wire.Tool[] =
    tools.length > 0 ? [{ functionDeclarations: tools.map(encodeTool) }] : [];
  const declared = [...search, ...functions];
  return withoutUndefined<wire.Body>({
    tools: declared.length > 0 ? declared : undefined,
    toolConfig: withoutFunctions(tools, webSearch, choice)
      ? undefined
      : encodeToolConfig(choice, tools, search.length > 0, target),
  });
}

function encodeTool({ name, description, parameters }: Tool): wire.FunctionDeclaration {
  return withoutUndefined<wire.FunctionDeclaration>({ name, description, parametersJsonSchema: parameters });
}

/** The search supports none of the caller's options. What a rule did not remove is sent, so that Google rejects it. */
function encodeSearch({ contextSize, userLocation, allowedDomains }: WebSearchTool): wire.Tool {
  const unknown = {
    search_context_size: contextSize,
    user_location: userLocation,
    allowed_domains: allowedDomains,
  };
  return { googleSearch: withoutUndefined(unknown) };
}

/** The choice is about functions: if there is only the search, `auto` and `none` depend on whether it is declared. */
function withoutFunctions(
  tools: readonly Tool[],
  webSearch: WebSearchTool | undefined,
  choice: ToolChoice | undefined,
): boolean {
  return tools.length === 0 && webSearch !== undefined && (choice === 'auto' || choice === 'none');
}

function encodeToolConfig(
  choice: ToolChoice | undefined,
  tools: readonly Tool[],
  searches: boolean,
  target: Target,
): wire.ToolConfig | undefined {
  const isMixed = searches && tools.length > 0;
  // Models with thinking levels check calls against their schema in a mode of its own, and always if there is a search.
  const isStrict =
    isMixed ||
    (target.model.traits.reasoning?.style === 'level' && tools.some((tool) => tool.strict === true));
  if (choice === undefined && !isStrict) return undefined;
  return withoutUndefined<wire.ToolConfig>({
    functionCallingConfig: encodeMode(choice ?? 'auto', isStrict),
    includeServerSideToolInvocations: isMixed || undefined,
  });
}

function encodeMode(choice: ToolChoice, isStrict: boolean): wire.FunctionCallingConfig {
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [choice.name] };
  const auto = isStrict ? 'VALIDATED' : 'AUTO';
  // Google's own search cannot be forced.
  const modes = { none: 'NONE', auto, web_search: auto, required: 'ANY' };
  return { mode: modes[choice] };
}
