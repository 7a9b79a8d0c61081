/**
 * The OpenAI Responses protocol, used without stored state: by OpenAI itself and by hosts that support it.
 */

import { asObject } from '../../core/formats/json-object.ts';
import type { GenerationProtocol } from '../../core/generation/original/protocol.ts';
import { countedIn } from '../counted.ts';
import { readServiceTier } from '../service-tier.ts';
import { decodeBody, decodeStream } from './decode.ts';
import type { ResponsesDialect } from './dialect.ts';
import { encode } from './encode.ts';
import { readFailure } from './failure.ts';
import { responsesFields } from './native-fields.ts';
import { readUsage } from './usage.ts';
import type * as wire from './wire.ts';

export function createOpenaiResponses(dialect: ResponsesDialect): GenerationProtocol {
  return {
    name: 'openai-responses',
    nativeFields: () => responsesFields,
    framing: 'sse',
    path: () => '/responses',
    encode: (request, target) => encode(request, target, dialect),
    decodeBody: (body) => decodeBody(body, dialect),
    decodeStream: () => decodeStream(dialect),
    readUsage: (body) => {
      const { usage, service_tier: tier } = asObject<wire.Answer>(body);
      return countedIn(usage, readUsage, readServiceTier(tier));
    },
    readFailure,
  };
}
