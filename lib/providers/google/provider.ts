/** Google's Gemini API. */
import {
  atMostChoices,
  lacking,
  onlyReasoningOf,
  temperatureRules,
  traitRules,
  withoutCacheControl,
  withoutNames,
} from '../../normalization/rules.ts';
import { googleGenerateContent } from '../../protocols/google-generate-content/protocol.ts';
import { hasKey, keyHeader, type Provider } from '../provider.ts';

export const google: Provider = {
  name: 'google',
  baseUrl: () => 'https://generativelanguage.googleapis.com/v1beta',
  isConfigured: hasKey,
  authorize: keyHeader('x-goog-api-key'),
  generation: {
    protocol: googleGenerateContent,
    takesImageUrls: false,
    rules: {
      parameters: [
        ...traitRules,
        ...temperatureRules,
        ...lacking('user', 'store', 'metadata', 'logit_bias', 'parallel_tool_calls', 'service_tier'),
        atMostChoices(8),
      ],
      messages: [withoutNames, withoutCacheControl, onlyReasoningOf('google-gemini-v1')],
    },
  },
};
