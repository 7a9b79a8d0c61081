/** The tools of a request, and how one of them is chosen, as callers may write them. */
import * as z from 'zod/mini';
import { lazy } from '../../../async/lazy.ts';
import { objectOf } from '../../../core/formats/given-fields.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import { chosenVariant, namedVariant } from '../../chosen-variant.ts';
import {
  functionFields,
  grammarFields,
  jsonObject,
  locationFields,
  nullish,
  nullishFlag,
  nullishText,
  someText,
  toolLimit,
  toolName,
  words,
} from '../../request-schema.ts';

/** The contract's form is nested, as in chat; OpenAI's own is flat. */
const nestedFunction = lazy(() =>
  objectOf({
    type: z.literal('function'),
    function: objectOf(functionFields),
  }),
);

const webSearchTypes = /^web_search(?:_preview)?(?:_\d{4}_\d{2}_\d{2})?$/;

type WebSearchType = `web_search${string}`;

const webSearchType = lazy(() =>
  z.pipe(z.string().check(z.regex(webSearchTypes)), z.custom<WebSearchType>()),
);

/** Whether a tool, or the choice of one, is the provider's own search of the web. */
const isWebSearchType = (type: unknown) => typeof type === 'string' && webSearchTypes.test(type);

const userLocation = () => objectOf({ type: () => nullish(z.literal('approximate')), ...locationFields });

const maxSearchDomains = 100;

const webSearch = lazy(() =>
  objectOf({
    type: webSearchType(),
    search_context_size: () => nullish(z.enum(['low', 'medium', 'high'])),
    user_location: () => nullish(userLocation()),
    filters: () =>
      nullish(
        z.object({
          allowed_domains: nullish(z.array(someText).check(z.minLength(1), z.maxLength(maxSearchDomains))),
        }),
      ),
    external_web_access: nullishFlag,
    search_content_types: () => nullish(words(z.enum(['text', 'image']))),
  }),
);

/** Fields that only the Responses API has: they go to no other protocol. */
const extraFields = {
  defer_loading: nullishFlag,
  allowed_callers: () => nullish(words(z.string())),
};

const customTool = lazy(() =>
  objectOf({
    type: z.literal('custom'),
    name: toolName,
    description: nullishText,
    format: () =>
      nullish(
        namedVariant({
          text: () => z.object({ type: z.literal('text') }),
          grammar: () => z.object({ type: z.literal('grammar'), ...grammarFields() }),
        }),
      ),
    ...extraFields,
  }),
);

const flatFunction = lazy(() =>
  objectOf({
    type: z.literal('function'),
    ...functionFields,
    ...extraFields,
    output_schema: () => nullish(jsonObject),
  }),
);

const namespace = lazy(() =>
  objectOf({
    type: z.literal('namespace'),
    name: toolName,
    description: nullishText,
    tools: z
      .array(namedVariant({ function: flatFunction, custom: customTool }))
      .check(z.minLength(1), z.maxLength(toolLimit)),
  }),
);

/** Tools that the provider runs, or that its models know. Only the provider checks their fields. */
const hostedTypes = [
  'apply_patch',
  'code_interpreter',
  'computer',
  'computer_use_preview',
  'file_search',
  'image_generation',
  'local_shell',
  'mcp',
  'programmatic_tool_calling',
  'shell',
  'tool_search',
] as const;

/** Its other fields stay. They are not in the type, which would make every field of a tool unknown. */
const hostedTool = lazy((): z.ZodMiniType<HostedBody> => z.looseObject({ type: z.enum(hostedTypes) }));

interface HostedBody {
  readonly type: (typeof hostedTypes)[number];
}

const toolTypes = ['function', 'custom', 'namespace', 'web_search', 'web_search_preview', ...hostedTypes];

const isHostedType = (type: unknown) => hostedTypes.some((known) => known === type);

export const toolSchema = lazy(() =>
  chosenVariant(
    toolTypes,
    ({ type, function: nested }: JsonObject) => {
      if (type === 'function') return (nested == null ? flatFunction : nestedFunction)();
      if (type === 'custom') return customTool();
      if (type === 'namespace') return namespace();
      if (isHostedType(type)) return hostedTool();
      return isWebSearchType(type) ? webSearch() : undefined;
    },
    () => [flatFunction(), nestedFunction(), customTool(), namespace(), webSearch(), hostedTool()],
  ),
);

const flatName = lazy(() => z.strictObject({ type: z.literal('function'), name: toolName }));
const nestedName = lazy(() =>
  z.strictObject({
    type: z.literal('function'),
    function: z.strictObject({ name: toolName }),
  }),
);
const customName = lazy(() => z.strictObject({ type: z.literal('custom'), name: toolName }));
const webSearchName = lazy(() => z.strictObject({ type: webSearchType() }));

const nameFormats = () => [flatName(), nestedName(), customName(), webSearchName(), hostedTool()];

const choosableTypes = toolTypes.filter((type) => type !== 'namespace');

const nameOf = ({ type, function: nested }: JsonObject) => {
  if (type === 'function') return (nested == null ? flatName : nestedName)();
  if (type === 'custom') return customName();
  if (isHostedType(type)) return hostedTool();
  return isWebSearchType(type) ? webSearchName() : undefined;
};

const allowedTools = lazy(() =>
  z.strictObject({
    type: z.literal('allowed_tools'),
    mode: z.enum(['auto', 'required']),
    tools: z
      .array(chosenVariant(choosableTypes, nameOf, nameFormats))
      .check(z.minLength(1), z.maxLength(toolLimit)),
  }),
);

export const toolChoiceSchema = () =>
  z.union([
    z.enum(['none', 'auto', 'required']),
    chosenVariant(
      [...choosableTypes, 'allowed_tools'],
      (choice: JsonObject) => (choice.type === 'allowed_tools' ? allowedTools() : nameOf(choice)),
      () => [...nameFormats(), allowedTools()],
    ),
  ]);

export type ToolBody = z.output<ReturnType<typeof toolSchema>>;
export type ToolChoiceBody = z.output<ReturnType<typeof toolChoiceSchema>>;
