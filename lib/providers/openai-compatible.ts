/**
 * A host that speaks the OpenAI chat wire, composed: who it is, its dialect, and what it refuses. Providers of this kind
 * are a few lines each, in their own folders.
 */
import type { ParameterName } from '../core/generation/request.ts';
import { cacheMarkers, stripCacheMarkers } from '../normalization/caching.ts';
import type { MessageRule, Rule } from '../normalization/rule.ts';
import {
  atMostChoices,
  onlyReasoningOf,
  responsesOnly,
  stripNames,
  temperatureRules,
  traitRules,
  unsupported,
} from '../normalization/rules.ts';
import { onlyTextInResults } from '../normalization/tool-results.ts';
import { stripWebSearches } from '../normalization/web-search.ts';
import { type Dialect, hostDialect, type Replay } from '../protocols/openai-chat/dialect.ts';
import { createOpenaiChat } from '../protocols/openai-chat/protocol.ts';
import { bearer, hasKey, keyHeader, type Provider } from './provider.ts';

export interface Host {
  readonly name: string;
  /** Up to and with the version segment. Absent where each operator has their own. */
  readonly baseUrl?: string;
  readonly dialect?: Dialect;
  /** Parameters that it refuses or does not know, beside those of OpenAI's own platform. */
  readonly lacks?: readonly ParameterName[];
  /** How many answers it gives at most; absent: as many as OpenAI. */
  readonly choices?: number;
  /** Whether it knows the names of participants. */
  readonly takesNames?: boolean;
  /** Whether it fetches images by URL. */
  readonly takesImageUrls?: boolean;
  /** Whether the results of tools may be more than text. */
  readonly takesImagesInResults?: boolean;
  readonly rules?: readonly Rule[];
}

/** What belongs to OpenAI's platform and not to the wire. */
const platform: readonly ParameterName[] = ['store', 'metadata', ...responsesOnly];

/** Those who take caching markers take them on texts and images. */
const ownMarkers = cacheMarkers({ sections: () => ['system', 'messages'], max: 4, automatic: false });

export function compatibleProvider(host: Host): Provider {
  const { name, baseUrl, choices, lacks = [], rules = [], takesImageUrls = true, takesNames = true } = host;
  const dialect: Dialect = { ...hostDialect, ...host.dialect };
  return {
    name,
    ...(baseUrl !== undefined && { baseUrl: () => baseUrl }),
    isConfigured: hasKey,
    authorize: keyHeader('authorization', bearer),
    generation: {
      protocol: createOpenaiChat(dialect),
      takesImageUrls,
      rules: {
        parameters: [
          ...rules,
          ...traitRules,
          ...temperatureRules,
          ...unsupported(...platform, ...lacks),
          ...(choices === undefined ? [] : atMostChoices(choices)),
        ],
        conversation: host.takesImagesInResults ? [] : [onlyTextInResults],
        messages: [...(takesNames ? [] : [stripNames]), ownReasoning(dialect.replay), stripWebSearches],
        requests: [dialect.takesCacheControl ? ownMarkers : stripCacheMarkers],
      },
    },
  };
}

/**
 * Only what the host made goes back to it. Text that came without details has no maker to be told by, and a host that
 * takes its reasoning as plain text can have it.
 */
function ownReasoning(replay: Replay | undefined): MessageRule {
  const rule = onlyReasoningOf(...(replay?.formats ?? []));
  if (replay === undefined) return rule;
  return {
    ...rule,
    apply: (message, target) => {
      const isPlain = message.role === 'assistant' && message.reasoningDetails.length === 0;
      return isPlain ? undefined : rule.apply(message, target);
    },
  };
}
