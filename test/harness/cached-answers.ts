/** A gateway whose answers are cached, in front of a provider of which each answer is another one. */
import { beforeAll, beforeEach } from 'vitest';
import type { Policy } from '../../lib/core/guardrails/policy.ts';
import { createPolicyStore } from '../../lib/stores/access/guardrails.ts';
import type { NewApiKey } from '../../lib/stores/access/keys.ts';
import type { Tenancy } from '../../lib/stores/access/tenancy-fields.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { useAccess } from './access.ts';
import { useUpstreamGateway } from './gateways/upstream-gateway.ts';
import { openLedger } from './ledger.ts';
import { putModels } from './matrix/catalog.ts';
import { openaiResponsesScript } from './protocols/openai-responses.ts';
import type { Step } from './protocols/step.ts';
import type { UpstreamScript } from './upstream.ts';
import { use } from './use.ts';

export const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

type UpstreamResponse = Parameters<UpstreamScript>[1];

export const json = (response: UpstreamResponse, body: object): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

type Event = readonly [name: string | undefined, data: object];

/** `cutAfter`: the connection breaks after so many of them. */
function frames(
  response: UpstreamResponse,
  all: readonly (string | Uint8Array)[],
  cutAfter = all.length,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const frame of all.slice(0, cutAfter)) response.write(frame);
  if (cutAfter < all.length) setImmediate(() => response.destroy());
  else response.end();
}

const sse = (response: UpstreamResponse, events: readonly Event[], cutAfter?: number): void =>
  frames(
    response,
    events.map(([name, data]) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`),
    cutAfter,
  );

interface Answered {
  /** What the choice of a chat has in place of the usual. */
  readonly choice?: object;
  readonly text?: string;
  readonly cutAfter?: number;
}

/** Answers as the provider whose path is called. */
export function answering(answer: () => Answered & { readonly number: number }): UpstreamScript {
  return ({ path, body: { stream, input, dimensions = 1536, n = 1 } }, response) => {
    const { number, choice = {}, text = `Answer ${number}`, cutAfter } = answer();
    if (path.endsWith('/embeddings')) {
      const data = [input].flat().map((_, index) => {
        const embedding = Array.from({ length: Number(dimensions) }, (_, at) =>
          Math.fround(number / (at + 3 + index)),
        );
        return { index, embedding };
      });
      return json(response, { data, usage: { prompt_tokens: 3, total_tokens: 3 } });
    }
    if (path.endsWith('/messages')) {
      const message = { id: `msg_up_${number}`, type: 'message', role: 'assistant', model: 'claude-up' };
      const counts = { input_tokens: 11, output_tokens: 7 };
      const end = { stop_reason: 'end_turn', stop_sequence: null };
      if (!stream)
        return json(response, { ...message, content: [{ type: 'text', text }], ...end, usage: counts });
      const started = { ...message, content: [], usage: { input_tokens: 11, output_tokens: 1 } };
      const events: readonly object[] = [
        { type: 'message_start', message: started },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: end, usage: { output_tokens: 7 } },
        { type: 'message_stop' },
      ];
      return sse(
        response,
        events.map((event) => ['type' in event ? `${event.type}` : undefined, event]),
        cutAfter,
      );
    }
    if (path.endsWith('/responses')) {
      const counts = { input: 11, output: 7 };
      const steps: readonly Step[] = [
        { type: 'start', usage: counts },
        { type: 'text', text },
        { type: 'finish', reason: 'stop', usage: counts },
        { type: 'end' },
      ];
      if (!stream) return json(response, openaiResponsesScript.body(steps));
      return frames(response, openaiResponsesScript.stream(steps), cutAfter);
    }
    const head = { id: `up-${number}`, created: 1, model: 'up', system_fingerprint: `fp_${number}` };
    const choices = Array.from({ length: Number(n) }, (_, index) => {
      const content = index === 0 ? text : `${text}, choice ${index}`;
      return { index, message: { role: 'assistant', content }, finish_reason: 'stop', ...choice };
    });
    if (!stream) return json(response, { ...head, object: 'chat.completion', choices, usage });
    const chunk = { ...head, object: 'chat.completion.chunk' };
    const chunks = choices.flatMap(({ message, finish_reason, ...rest }) => {
      const calls = 'tool_calls' in message && [message.tool_calls].flat();
      const delta = calls
        ? { ...message, tool_calls: calls.map((call, index) => ({ ...Object(call), index })) }
        : message;
      return [
        { ...chunk, choices: [{ ...rest, delta, finish_reason: null }] },
        { ...chunk, choices: [{ index: rest.index, delta: {}, finish_reason }] },
      ];
    });
    const all: readonly object[] = [...chunks, { ...chunk, choices: [], usage }];
    return sse(
      response,
      all.map((event) => [undefined, event]),
      cutAfter,
    );
  };
}

/** `model`, of a chat; its keys are those of tenants of their own, unless these are named. */
export function useCachedAnswers(environment: Record<string, string> = {}) {
  const { gateway, upstream } = useUpstreamGateway(['GROQ', 'ANTHROPIC', 'OPENAI'], {
    GATEWAY_CACHED_ANSWER_TIMEOUT_MS: '5000',
    ...environment,
  });
  const access = useAccess();
  const ledger = use(() => openLedger());
  let number = 0;
  let next: Answered = {};
  let tenants = 0;
  let questions = 0;

  beforeAll(async () => {
    await putModels({
      'cached/one': [{ provider: 'groq', upstreamId: 'one' }],
      'cached/other': [{ provider: 'groq', upstreamId: 'other' }],
    });
  });

  const numbered = () => {
    number += 1;
    return { number, ...next };
  };

  beforeEach(() => {
    next = {};
    upstream.script(answering(numbered));
  });

  /** A text that no request had before. */
  const newQuestion = () => {
    questions += 1;
    return `Question ${questions}`;
  };

  return {
    gateway,
    upstream,
    access,
    ledger,
    newQuestion,
    /** The text of the last answer. */
    last: () => `Answer ${number}`,
    /** What the next answers have in place of the usual. */
    answer(given: Answered) {
      next = given;
    },
    /** The script of the usual answers. */
    usual: answering(numbered),
    async newKey(key: Partial<NewApiKey> = {}, tenancy: Tenancy = {}) {
      tenants += 1;
      const { tenant = `cached-${tenants}` } = key;
      await access.tenants().create(tenant, tenancy);
      return { tenant, ...(await access.newKey({ ...key, tenant })) };
    },
    /** From now on, these policies apply to all requests of the tenant. */
    async guard(tenant: string, ...policies: readonly Policy[]) {
      const table = { call: ledger.call, table: 'access' };
      for (const policy of policies) await createPolicyStore(table).create(tenant, policy);
      const references = policies.map(({ id, version }) => ({ id, version, always: true }));
      await openTable(table).set(`tenant#${tenant}`, 'guardrails', references);
    },
    chat: (content = newQuestion(), more: object = {}) => ({
      model: 'cached/one',
      messages: [{ role: 'user', content }],
      ...more,
      extra: { cache: {}, debug: ['cache', 'cost'], ...(more as { readonly extra?: object }).extra },
    }),
    async ask(authorization: string, body: object, { path = '/v1/chat/completions', headers = {} } = {}) {
      const before = upstream.total;
      const response = await gateway.post(path, body, { authorization, ...headers });
      const text = await response.text().catch(() => '');
      return {
        status: response.status,
        cache: response.headers.get('x-gateway-cache'),
        headers: response.headers,
        calls: upstream.total - before,
        text,
      };
    },
  };
}

/** What a dry run says of the cache, in a body or a stream of any operation. */
export function dryVerdictIn(text: string): unknown {
  const last = [...text.matchAll(/^(?:data: )?(\{.*"dry_run".*\})$/gm)].at(-1)?.[1] ?? '{}';
  const { response, debug = response?.debug } = JSON.parse(last);
  return debug?.dry_run.cache;
}

interface Counted {
  readonly cache: string | null;
  readonly calls: number;
}

/** Of each answer, whether it came from the cache, and how often a provider was called. */
export const states = (...asked: readonly Counted[]) =>
  asked.map(({ cache, calls }) => [cache, calls] as const);
export const miss = ['miss', 1];
export const hit = ['hit', 0];
