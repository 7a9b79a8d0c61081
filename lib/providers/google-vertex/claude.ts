/** Claude on Vertex: the Messages API with the model in the path, and without what Vertex has switched off. */

import type { Target } from '../../core/catalog/model.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type {
  GenerationProtocol,
  TokenCounter,
  UpstreamFailure,
} from '../../core/generation/original/protocol.ts';
import type { RequestRule } from '../../normalization/rule.ts';
import { unsupported } from '../../normalization/rules.ts';
import {
  jsonInWords,
  notStrictByTool,
  schemaBesideTools,
  strictToolsWhere,
} from '../../normalization/schemas/structured-output.ts';
import { encodeOriginal } from '../../protocols/anthropic-messages/original.ts';
import { anthropicMessages, messagesCounter } from '../../protocols/anthropic-messages/protocol.ts';
import { googleGenerateContent } from '../../protocols/google-generate-content/protocol.ts';
import { asText, lookUp } from '../../protocols/json.ts';
import { anthropic } from '../anthropic/provider.ts';
import {
  callingElsewhere,
  countingWithoutBetas,
  type NextBetas,
  otherNames,
} from '../claude/claude-elsewhere.ts';
import type { Provider } from '../provider.ts';
import { modelPath, vertexAccount } from './account.ts';

const vertexVersion = 'vertex-2023-10-16';

const vertexClaude: GenerationProtocol = {
  ...anthropicMessages,
  path: (upstreamId, stream) =>
    `${modelPath('anthropic', upstreamId)}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
  encode: (request, target) => {
    const { model: _, ...body } = anthropicMessages.encode(request, withoutStructuredOutput(target));
    return { anthropic_version: vertexVersion, ...body };
  },
  encodeOriginal: (original, target) => {
    const { body, headers } = encodeOriginal(original, target);
    const { model: _, ...fields } = body;
    // Here the version is a field of the body, and betas are a header as everywhere.
    const { 'anthropic-version': __, ...betas } = headers;
    return { body: { anthropic_version: vertexVersion, ...fields }, headers: betas };
  },
  readFailure: (failure) =>
    (isGoogles(failure) ? googleGenerateContent : anthropicMessages).readFailure(failure),
};

/** The model stays in the body. Source: Google Cloud, "Count tokens for Claude models"; Anthropic's SDK for Vertex. */
const vertexClaudeCounter: TokenCounter = {
  ...messagesCounter,
  path: () => `${modelPath('anthropic', 'count-tokens')}:rawPredict`,
  body: (request, upstreamId) => ({
    anthropic_version: vertexVersion,
    ...messagesCounter.body({ ...request, model: upstreamId }, upstreamId),
  }),
};

/** Structured output, strict tools too, is off in a Google organisation unless its policy allows it. */
function withoutStructuredOutput({ model, deployment }: Target): Target {
  const { structuredOutput: _, ...traits } = model.traits;
  return { model: { ...model, traits }, deployment };
}

/** Errors of Google's own frontend have Google's form: an error with a named status. */
function isGoogles({ body }: UpstreamFailure): boolean {
  const parsed = parseJson(body);
  const { error } = asObject(Array.isArray(parsed) ? parsed[0] : parsed);
  return typeof asObject(error).status === 'string';
}

/** Here a forced tool is the only way to an answer by a schema, even for models that have others elsewhere. */
const schemaByCall = [jsonInWords, notStrictByTool, schemaBesideTools].map(
  (rule): RequestRule =>
    (request, target) =>
      rule(request, withoutStructuredOutput(target)),
);

/** How Vertex refuses betas: by their names. Source: anthropics/claude-code issue 21767. */
const refusal = /^unexpected value\(s\) (.{1,2000}?) for the .?anthropic-beta.? header/i;

const nextAtVertex: NextBetas = (body, sent) => {
  const [, list] = refusal.exec(asText(asObject(asObject(parseJson(body)).error).message)) ?? [];
  if (list === undefined) return undefined;
  const refused = list.split(/[`'",\s]+/);
  const left = sent.flatMap((beta) => (refused.includes(beta) ? (lookUp(otherNames, beta) ?? []) : [beta]));
  return left.length === sent.length && left.every((beta) => sent.includes(beta)) ? [] : [...new Set(left)];
};

const { rules } = anthropic.generation;

export const googleVertexAnthropic: Provider = {
  name: 'google-vertex-anthropic',
  ...vertexAccount('v1'),
  generation: {
    protocol: vertexClaude,
    call: callingElsewhere(nextAtVertex),
    counter: countingWithoutBetas(vertexClaudeCounter),
    takesImageUrls: false,
    rules: {
      parameters: [...rules.parameters, ...unsupported('service_tier')],
      conversation: rules.conversation,
      messages: rules.messages,
      requests: [...schemaByCall, strictToolsWhere(() => false), ...rules.requests],
    },
  },
};
