/** The gateway's own count: never below what providers reported, for texts, tools, images and documents. */
import { describe, expect, test } from 'vitest';
import type { GenerationRequest } from '../../../lib/core/generation/request.ts';
import type { Target } from '../../../lib/core/model.ts';
import { countOwn } from '../../../lib/pipeline/own-count/count-own.ts';
import { countedRequests } from '../../harness/recorded/counted-requests.ts';
import { hasRecordings } from '../../harness/recorded/recordings.ts';

const never = new AbortController().signal;
const target = (owner: string) => ({ model: { id: `${owner}/model` } }) as unknown as Target;
const count = (request: GenerationRequest, owner = 'meta') => countOwn(request, target(owner), never);

describe.skipIf(!hasRecordings)('recorded requests', () => {
  test.each(countedRequests())('$name: not below $inputTokens', async ({ owner, request, inputTokens }) => {
    if (process.env.SHOW) console.log(owner, inputTokens, await count(request, owner));
    expect(await count(request, owner)).toBeGreaterThanOrEqual(inputTokens);
  });
});
