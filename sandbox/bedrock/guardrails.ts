/**
 * Guardrails of Bedrock: `ApplyGuardrail`, and `InvokeGuardrailChecks` without a guardrail. Every guardrail masks addresses of mail and
 * blocks the word "bomb". Sources: the API reference and quotas of Amazon Bedrock Runtime, @aws-sdk/client-bedrock-runtime 3.1164.
 */
import { jsonAnswer, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { checkKeys, objectOf, objectsOf, textOf, wordSet } from '../json.ts';
import { refuse } from './refuse.ts';

const email = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;
const violence = /\bbomb\b/i;

/** What a second of most accounts has: a call with more is refused by itself. */
const maxUnits = 25;

const unitsOf = (texts: readonly string[]): number =>
  Math.ceil(texts.reduce((sum, text) => sum + [...text].length, 0) / 1_000);

/** Undefined for other requests. */
export function answerGuardrails(request: SandboxRequest): SandboxResponse | undefined {
  const { method, path } = request;
  if (method !== 'POST') return undefined;
  if (path === '/guardrail-checks/invoke') return answerChecks(request);
  const [, id, version] = /^\/guardrail\/([^/]+)\/version\/([^/]+)\/apply$/.exec(path) ?? [];
  if (id === undefined || version === undefined) return undefined;
  if (!/^([a-z0-9]+|arn:aws[\w-]*:bedrock:[\w-]+:\d{12}:guardrail\/[a-z0-9]+)$/.test(decodeURIComponent(id)))
    refuse('The guardrail identifier is invalid.');
  if (!/^([1-9]\d{0,7}|DRAFT)$/.test(version)) refuse('The guardrail version is invalid.');
  if (id === 'missing')
    refuse('The guardrail identifier or version does not exist.', 404, 'ResourceNotFoundException');
  return answerApply(request);
}

function answerApply({ body }: SandboxRequest): SandboxResponse {
  const { source, content } = objectOf(body);
  checkKeys(body, wordSet('source content outputScope'), (name) => refuse(`Unknown field: ${name}`));
  if (source !== 'INPUT' && source !== 'OUTPUT') refuse("Value at 'source' failed to satisfy constraint.");
  const texts = objectsOf(content).map((block) => textOf(objectOf(block.text).text));
  const units = checked(texts);
  const isBlocked = texts.some((text) => violence.test(text));
  const matches = texts.flatMap((text) => text.match(email) ?? []);
  const filter = { type: 'VIOLENCE', confidence: 'HIGH', action: 'BLOCKED', detected: true };
  const entities = matches.map((match) => ({ match, type: 'EMAIL', action: 'ANONYMIZED', detected: true }));
  const isFound = isBlocked || matches.length > 0;
  const masked = texts.map((text) => ({ text: text.replaceAll(email, '{EMAIL}') }));
  return jsonAnswer({
    usage: {
      topicPolicyUnits: 0,
      contentPolicyUnits: units,
      wordPolicyUnits: units,
      sensitiveInformationPolicyUnits: units,
      sensitiveInformationPolicyFreeUnits: 0,
      contextualGroundingPolicyUnits: 0,
    },
    action: isFound ? 'GUARDRAIL_INTERVENED' : 'NONE',
    outputs: isBlocked ? [{ text: 'Sorry, the sandbox cannot answer this.' }] : isFound ? masked : [],
    assessments: [
      {
        ...(isBlocked && { contentPolicy: { filters: [filter] } }),
        ...(matches.length > 0 && { sensitiveInformationPolicy: { piiEntities: entities, regexes: [] } }),
      },
    ],
  });
}

function checked(texts: readonly string[]): number {
  if (texts.length === 0 || texts.includes('')) refuse('The content is invalid: a text must not be empty.');
  const units = unitsOf(texts);
  if (units > maxUnits)
    refuse('Too many text units, please wait before trying again.', 429, 'ThrottlingException');
  return units;
}

const roles = wordSet('user assistant system');

function answerChecks({ body }: SandboxRequest): SandboxResponse {
  const { messages, checks } = objectOf(body);
  checkKeys(body, wordSet('messages checks'), (name) => refuse(`Unknown field: ${name}`));
  const asked = objectOf(checks);
  checkKeys(asked, wordSet('contentFilter promptAttack sensitiveInformation'), (name) =>
    refuse(`Unknown field: ${name}`),
  );
  if (Object.keys(asked).length === 0) refuse('At least one check must be set.');
  const given = objectsOf(messages);
  if (given.some(({ role }) => !roles.has(textOf(role))))
    refuse("Value at 'role' failed to satisfy constraint.");
  const blocks = given.flatMap((message, messageIndex) =>
    objectsOf(message.content).map((block, contentIndex) => ({
      messageIndex,
      contentIndex,
      text: textOf(block.text),
    })),
  );
  const textUnits = checked(blocks.map(({ text }) => text));
  const has = (pattern: RegExp) => blocks.some(({ text }) => pattern.test(text));
  const scores = (list: unknown, found: Readonly<Record<string, boolean>>) => ({
    results: objectsOf(list).map(({ category }) => ({
      category,
      severityScore: found[textOf(category)] ? 0.8 : 0,
    })),
  });
  const types = objectsOf(objectOf(asked.sensitiveInformation).entities).map(({ type }) => type);
  const results = {
    ...(asked.contentFilter !== undefined && {
      contentFilter: scores(objectOf(asked.contentFilter).categories, { VIOLENCE: has(violence) }),
    }),
    ...(asked.promptAttack !== undefined && {
      promptAttack: scores(objectOf(asked.promptAttack).categories, {
        JAILBREAK: has(/ignore (all|your) [^.]{0,40}instructions/i),
      }),
    }),
    ...(asked.sensitiveInformation !== undefined && {
      sensitiveInformation: {
        results: types.includes('EMAIL') ? blocks.flatMap(emailsOf) : [],
        truncated: false,
      },
    }),
  };
  const usage = Object.fromEntries(Object.keys(results).map((check) => [check, { textUnits }]));
  return jsonAnswer({ results, usage });
}

interface Block {
  readonly messageIndex: number;
  readonly contentIndex: number;
  readonly text: string;
}

/** Offsets count characters, which are code points here. */
const emailsOf = ({ text, ...place }: Block) =>
  [...text.matchAll(email)].map(({ 0: found, index }) => {
    const beginOffset = [...text.slice(0, index)].length;
    return {
      type: 'EMAIL',
      confidenceScore: 1,
      beginOffset,
      endOffset: beginOffset + [...found].length,
      ...place,
    };
  });
