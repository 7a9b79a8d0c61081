/** The tools of a Messages request. Source: ToolUnion of `@anthropic-ai/sdk` 1.12.0 and of its betas. */
import * as z from 'zod/mini';
import { lazy } from '../../../../async/lazy.ts';
import { objectOf } from '../../../../core/formats/given-fields.ts';
import { chosenVariant } from '../../../chosen-variant.ts';
import {
  locationFields,
  nullish,
  nullishFlag,
  nullishText,
  someText,
  toolLimit,
  toolName,
} from '../../../request-schema.ts';
import { anthropicOnlyAny, cacheControl, keptObject } from '../history/open-variants.ts';

/** As many as a list of domains may have. */
const maxListedDomains = 1_000;

const domains = () => nullish(z.array(someText).check(z.maxLength(maxListedDomains)));

const common = {
  strict: nullishFlag,
  defer_loading: nullishFlag,
  allowed_callers: anthropicOnlyAny,
  input_examples: anthropicOnlyAny,
  cache_control: cacheControl,
};

const customTool = lazy(() =>
  objectOf({
    type: () => nullish(z.literal('custom')),
    name: toolName,
    description: nullishText,
    input_schema: keptObject,
    eager_input_streaming: anthropicOnlyAny,
    ...common,
  }),
);

const searchTool = lazy(() =>
  objectOf({
    type: z.string().check(z.regex(/^web_search(_|$)/)),
    name: someText,
    max_uses: () => nullish(z.int().check(z.gte(1))),
    allowed_domains: domains,
    blocked_domains: domains,
    user_location: () => nullish(objectOf({ type: z.literal('approximate'), ...locationFields })),
    ...common,
  }),
);

/** A tool of a version: Anthropic's models know its input, or Anthropic runs it. */
const versionedTool = lazy(() =>
  z.looseObject({ type: someText, name: nullishText, ...common, cache_control: cacheControl() }),
);

export type CustomTool = z.infer<ReturnType<typeof customTool>>;
export type SearchTool = z.infer<ReturnType<typeof searchTool>>;
type VersionedTool = z.infer<ReturnType<typeof versionedTool>>;
export type ToolBody = CustomTool | SearchTool | VersionedTool;

export const isCustom = (tool: ToolBody): tool is CustomTool => tool.type == null || tool.type === 'custom';
export const isSearch = (tool: ToolBody): tool is SearchTool => /^web_search(_|$)/.test(tool.type ?? '');

export const toolSchema = lazy(() =>
  chosenVariant<z.core.$ZodType<ToolBody>>(
    [],
    ({ type }) => {
      if (type == null || type === 'custom') return customTool();
      return /^web_search(_|$)/.test(`${type}`) ? searchTool() : versionedTool();
    },
    () => [customTool(), searchTool(), versionedTool()],
  ),
);

export const toolsField = () => nullish(z.array(toolSchema()).check(z.maxLength(toolLimit)));

/** `type`: `auto`, `any`, `tool`, `none`. */
export const toolChoiceField = () =>
  nullish(z.object({ type: someText, name: nullishText, disable_parallel_tool_use: nullishFlag }));
