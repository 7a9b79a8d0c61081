/** Google's Gemini API. */

import type { ResponseFormat } from '../../core/generation.ts';
import { geminiFormat } from '../../core/reasoning-format.ts';
import { cacheMarkers } from '../../normalization/caching.ts';
import { onlyPlacedSignatures } from '../../normalization/returnable-reasoning.ts';
import type { Rule } from '../../normalization/rule.ts';
import {
  atMostChoices,
  lacking,
  onlyReasoningOf,
  temperatureRules,
  traitRules,
  withoutNames,
} from '../../normalization/rules.ts';
import { geminiOutput } from '../../normalization/schema-dialects.ts';
import { strictToolsWhere } from '../../normalization/strict-tools.ts';
import { ownFormats } from '../../normalization/structured-output.ts';
import { googleGenerateContent } from '../../protocols/google-generate-content/protocol.ts';
import { hasKey, keyHeader, type Provider } from '../provider.ts';
import { callWithCache } from './cached-content.ts';

const formatIs = (format: ResponseFormat | undefined): boolean =>
  format?.type === 'json_object' || format?.type === 'json_schema';

const formatRules: readonly Rule[] = [
  {
    param: 'response_format',
    reason: 'The model is made to call a tool, so that it writes no text.',
    applies: ({ request, parameters: { tool_choice: choice, response_format: format } }) =>
      formatIs(format) &&
      request.tools.length > 0 &&
      choice !== undefined &&
      choice !== 'auto' &&
      choice !== 'none',
  },
  {
    param: 'response_format',
    reason: 'Models before the third generation write no JSON when they have tools.',
    applies: ({ request, parameters, target }) =>
      formatIs(parameters.response_format) &&
      request.tools.length > 0 &&
      target.model.traits.reasoning?.style !== 'level',
    refuses: { message: ({ target }) => `The model '${target.model.id}' writes no JSON when it has tools.` },
  },
];

/** The models with thinking levels check calls against their schemas. */
const strictTools = strictToolsWhere(({ model }) => model.traits.reasoning?.style === 'level');

export const google = {
  name: 'google',
  baseUrl: () => 'https://generativelanguage.googleapis.com/v1beta',
  isConfigured: hasKey,
  authorize: keyHeader('x-goog-api-key'),
  generation: {
    protocol: googleGenerateContent,
    call: callWithCache,
    takesImageUrls: false,
    rules: {
      parameters: [
        ...traitRules,
        ...temperatureRules,
        ...lacking('user', 'store', 'metadata', 'logit_bias', 'parallel_tool_calls', 'service_tier'),
        ...formatRules,
        ...ownFormats,
        ...atMostChoices(8),
      ],
      schemas: { output: { dialect: geminiOutput, hasLooseMode: false } },
      messages: [withoutNames, onlyReasoningOf(geminiFormat), onlyPlacedSignatures],
      requests: [
        strictTools,
        cacheMarkers({ places: () => ['tools', 'system', 'messages'], most: 1, automatic: false }),
      ],
    },
  },
} satisfies Provider;
