/** A gateway of which one provider of Claude is a server of the test, and requests to it by the Messages operation. */
import { beforeAll } from 'vitest';
import { type UpstreamGateway, useUpstreamGateway } from './gateways/upstream-gateway.ts';
import { addPinnedModels } from './matrix/pinned-models.ts';
import { anthropicScript } from './protocols/anthropic.ts';
import { answerJson, type UpstreamRequest, type UpstreamScript } from './upstream.ts';

/** At Anthropic alone: others would be asked where it fails. */
export const atAnthropic = anthropicScript.model;

const asked = { max_tokens: 100, messages: [{ role: 'user', content: 'Hello.' }] };

/** A whole answer. */
export const message = {
  id: 'msg_01A',
  type: 'message',
  role: 'assistant',
  model: 'claude-upstream',
  content: [{ type: 'text', text: 'Good.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 12, output_tokens: 3 },
};

interface FirstLane extends Pick<UpstreamGateway, 'gateway' | 'upstream'> {
  /** Posts a body with the model in it. */
  post(body: object, headers?: Record<string, string>): Promise<Response>;
  /** Posts it, lets upstream answer with `message`, and gives what upstream got. */
  sent(body: object, headers?: Record<string, string>): Promise<UpstreamRequest>;
  /** Posts it, and lets upstream answer so. */
  answered(script: UpstreamScript, body?: object, headers?: Record<string, string>): Promise<Response>;
}

/** Starts it for the tests of a file. `provider`: as in the names of its variables; `model`: at that provider alone. */
export function useFirstLane(
  provider = 'ANTHROPIC',
  model = atAnthropic,
  environment: Record<string, string> = {},
): FirstLane {
  const { gateway, upstream } = useUpstreamGateway(provider, environment);
  beforeAll(() => addPinnedModels(model));
  const post: FirstLane['post'] = (body, headers) =>
    gateway.post('/v1/messages', { model, ...body }, headers);
  const answered: FirstLane['answered'] = (script, body = {}, headers = {}) => {
    upstream.script(script);
    return post('messages' in body ? body : { ...asked, ...body }, headers);
  };
  return {
    gateway,
    upstream,
    post,
    answered,
    async sent(body, headers) {
      const response = await answered(answerJson(message), body, headers);
      const text = await response.text();
      const [request] = upstream.requests;
      if (response.status !== 200 || !request) throw new Error(`${response.status} ${text}`);
      return request;
    },
  };
}
