/** For any answer of a provider, an image protocol returns images or throws a GatewayError. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { googleImages } from '../../lib/protocols/google-images/protocol.ts';
import { openaiImages } from '../../lib/protocols/openai-images/protocol.ts';
import { xaiImages } from '../../lib/protocols/xai-images/protocol.ts';

const names = fc.constantFrom(
  ...[
    'data',
    'b64_json',
    'usage',
    'input_tokens',
    'input_tokens_details',
    'image_tokens',
    'size',
    'error',
    'url',
  ],
  ...[
    'candidates',
    'content',
    'parts',
    'inlineData',
    'mimeType',
    'finishReason',
    'usageMetadata',
    'promptFeedback',
  ],
  ...['candidatesTokensDetails', 'modality', 'tokenCount', 'code', 'message'],
);

const { body } = fc.letrec((tie) => ({
  body: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom('IMAGE', 'IMAGE_SAFETY', 'image/png', 'aGk=', '', null, true, -1, 1e300, 12),
    fc.array(tie('body'), { maxLength: 3 }),
    fc.dictionary(names, tie('body'), { maxKeys: 6 }),
  ),
}));

test.each(Object.entries({ openaiImages, xaiImages, googleImages }))('%s', (_, protocol) => {
  fc.assert(
    fc.property(body, (answer) => {
      try {
        const { images, usage } = protocol.decode(JSON.parse(JSON.stringify(answer)), (text) => [text]);
        expect(images.length).toBeGreaterThan(0);
        for (const count of Object.values(usage ?? {}))
          expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(GatewayError);
      }
    }),
    { numRuns: 2000 },
  );
});

test.each(Object.entries({ openaiImages, xaiImages, googleImages }))('%s, as an error', (_, protocol) => {
  fc.assert(
    fc.property(body, fc.constantFrom(400, 401, 403, 404, 429, 500, 503), (answer, status) => {
      const error = protocol.readFailure({ status, headers: {}, body: JSON.stringify(answer) ?? '' });
      expect(error.kind).toMatch(/^upstream_/);
      expect(error.status).toBeGreaterThanOrEqual(400);
    }),
  );
});
