/** Bounds of what callers send. */
import { maxTagName, maxTags, maxTagValue } from '../../../lib/core/accounting/tags.ts';
import { maxFieldDepth } from '../../../lib/core/generation/native-names.ts';
import { earlyBodyBytes, maxBodyBytes } from '../../../lib/http/body-limit.ts';
import { maxCodings } from '../../../lib/http/decode-body.ts';
import { maxDepth } from '../../../lib/http/request.ts';
import { maxTexts } from '../../../lib/operations/embeddings/read.ts';
import { maxPromptLength } from '../../../lib/operations/images/schema.ts';
import { toolLimit } from '../../../lib/operations/request-schema.ts';
import { maxNames } from '../../../lib/operations/routing/schema.ts';
import { maxTargets } from '../../../lib/routing/places.ts';
import type { LimitArea } from './row.ts';

const tags = 'lib/core/accounting/tags.ts';

export const requestLimits: LimitArea = {
  title: 'Requests',
  rows: [
    {
      what: 'Body of a request, as sent and after its content coding is undone',
      limit: { maxBodyBytes },
      file: 'lib/http/body-limit.ts',
      unit: 'bytes',
      onExceed: '413',
    },
    {
      what: 'Body that is read while its key is looked up',
      limit: { earlyBodyBytes },
      file: 'lib/http/body-limit.ts',
      unit: 'bytes',
      onExceed:
        'it is read only once the key is known, and its limits are not used up; so is a compressed body',
    },
    {
      what: 'Content codings of a body',
      limit: { maxCodings },
      file: 'lib/http/decode-body.ts',
      unit: 'count',
      onExceed: '415',
    },
    {
      what: 'Depth of a JSON body, in levels',
      limit: { maxDepth },
      file: 'lib/http/request.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Depth of a path in `native_fields`, in levels',
      limit: { maxFieldDepth },
      file: 'lib/core/generation/native-names.ts',
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
