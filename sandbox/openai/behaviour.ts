/**
 * How the sandbox simulates a host of the OpenAI chat protocol: what the host refuses that OpenAI takes, and what it writes
 * in its own way. The rows of the host table say it for the compatible hosts.
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { ContinuedMessages, SandboxBehaviour } from '../../lib/providers/hosts/host.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../json.ts';
import type { ResponsesBehaviour } from '../openai-responses/behaviour.ts';
import type { BatchApi } from './batches/batch-api.ts';
import { refuse, refuseParameter } from './refuse.ts';

export interface Behaviour extends SandboxBehaviour {
  /** As OpenAI itself: only its own model ids and fields. Other hosts accept fields that they do not know. */
  readonly strict: boolean;
  /** How it answers the Responses API; absent: not at all. */
  readonly responses?: ResponsesBehaviour;
  /** Its batches; absent: none. */
  readonly batches?: BatchApi;
  /** True for a host that needs no key. */
  readonly open?: boolean;
}

/** Fields of OpenAI's own platform, and of few hosts. The others ignore them, or refuse them as unknown. */
export const platformFields: readonly string[] = [
  ...['store', 'metadata', 'verbosity', 'prompt_cache_key', 'safety_identifier'],
  ...[
    'reasoning_summary',
    'reasoning_context',
    'max_tool_calls',
    'context_management',
    'image',
    'access_programs',
    'prediction',
    'moderation',
  ],
  ...['prompt_cache_retention', 'prompt_cache_options', 'top_k', 'min_p', 'repetition_penalty'],
];

/** Whether a request asks for reasoning, in any of the ways there are. */
export function wantsToThink(body: JsonObject): boolean {
  const { reasoning_effort: effort, enable_thinking: enabled } = body;
  if (effort !== undefined) return effort !== 'none';
  const { type } = objectOf(body.thinking);
  if (type !== undefined) return type !== 'disabled';
  const reasoning = objectOf(body.reasoning);
  const isAsked = reasoning.effort !== undefined || reasoning.max_tokens !== undefined;
  return enabled === true || reasoning.enabled === true || isAsked;
}

/** Refuses what the host does not take. */
export function checkBehaviour(body: JsonObject, behaviour: Behaviour, path: string): void {
  const messages = objectsOf(body.messages);
  checkFields(body, messages, behaviour);
  const { maxTemperature = Number.POSITIVE_INFINITY } = behaviour;
  if ((numberOf(body.temperature) ?? 0) > maxTemperature) {
    refuse(`Invalid 'temperature': must be at most ${maxTemperature}.`, 'temperature', 'invalid_value');
  }
  const calls = messages.flatMap((message) => objectsOf(message.tool_calls));
  if (behaviour.shortToolIds && calls.some(({ id }) => !/^[a-zA-Z0-9]{9}$/.test(textOf(id)))) {
    refuse('Tool call id has to be defined and must be a-z, A-Z, 0-9, with a length of 9.', 'messages');
  }
  if (behaviour.refusesEmptyAnswers) checkEmpty(messages);
  if (behaviour.requiresReasoning !== undefined && wantsToThink(body)) {
    checkReturned(messages, behaviour.requiresReasoning);
  }
  // Source: xAI's guide "Files": they are part of its Responses API.
  if (behaviour.refusesFiles && messages.some(({ content }) => hasPart(content, 'file'))) {
    refuse('Files are not supported in chat completions.', 'messages');
  }
  if (behaviour.alternates) checkTurns(messages);
  if (behaviour.continues) checkContinued(body, messages, behaviour.continues, path);
}

const hasPart = (content: unknown, type: string): boolean =>
  objectsOf(content).some((part) => part.type === type);

/** Source: DeepSeek's guide "Chat Prefix Completion", Alibaba's "Partial mode", BerriAI/litellm issue 3918 (Mistral). */
function checkContinued(
  body: JsonObject,
  messages: readonly JsonObject[],
  { field, path, isRequired, onlyWithoutThinking }: ContinuedMessages,
  requestPath: string,
): void {
  const last = messages.at(-1);
  const isMarked = last?.role === 'assistant' && last[field] === true;
  const param = `messages[${messages.length - 1}].${field}`;
  if (isRequired && last?.role === 'assistant' && !isMarked) {
    refuse('Expected last role to be one of: [user, tool] but got assistant.', 'messages');
  }
  if (isMarked && path !== undefined && !requestPath.startsWith(path)) {
    refuse(`\`${field}\` is supported only below ${path}.`, param);
  }
  if (isMarked && onlyWithoutThinking && wantsToThink(body)) {
    refuse(`\`${field}\` is not supported in thinking mode.`, param);
  }
}

function checkFields(body: JsonObject, messages: readonly JsonObject[], behaviour: Behaviour): void {
  const { refuses = [], takes = [], refusesPlatformFields } = behaviour;
  const foreign = platformFields.filter((name) => !takes.includes(name));
  const all = refusesPlatformFields ? [...refuses, ...foreign] : refuses;
  // One answer is what there is without the field: recorded at Groq by pydantic-ai (test_tool_use_failed_error).
  const given = body.n === 1 ? all.filter((name) => name !== 'n') : all;
  for (const name of given) if (name in body) refuseParameter(name);
  const named = messages.findIndex((message) => 'name' in message);
  if (all.includes('name') && named >= 0) refuseParameter(`messages[${named}].name`);
  // Source: BerriAI/litellm issue 30835.
  const refusing = messages.findIndex((message) => 'refusal' in message);
  if (all.includes('refusal') && refusing >= 0) refuseParameter(`messages[${refusing}].refusal`);
}

/**
 * Sources: OpenHands/OpenHands issue 8685, solbrowse/extension issue 16 (Mistral); MoonshotAI/kimi-code issue 1985 (Moonshot). One that
 * begins the answer and has a name is in Moonshot's guide "Partial Mode".
 */
function checkEmpty(messages: readonly JsonObject[]): void {
  const at = messages.findIndex(({ role, content, tool_calls: calls, name, partial }) => {
    const isBlank = content == null || (typeof content === 'string' && content.trim() === '');
    return role === 'assistant' && isBlank && calls === undefined && !(partial && name);
  });
  if (at < 0) return;
  refuse('Assistant message must have either content or tool_calls, but not none.', `messages[${at}]`);
}

function checkReturned(messages: readonly JsonObject[], field: string): void {
  // A router takes the bare text as well.
  const fields = field === 'reasoning_details' ? [field, 'reasoning'] : [field];
  const incomplete = messages.find(
    (message) => 'tool_calls' in message && !fields.some((name) => name in message),
  );
  if (incomplete) refuse(`The \`${field}\` in the thinking mode must be passed back to the API.`, 'messages');
}

function checkTurns(messages: readonly JsonObject[]): void {
  const roles = messages.map(({ role }) => role);
  if (roles.some((role, index) => role === roles[index - 1])) {
    refuse(
      'After the (optional) system message(s), user and assistant roles should be alternating.',
      'messages',
    );
  }
}
