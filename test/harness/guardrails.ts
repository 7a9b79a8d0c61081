/** A gateway with tenants that have guardrails, in front of providers that say what a test gives them. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Policy, Rule } from '../../lib/core/guardrails/policy.ts';
import { createPolicyStore } from '../../lib/stores/access/guardrails.ts';
import { createKeyStore, type NewApiKey } from '../../lib/stores/access/keys.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { databaseEndpoint } from './gateways/environment.ts';
import { useUpstreamGateway } from './gateways/upstream-gateway.ts';
import { anthropicScript } from './protocols/anthropic.ts';
import { openaiScript } from './protocols/openai.ts';
import { openaiResponsesScript } from './protocols/openai-responses.ts';
import type { ProtocolScript, Step } from './protocols/step.ts';
import type { UpstreamScript } from './upstream.ts';

export const models = { chat: openaiScript.model, claude: 'anthropic/claude-haiku-4-5' };

/** A policy that applies to all requests of its tenant. */
export const policyOf = (rules: readonly Rule[], others: Partial<Policy> = {}): Policy => ({
  id: 'house',
  version: 1,
  rules,
  ...others,
});

const isPath: readonly (readonly [ending: string, script: ProtocolScript])[] = [
  ['/chat/completions', openaiScript],
  ['/messages', anthropicScript],
  ['/responses', openaiResponsesScript],
];

/** The provider answers with these steps, in the protocol and the form that it is asked in. */
export const saying =
  (steps: readonly Step[]): UpstreamScript =>
  (request, response) => {
    const script = isPath.find(([ending]) => request.path.endsWith(ending))?.[1] ?? openaiScript;
    if (request.body.stream !== true) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(script.body(steps)));
      return;
    }
    response.writeHead(200, { 'content-type': script.streamType });
    for (const frame of script.stream(steps)) response.write(frame);
    response.end();
  };

/** A text in pieces of so many characters. */
export const texts = (text: string, size = 1): readonly Step[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => ({
    type: 'text' as const,
    text: text.slice(index * size, (index + 1) * size),
  }));

const counts = { input: 10, output: 5 };

export const answerOf = (...steps: readonly Step[]): readonly Step[] => [
  { type: 'start', usage: counts },
  ...steps,
  { type: 'finish', reason: steps.some(({ type }) => type === 'call') ? 'calls' : 'stop', usage: counts },
  { type: 'end' },
];

interface ClientOptions {
  /** Whether the policies apply to all requests of the tenant. */
  readonly always?: boolean;
  /** The policies that the key names. */
  readonly key?: readonly string[];
  readonly limits?: NewApiKey['limits'];
}

export function useGuardrails() {
  const { gateway, upstream } = useUpstreamGateway(['OPENAI', 'ANTHROPIC']);
  let tenants = 0;
  return {
    gateway,
    upstream,
    /** Clients with the key of a new tenant that has the policies. */
    async clients(policies: readonly Policy[], { always = true, key = [], limits }: ClientOptions = {}) {
      const { call, close } = connectDatabase(databaseEndpoint());
      const access = { call, table: 'access' };
      tenants += 1;
      const tenant = `guarded-${tenants}`;
      const guardrailIds = key.length > 0 ? { guardrailIds: key } : {};
      const { secret } = await createKeyStore(access).create({
        tenant,
        ...guardrailIds,
        ...(limits && { limits }),
      });
      for (const policy of policies) await createPolicyStore(access).create(tenant, policy);
      const references = policies.map(({ id, version }) => ({ id, version, always }));
      await openTable(access).set(`tenant#${tenant}`, 'guardrails', references);
      await close();
      const apiKey = secret;
      return {
        tenant,
        apiKey,
        openai: new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 }),
        anthropic: new Anthropic({ baseURL: gateway.url, apiKey, authToken: null, maxRetries: 0 }),
      };
    },
  };
}
