/** The sandbox of Azure OpenAI: the OpenAI protocol with another key header, and with the results of a content filter; and Cohere's. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { cohereHandler } from '../cohere/handler.ts';
import {
  dataEvent,
  type Handler,
  jsonAnswer,
  Refusal,
  type SandboxResponse,
  streamAnswer,
} from '../exchange.ts';
import { objectOf, objectsOf } from '../json.ts';
import { shaped, withBatches } from '../openai/batches/batch-api.ts';
import { azureBatches } from '../openai/batches/shapes.ts';
import { createOpenaiHandler } from '../openai/handler.ts';

const harmless = Object.fromEntries(
  ['hate', 'self_harm', 'sexual', 'violence'].map((name) => [name, { filtered: false, severity: 'safe' }]),
);
const prompt_filter_results = [{ prompt_index: 0, content_filter_results: harmless }];

/** The results come when the response is done. */
const addition = (done: boolean) => ({
  content_filters: done
    ? ['prompt', 'completion'].map((source_type) => ({
        blocked: false,
        source_type,
        content_filter_raw: null,
        content_filter_results: harmless,
      }))
    : null,
});

const openai = createOpenaiHandler({
  strict: true,
  responses: { strict: true, storesBackground: true, addition },
});

/** The content filter has results for the lines of batches too. */
const live: Handler = (request) => {
  const answer = openai(request);
  if (request.path !== '/chat/completions') return answer;
  return objectOf(request.body).stream === true ? filteredStream(answer) : filteredBody(answer);
};

const handle = withBatches(live, shaped(azureBatches));

export const azureHandler: Handler = (request) => {
  const key = request.headers['api-key'];
  if (typeof key !== 'string' || key === '') {
    const message =
      'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription.';
    throw new Refusal(401, { error: { code: '401', message } });
  }
  const asKey = { ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } };
  const cohere = '/providers/cohere/v2';
  return request.path.startsWith(`${cohere}/`)
    ? cohereHandler({ ...asKey, path: request.path.slice(cohere.length) })
    : handle(asKey);
};

function filteredBody({ chunks: [text = ''] }: SandboxResponse): SandboxResponse {
  const body: JsonObject = JSON.parse(String(text));
  const choices = objectsOf(body.choices).map((choice) => ({ ...choice, content_filter_results: harmless }));
  return jsonAnswer({ ...body, choices, prompt_filter_results });
}

/** The result for the prompt comes before the answer, in a chunk of its own. */
function filteredStream({ chunks }: SandboxResponse): SandboxResponse {
  const first = { choices: [], created: 0, id: '', model: '', object: '', prompt_filter_results };
  return streamAnswer([dataEvent(first), ...chunks]);
}
