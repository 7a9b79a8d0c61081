/** Amazon Bedrock, with its bearer key or an AWS signature: the Converse API, and Claude's own protocol for callers of it. */

import type { Target } from '../../core/catalog/model.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { officeTypes } from '../../core/formats/file-type.ts';
import type { EmbeddingProtocol } from '../../core/generation/embedding.ts';
import { claudeFormat } from '../../core/generation/reasoning-format.ts';
import { cacheMarkers } from '../../normalization/caching.ts';
import { textBesideDocuments } from '../../normalization/conversation/strict-turns.ts';
import type { MessageRule, Rule } from '../../normalization/rule.ts';
import { atMostChoices, onlyReasoningOf, unsupported } from '../../normalization/rules.ts';
import {
  jsonInWords,
  notStrictByTool,
  schemaBesideTools,
} from '../../normalization/schemas/structured-output.ts';
import { bedrockConverse, converseCounter } from '../../protocols/bedrock-converse/protocol.ts';
import {
  bedrockCohereEmbeddings,
  novaEmbeddings,
  titanEmbeddings,
} from '../../protocols/bedrock-embeddings.ts';
import { claudeLifetimes } from '../../protocols/claude.ts';
import { bedrockCohereRerank, bedrockRerank } from '../../protocols/rerank.ts';
import { createEndpoints } from '../../transport/aws/aws-endpoints.ts';
import { claudeParameters, claudeRules } from '../claude/claude-rules.ts';
import { embeddingsBy } from '../embedding-rules.ts';
import { type Authorize, bearer, hasKey, keyHeader, missingCredentials, type Provider } from '../provider.ts';
import { rerankBy } from '../rerank-rules.ts';
import { bedrockClaude, maxPayloadBytes } from './claude.ts';

const embeddings: Readonly<Record<string, EmbeddingProtocol>> = {
  titan: titanEmbeddings,
  nova: novaEmbeddings,
  cohere: bedrockCohereEmbeddings,
};

function embeddingProtocolOf({ model }: Target): EmbeddingProtocol {
  const protocol = embeddings[model.traits.embedding?.protocol ?? ''];
  if (protocol) return protocol;
  const message = `The catalog does not name the embedding protocol of '${model.id}' on Bedrock.`;
  throw new GatewayError('internal', message);
}

const byKey = keyHeader('authorization', bearer);

const authorize: Authorize = (request, access, region) => {
  if (access.apiKey) return byKey(request, access, region);
  if (!access.sign) throw missingCredentials();
  return access.sign(request, { service: 'bedrock', region });
};

const autoTier: Rule = {
  param: 'service_tier',
  reason: 'The provider chooses the service tier when none is set.',
  applies: ({ parameters }) => parameters.service_tier === 'auto',
};

const ownTiers: Rule = {
  param: 'service_tier',
  reason: 'The provider does not support this service tier.',
  applies: ({ parameters }) => !['default', 'flex', 'priority'].includes(parameters.service_tier ?? ''),
};

/** Source: the inference parameters of these models in Amazon's user guide; langflow-ai/langflow pull request 14717. */
const topKOfFew: Rule = {
  param: 'top_k',
  reason: 'The model does not support this parameter.',
  applies: ({ target }) => !['anthropic', 'amazon'].includes(target.model.owner),
};

/** Bedrock has no such choice: tools that must not be called are left out, unless the conversation used some. */
const noChoiceOfNone: Rule = {
  param: 'tool_choice',
  reason: 'The provider requires the tools that the conversation has used, and the model may then call them.',
  always: true,
  applies: ({ request, parameters }) =>
    parameters.tool_choice === 'none' &&
    request.messages.some(
      (message) => message.role === 'tool' || (message.role === 'assistant' && message.toolCalls.length > 0),
    ),
  value: () => 'auto',
};

const ofClaude = onlyReasoningOf(claudeFormat);
const ofNone = onlyReasoningOf();

/** Bedrock serves models of many owners, and a signature is of use to its owner alone. */
const onlyOwnReasoning: MessageRule = {
  reason: ofClaude.reason,
  always: true,
  apply: (message, target) => {
    const own = target.model.owner === 'anthropic' ? ofClaude : ofNone;
    return own.apply(message, target);
  },
};

export const bedrock: Provider = {
  name: 'bedrock',
  // Batches read and write a bucket, with a role of their own.
  settings: ['api-key', 'batch-bucket', 'batch-role'],
  baseUrl: (region, { endpointOf = createEndpoints(region) }) => endpointOf('bedrock-runtime', region),
  isConfigured: (access) => hasKey(access) || access.sign !== undefined,
  authorize,
  generation: {
    protocol: bedrockConverse,
    counter: converseCounter,
    takesImageUrls: false,
    maxRequestBytes: maxPayloadBytes,
    rules: {
      ...claudeRules,
      parameters: [
        ...claudeParameters,
        ...unsupported('frequency_penalty', 'presence_penalty', 'seed', 'logit_bias', 'logprobs'),
        ...unsupported('top_logprobs', 'user', 'store', 'parallel_tool_calls'),
        autoTier,
        ownTiers,
        topKOfFew,
        noChoiceOfNone,
        ...atMostChoices(1),
      ],
      conversation: [...claudeRules.conversation, textBesideDocuments],
      messages: [onlyOwnReasoning, ...claudeRules.messages],
      // Source: AWS, Bedrock API reference, DocumentBlock. Its text formats are sent as text, as everywhere.
      fileTypes: [officeTypes.doc, officeTypes.docx, officeTypes.xls, officeTypes.xlsx],
      requests: [
        jsonInWords,
        notStrictByTool,
        schemaBesideTools,
        cacheMarkers({
          sections: ({ model }) => model.traits.cachePoints ?? [],
          max: 4,
          lifetimes: claudeLifetimes,
          automatic: true,
        }),
      ],
    },
  },
  messages: ({ model }) => (model.owner === 'anthropic' ? bedrockClaude : undefined),
  embeddings: embeddingsBy(embeddingProtocolOf),
  rerank: rerankBy(({ model }) => (model.owner === 'cohere' ? bedrockCohereRerank : bedrockRerank)),
};
