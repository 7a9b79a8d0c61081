/**
 * Claude by InvokeModel: the Messages API with the model and the form of the answer in the path, in an envelope of Bedrock's.
 * Source: AWS, Bedrock user guide, "Request and Response" of Anthropic Claude; Bedrock API reference, InvokeModel.
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { anthropicHandler } from '../anthropic/handler.ts';
import { jsonAnswer, Refusal, type SandboxRequest, type SandboxResponse, streamAnswer } from '../exchange.ts';
import { listOf, objectOf, objectsOf, textOf, words } from '../json.ts';
import { refuse } from './refuse.ts';
import { encodeEvent } from './write.ts';

const claude = /^(?:(?:us|eu|apac|jp|au|us-gov|global)\.)?anthropic\.(claude-[\w-]+?)(?:-v\d+(?::\d+)?)?$/;

/** Undefined for a path that is another one. */
export function answerClaude(request: SandboxRequest): SandboxResponse | undefined {
  const [, name = '', action] =
    /^\/model\/([^/]+)\/(invoke|invoke-with-response-stream)$/.exec(request.path) ?? [];
  const [, model] = claude.exec(decodeURIComponent(name)) ?? [];
  if (request.method !== 'POST' || model === undefined) return undefined;
  const stream = action === 'invoke-with-response-stream';
  const answer = answerMessages(toMessages(request, model, stream));
  return stream ? streamAnswer(eventsOf(answer), 'application/vnd.amazon.eventstream') : answer;
}

/** Counts as the body of InvokeModel, which is in base64. Source: AWS, Bedrock API reference, CountTokens. */
export function countClaude(request: SandboxRequest, name: string): SandboxResponse {
  const { body: encoded } = objectOf(objectOf(objectOf(request.body).input).invokeModel);
  const body: unknown = JSON.parse(Buffer.from(textOf(encoded), 'base64').toString());
  const [, model] = claude.exec(name) ?? [];
  if (model === undefined) refuse("The provided model doesn't support counting tokens.");
  const { max_tokens, temperature, top_p, top_k, stop_sequences, metadata, ...counted } = objectOf(body);
  if (typeof max_tokens !== 'number') refuse('max_tokens: Field required');
  const whole = toMessages({ ...request, body: counted }, model, false);
  const answer = answerMessages({ ...whole, path: '/messages/count_tokens' });
  return jsonAnswer({ inputTokens: objectOf(JSON.parse(String(answer.chunks[0]))).input_tokens });
}

/**
 * Fields of Anthropic's own API that Bedrock does not have. Source: the fields that LiteLLM leaves out for InvokeModel
 * (BedrockInvokeAnthropicMessagesRequest).
 */
const foreign = ['model', 'stream', 'container', 'mcp_servers', 'service_tier', 'inference_geo', 'speed'];

/** The request as Anthropic's own API would get it. */
function toMessages(request: SandboxRequest, model: string, stream: boolean): SandboxRequest {
  const { anthropic_version, anthropic_beta: betas, ...body } = objectOf(request.body);
  if (anthropic_version !== 'bedrock-2023-05-31') refuse('anthropic_version: Field required');
  for (const name of foreign) if (name in body) refuse(`${name}: Extra inputs are not permitted`);
  if (betas !== undefined) checkBetas(betas);
  checkSources(body);
  for (const [index, { type }] of objectsOf(body.tools).entries()) {
    // Source: "Feature support" in Anthropic's page on Claude on Amazon Bedrock: no tools that run on a server.
    if (/^(?:web_search|web_fetch|code_execution)_\d/.test(textOf(type))) {
      refuse(
        `tools.${index}: Input tag '${textOf(type)}' found using 'type' does not match any of the expected tags`,
      );
    }
  }
  return {
    ...request,
    path: '/messages',
    headers: {
      'x-api-key': 'sandbox',
      'anthropic-version': '2023-06-01',
      ...(betas !== undefined && { 'anthropic-beta': listOf(betas).join(',') }),
    },
    body: { ...body, model, ...(stream && { stream }) },
  };
}

/**
 * The betas that models of Bedrock know, and the only error there is for others. Sources: anthropics/claude-code issues 49370
 * and 56595; BerriAI/litellm pull request 19877 and its anthropic_beta_headers_config.json.
 */
const knownBetas = words(
  'compact computer-use context-1m context-management dangerous-tool-use effort',
  'fine-grained-tool-streaming interleaved-thinking mid-conversation-output-config',
  'mid-conversation-tool-changes thinking-display-updates tool-examples tool-search-tool',
);

const isKnown = (beta: unknown) => knownBetas.includes(textOf(beta).replace(/-\d{4}-\d\d-\d\d$/, ''));

function checkBetas(betas: unknown): void {
  if (!Array.isArray(betas)) refuse('anthropic_beta: Input should be a valid list');
  if (!betas.every(isKnown)) refuse('invalid beta flag');
}

/** Pictures and documents come as bytes. Source: vercel/ai, packages/amazon-bedrock, `supportedUrls` of its Claude. */
function checkSources({ messages }: JsonObject): void {
  const blocks = objectsOf(messages).flatMap(({ content }) => objectsOf(content));
  const all = [...blocks, ...blocks.flatMap(({ content }) => objectsOf(content))];
  if (all.some(({ source }) => objectOf(source).type === 'url')) refuse('URL sources are not supported');
}

/** What the model's server refuses, Bedrock repeats after words of its own. */
function answerMessages(request: SandboxRequest): SandboxResponse {
  try {
    return anthropicHandler(request);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    const { error } = objectOf(JSON.parse(String(thrown.answer.chunks[0])));
    refuse(`The model returned the following errors: ${textOf(objectOf(error).message)}`);
  }
}

/** Each event in a message of an event stream, and Bedrock's own counts beside the last. */
function eventsOf({ chunks }: SandboxResponse): readonly Uint8Array[] {
  return chunks.map((chunk) => {
    const event = objectOf(JSON.parse(String(chunk).replace(/^event: .*\ndata: /, '')));
    const isLast = event.type === 'message_stop';
    const metrics = { inputTokenCount: 1, outputTokenCount: 1, invocationLatency: 42, firstByteLatency: 7 };
    return encodeChunk({ ...event, ...(isLast && { 'amazon-bedrock-invocationMetrics': metrics }) });
  });
}

/** One event of the Messages API as InvokeModelWithResponseStream sends it. */
export function encodeChunk(event: object): Uint8Array {
  return encodeEvent('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64') });
}
