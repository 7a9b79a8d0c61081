/** An example of each input and answer of the dashboard's API, made of its schema: so an example always fits, and has every field. */

import { referredName } from '../field-rows.ts';
import type { JsonSchema } from '../json-schema.ts';

/** By the name of a field. */
const values: Readonly<Record<string, unknown>> = {
  api_key: 'mgw_example',
  amount_usd: '25.00',
  created_at: 1_796_083_200,
  cost: '0.00125',
  cost_nano_usd: 1_250_000,
  credit_usd: '100.00',
  daily_budget_usd: '50.00',
  email: 'ada@acme.example',
  effect: 'within five minutes',
  etag: '"b3f1c2"',
  gateway_url: 'https://gateway.example/v1',
  id: 'key_0123456789ab',
  input: '2.50',
  key: 'key_0123456789ab',
  limit: 100,
  location: '/ModelGateway/providers/anthropic/api-key',
  markup_percent: '20',
  own_key_fee_percent: '5',
  credential: 'cred_0123456789abcdef',
  settings: { 'api-key': 'sk-example' },
  model: 'openai/gpt-5.5',
  models: ['openai/*'],
  month: '2026-11',
  monthly_budget_usd: '500.00',
  name: 'Example',
  operations: ['chat-completions'],
  output: '10.00',
  playground_url: '/admin/v1/playground/chat/completions',
  provider: 'anthropic',
  reason: 'A credit note',
  region: 'global',
  request_id: 'req_0123456789',
  setting: 'api-key',
  threshold: 0.6,
  timeout_ms: 800,
  tenant: 'acme',
  total_budget_usd: '5000.00',
  url: 'https://console.example/keys',
  usd: '2.50',
  value: 'sk-example',
  weekly_budget_usd: '100.00',
};

/** Fields that an example is clearer without, none of which is required. */
const hidden: readonly string[] = ['sign_out_url', 'webhook_secret', 'webhook_secrets'];

type Resolve = (name: string) => JsonSchema | undefined;

export const exampleOf = (schema: JsonSchema, resolve: Resolve): unknown => make(schema, '', resolve);

function make(schema: JsonSchema, name: string, resolve: Resolve): unknown {
  const target = referredName(schema);
  const known = target === undefined ? schema : resolve(target);
  if (!known) return {};
  const { anyOf, oneOf, properties, items, const: constant } = known;
  const alternatives = anyOf ?? oneOf;
  if (constant !== undefined) return constant;
  if (alternatives) return make(richest(alternatives), name, resolve);
  if (properties) {
    const shown = Object.entries(properties).filter(([field]) => !hidden.includes(field));
    return Object.fromEntries(shown.map(([field, inner]) => [field, make(inner, field, resolve)]));
  }
  const type = [known.type ?? []].flat()[0];
  const given = values[name];
  if (given !== undefined && fits(given, type) && !items?.enum && !known.enum) return given;
  if (known.enum) return known.enum[0];
  if (type === 'array') return items ? [make(items, '', resolve)] : [];
  return leaf(type);
}

/** The alternative that shows most. */
const richest = (all: readonly JsonSchema[]): JsonSchema =>
  all.toSorted((one, other) => sizeOf(other) - sizeOf(one))[0] ?? {};

const sizeOf = ({ properties, type }: JsonSchema): number =>
  type === 'null' ? -1 : Object.keys(properties ?? {}).length;

function fits(value: unknown, type: string | undefined): boolean {
  if (Array.isArray(value)) return type === 'array';
  return typeof value === (type === 'integer' ? 'number' : type);
}

function leaf(type: string | undefined): unknown {
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  if (type === 'string') return 'example';
  return type === 'null' ? null : {};
}
