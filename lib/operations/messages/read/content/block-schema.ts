/** The content blocks of a Messages request. Source: ContentBlockParam of `@anthropic-ai/sdk` 1.12.0. */
import * as z from 'zod/mini';
import { lazy } from '../../../../async/lazy.ts';
import { objectOf } from '../../../../core/formats/given-fields.ts';
import { longList, nullish, nullishFlag, nullishText, someText } from '../../../request-schema.ts';
import { anthropicOnlyAny, cacheControl, keptObject, openVariants } from '../history/open-variants.ts';
import { toolSchema } from '../tools/tool-schema.ts';

const marker = { cache_control: cacheControl };

export const textBlock = lazy(() =>
  objectOf({
    type: z.literal('text'),
    text: z.string(),
    citations: anthropicOnlyAny,
    ...marker,
  }),
);

const urlSource = lazy(() =>
  objectOf({
    type: z.literal('url'),
    url: z.string().check(z.regex(/^https?:\/\//i, 'must be an https URL')),
  }),
);
const dataSource = lazy(() =>
  objectOf({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
);

const imageBlock = lazy(() =>
  objectOf({
    type: z.literal('image'),
    source: openVariants({ base64: dataSource, url: urlSource }),
    transformations: anthropicOnlyAny,
    ...marker,
  }),
);

const documentBlock = lazy(() =>
  objectOf({
    type: z.literal('document'),
    source: openVariants({
      base64: dataSource,
      url: urlSource,
      text: () => z.object({ type: z.literal('text'), media_type: nullishText, data: z.string() }),
      content: () =>
        z.object({
          type: z.literal('content'),
          content: z.union([z.string(), longList(openVariants({ text: textBlock, image: imageBlock }))]),
        }),
    }),
    title: nullishText,
    context: nullishText,
    citations: anthropicOnlyAny,
    ...marker,
  }),
);

const searchResultBlock = lazy(() =>
  objectOf({
    type: z.literal('search_result'),
    source: z.string(),
    title: z.string(),
    content: longList(textBlock()),
    citations: anthropicOnlyAny,
    ...marker,
  }),
);

const toolReference = lazy(() =>
  objectOf({ type: z.literal('tool_reference'), tool_name: z.string(), ...marker }),
);

const shown = {
  text: textBlock,
  image: imageBlock,
  document: documentBlock,
  search_result: searchResultBlock,
  tool_reference: toolReference,
};

const toolResultBlock = lazy(() =>
  objectOf({
    type: z.literal('tool_result'),
    tool_use_id: someText,
    content: () => nullish(z.union([z.string(), longList(openVariants(shown))])),
    is_error: nullishFlag,
    toolset_name: anthropicOnlyAny,
    ...marker,
  }),
);

const toolUseBlock = lazy(() =>
  objectOf({
    type: z.literal('tool_use'),
    id: someText,
    name: someText,
    input: keptObject,
    caller: anthropicOnlyAny,
    toolset_name: anthropicOnlyAny,
    ...marker,
  }),
);

const thinkingBlock = lazy(() =>
  objectOf({
    type: z.literal('thinking'),
    thinking: z.string(),
    // Clients send blocks without one: those are never sent to Claude.
    signature: nullishText,
  }),
);

const redactedBlock = lazy(() => objectOf({ type: z.literal('redacted_thinking'), data: z.string() }));

/** A summary in place of earlier messages. */
const compactionBlock = lazy(() =>
  objectOf({
    type: z.literal('compaction'),
    content: nullishText,
    encrypted_content: nullishText,
    signature: anthropicOnlyAny,
    tool_changes: anthropicOnlyAny,
    ...marker,
  }),
);

/** A tool that is offered from there on: one that was deferred, or a new one. */
const toolAddition = lazy(() =>
  objectOf({
    type: z.literal('tool_addition'),
    tool: openVariants({
      tool_reference: () => z.object({ type: z.literal('tool_reference'), name: z.string() }),
      tool_definition: () => z.object({ type: z.literal('tool_definition'), definition: toolSchema() }),
    }),
    ...marker,
  }),
);

/** Anywhere in a message. */
export const blockSchema = () =>
  openVariants({
    ...shown,
    tool_result: toolResultBlock,
    tool_use: toolUseBlock,
    thinking: thinkingBlock,
    redacted_thinking: redactedBlock,
    compaction: compactionBlock,
    tool_addition: toolAddition,
  });

/** A block of a type that the schema does not have. */
export interface OtherBlock {
  readonly type: string;
}

export type TextBlock = z.infer<ReturnType<typeof textBlock>>;
export type ImageBlock = z.infer<ReturnType<typeof imageBlock>>;
export type DocumentBlock = z.infer<ReturnType<typeof documentBlock>>;
export type ToolResultBlock = z.infer<ReturnType<typeof toolResultBlock>>;
export type ToolUseBlock = z.infer<ReturnType<typeof toolUseBlock>>;
export type ThinkingBlock =
  | z.infer<ReturnType<typeof thinkingBlock>>
  | z.infer<ReturnType<typeof redactedBlock>>;
type SearchResultBlock = z.infer<ReturnType<typeof searchResultBlock>>;

/** What the model is shown. */
type ShownBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | SearchResultBlock
  | z.infer<ReturnType<typeof toolReference>>
  | CompactionBlock;

export type CompactionBlock = z.infer<ReturnType<typeof compactionBlock>>;
export type ToolAddition = z.infer<ReturnType<typeof toolAddition>>;

/** Or of another type, which stays as it is: an `OtherBlock`. */
export type Block = ShownBlock | ToolResultBlock | ToolUseBlock | ThinkingBlock | ToolAddition;
