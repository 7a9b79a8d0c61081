/** A catalog model for tests of single modules, and requests to it. */

import type { Model, Target } from '../../../lib/core/catalog/model.ts';
import type { GenerationParameters, GenerationRequest } from '../../../lib/core/generation/request.ts';
import { fromChat } from './sources.ts';

export function testModel(changes: Partial<Model> = {}): Model {
  return {
    id: 'acme/one',
    owner: 'acme',
    created: 1,
    status: 'active',
    endpoints: ['chat_completions', 'responses'],
    modalities: { input: ['text'], output: ['text'] },
    limits: { context: null, input: null, output: 4096 },
    traits: { refuses: [], refusesWhileReasoning: [] },
    prices: [],
    deployments: [{ provider: 'acme', region: 'global', upstreamId: 'one' }],
    timeouts: { connectMs: 1000, firstByteMs: 1000, bodyMs: 1000, idleMs: 1000 },
    ...changes,
  };
}

export function testTarget(changes: Partial<Model> = {}): Target {
  const model = testModel(changes);
  const [deployment] = model.deployments;
  if (!deployment) throw new Error('A target needs a deployment.');
  return { model, deployment };
}

export function testRequest(
  parameters: GenerationParameters = {},
  changes: Partial<GenerationRequest> = {},
): GenerationRequest {
  const messages: GenerationRequest['messages'] = [
    { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
  ];
  return fromChat({ messages, tools: [], stream: false, parameters, ...changes });
}
