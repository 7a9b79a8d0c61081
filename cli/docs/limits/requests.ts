/** Bounds of what callers send. */

import { longestTurnMs } from '../../../lib/async/in-turns.ts';
import { maxTagName, maxTags, maxTagValue } from '../../../lib/core/accounting/tags.ts';
import { earlyBodyBytes, maxBodyBytes } from '../../../lib/http/request/body-limit.ts';
import { maxDepth, maxEntries, maxJsonValues } from '../../../lib/http/request/body-shape.ts';
import { maxCodings } from '../../../lib/http/request/decode-body.ts';
import { maxTokens } from '../../../lib/operations/embeddings/length.ts';
import { maxTexts } from '../../../lib/operations/embeddings/read.ts';
import { maxPromptLength } from '../../../lib/operations/images/schema.ts';
import { maxSignatureLength } from '../../../lib/operations/messages/signature.ts';
import { maxNativeBytes, maxNativeDepth, maxNativeValues } from '../../../lib/operations/native-fields.ts';
import { maxElements, maxWords, toolLimit } from '../../../lib/operations/request-schema.ts';
import { maxNames } from '../../../lib/operations/routing/schema.ts';
import { maxTargets } from '../../../lib/routing/places.ts';
import type { LimitArea } from './row.ts';

const native = 'lib/operations/native-fields.ts';
const tags = 'lib/core/accounting/tags.ts';

export const requestLimits: LimitArea = {
  title: 'Requests',
  rows: [
    {
      what: 'Body of a request, as sent and after its content coding is undone',
      limit: { maxBodyBytes },
      file: 'lib/http/request/body-limit.ts',
      unit: 'bytes',
      onExceed: '413',
    },
    {
      what: 'Signature of the gateway on a thinking block that is returned',
      limit: { maxSignatureLength },
      file: 'lib/operations/messages/signature.ts',
      unit: 'characters',
      onExceed: 'the block is left out, on record',
    },
    {
      what: 'Body that is read while its key is looked up',
      limit: { earlyBodyBytes },
      file: 'lib/http/request/body-limit.ts',
      unit: 'bytes',
      onExceed:
        'it is read only once the key is known, and its limits are not used up; so is a compressed body',
    },
    {
      what: 'Content codings of a body',
      limit: { maxCodings },
      file: 'lib/http/request/decode-body.ts',
      unit: 'count',
      onExceed: '415',
    },
    {
      what: 'Depth of a JSON body, in levels',
      limit: { maxDepth },
      file: 'lib/http/request/body-shape.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Values of a JSON body: objects, arrays, and what is in them',
      limit: { maxJsonValues },
      file: 'lib/http/request/body-shape.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Entries of one object in a body',
      limit: { maxEntries },
      file: 'lib/http/request/body-shape.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: '`native_fields`, as JSON',
      limit: { maxNativeBytes },
      file: native,
      unit: 'bytes',
      onExceed: '400',
    },
    {
      what: 'Depth of `native_fields`, in levels',
      limit: { maxNativeDepth },
      file: native,
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Values of `native_fields`, also inside of others',
      limit: { maxNativeValues },
      file: native,
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Messages or items of a request, parts of one of them, tool calls of one of them',
      limit: { maxElements },
      file: 'lib/operations/request-schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Words of `include`, `extra.debug`, `modalities` and similar lists',
      limit: { maxWords },
      file: 'lib/operations/request-schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Tools of a request',
      limit: { toolLimit },
      file: 'lib/operations/request-schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Texts of an embeddings request',
      limit: { maxTexts },
      file: 'lib/operations/embeddings/read.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Tokens of a text to embed, in `cl100k_base`',
      limit: { maxTokens },
      file: 'lib/operations/embeddings/length.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Time for which counting tokens keeps a process from its other requests',
      limit: { longestTurnMs },
      file: 'lib/async/in-turns.ts',
      unit: 'ms',
      onExceed: 'the others have their turn first',
    },
    {
      what: 'Prompt of an image',
      limit: { maxPromptLength },
      file: 'lib/operations/images/schema.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Names in a list of `provider`, and domains of a plugin',
      limit: { maxNames },
      file: 'lib/operations/routing/schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Targets that a request is tried with',
      limit: { maxTargets },
      file: 'lib/routing/places.ts',
      unit: 'count',
      onExceed: 'further ones are not tried',
    },
    {
      what: 'Tags of a request',
      limit: { maxTags },
      file: tags,
      unit: 'count',
      onExceed: '400 in the header; further pairs of `metadata` are not kept as tags',
    },
    {
      what: 'Name of a tag',
      limit: { maxTagName },
      file: tags,
      unit: 'characters',
      onExceed: '400 in the header; cut in `metadata`',
    },
    {
      what: 'Value of a tag',
      limit: { maxTagValue },
      file: tags,
      unit: 'characters',
      onExceed: '400 in the header; cut in `metadata`',
    },
  ],
};
