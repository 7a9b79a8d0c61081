/** Amazon Bedrock's Converse API, with its bearer key or an AWS signature. */
import type { Rule } from '../../normalization/rule.ts';
import {
  atMostChoices,
  lacking,
  onlyReasoningOf,
  temperatureRules,
  traitRules,
  withoutNames,
} from '../../normalization/rules.ts';
import { bedrockConverse } from '../../protocols/bedrock-converse/protocol.ts';
import { type Authorize, bearer, hasKey, keyHeader, missingCredentials, type Provider } from '../provider.ts';

const byKey = keyHeader('authorization', bearer);

const authorize: Authorize = (request, access, region) => {
  if (access.apiKey) return byKey(request, access, region);
  if (!access.sign) throw missingCredentials();
  return access.sign(request, { service: 'bedrock', region });
};

const autoTier: Rule = {
  param: 'service_tier',
  reason: 'The provider chooses the tier by itself when none is named.',
  applies: ({ parameters }) => parameters.service_tier === 'auto',
};

export const bedrock: Provider = {
  name: 'bedrock',
  baseUrl: (region) => `https://bedrock-runtime.${region}.amazonaws.com`,
  isConfigured: (access) => hasKey(access) || access.sign !== undefined,
  authorize,
  generation: {
    protocol: bedrockConverse,
    takesImageUrls: false,
    rules: {
      parameters: [
        ...traitRules,
        ...temperatureRules,
        ...lacking('frequency_penalty', 'presence_penalty', 'seed', 'logit_bias', 'logprobs'),
        ...lacking('top_logprobs', 'user', 'store', 'parallel_tool_calls'),
        autoTier,
        atMostChoices(1),
      ],
      messages: [withoutNames, onlyReasoningOf('anthropic-claude-v1')],
    },
  },
};
