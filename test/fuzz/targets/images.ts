/** Answers with images: images with counts that can be billed, or a known error. */

import { GatewayError } from '../../../lib/core/errors/errors.ts';
import type { ImageAnswer, ImageUsage } from '../../../lib/core/generation/image.ts';
import { providers } from '../../../lib/providers/all-providers.ts';
import { faultsOfError } from './generation.ts';
import { jsonLines, readValue, type Target } from './target.ts';

const counts = {
  input_tokens: 12,
  output_tokens: 200,
  input_tokens_details: { text_tokens: 12, image_tokens: 0 },
};
const metadata = {
  promptTokenCount: 12,
  candidatesTokenCount: 200,
  totalTokenCount: 212,
  candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 190 }],
};
const inlineData = { mimeType: 'image/png', data: 'aGVsbG8=' };

const bodies: readonly unknown[] = [
  {
    created: 1,
    data: [{ b64_json: 'aGVsbG8=' }, { b64_json: 'aGVsbG8=' }],
    usage: counts,
    size: '1024x1024',
    quality: 'high',
    background: 'opaque',
    output_format: 'png',
  },
  { data: [{ b64_json: 'aGVsbG8=', url: null }], usage: { cost_in_usd_ticks: 200_000_000 } },
  { data: [{ url: null }] },
  {
    candidates: [{ content: { parts: [{ text: 'Here.' }, { inlineData }] }, finishReason: 'STOP' }],
    usageMetadata: metadata,
  },
  { candidates: [{ finishReason: 'IMAGE_SAFETY' }], usageMetadata: metadata },
  { promptFeedback: { blockReason: 'SAFETY' } },
  { error: { message: 'No.', code: 'moderation_blocked' } },
];

export function imageTargets(): readonly Target[] {
  return [...providers.values()].flatMap(({ name, images }): Target[] => {
    if (!images) return [];
    const { protocol } = images;
    return [
      {
        name: `images ${name}`,
        samples: bodies.map((body) => jsonLines([body])),
        check(input) {
          const body = readValue(input);
          const faults = faultsOfUsage(protocol.readUsage?.(body));
          try {
            return [...faults, ...faultsOf(protocol.decode(body, (text) => [text]))];
          } catch (thrown) {
            if (!(thrown instanceof GatewayError)) throw thrown;
            return [...faults, ...faultsOfError(thrown)];
          }
        },
      },
    ];
  });
}

function faultsOf({ images, usage, statedCost, ...echo }: ImageAnswer): readonly string[] {
  const faults = [...faultsOfUsage(usage)];
  if (images.length === 0) faults.push('an answer has an image');
  if (!images.every((pieces) => Array.from(pieces).every((piece) => typeof piece === 'string')))
    faults.push('an image is text');
  if (statedCost !== undefined && !(Number.isSafeInteger(statedCost) && statedCost >= 0))
    faults.push('a cost is a whole number');
  if (Object.values(echo).some((text) => typeof text !== 'string' || text.length > 32))
    faults.push('a setting is a word');
  return faults;
}

function faultsOfUsage(usage: ImageUsage | undefined): readonly string[] {
  const { raw: _, ...numbers } = usage ?? { raw: [] };
  const all = Object.values(numbers).every((count) => Number.isSafeInteger(count) && count >= 0);
  return all ? [] : ['usage is counts'];
}
