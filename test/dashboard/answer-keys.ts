/** Answers for the page of keys in place of the API: as many as a test wants, and a refusal of new ones. */
import type { Page, Route } from 'playwright-core';
import { limitRows } from '../../dashboard/pages/form-values.ts';
import type { KeyRow } from '../../lib/admin/keys/schema.ts';

const limits = Object.fromEntries(
  [...limitRows.map(({ field }) => field), 'credit_usd'].map((field) => [field, null]),
) as unknown as KeyRow['limits'];

const keyOf = (index: number): KeyRow => ({
  object: 'key',
  id: `key_${String(index).padStart(12, '0')}`,
  tenant: 'acme',
  name: index === 1 ? '=1+1' : `Key ${index}`,
  owner: null,
  family: null,
  status: 'active',
  created_at: 1_790_000_000 - index,
  last_used_at: null,
  expires_at: null,
  disabled_at: null,
  limits,
  models: null,
  operations: null,
  etag: `"${index}"`,
});

const listOf = (data: readonly object[]) => ({ object: 'list', data, has_more: false, next_after: null });

const refusal = {
  error: {
    message: 'limits.daily_budget_usd must be an amount in US dollars as text.',
    type: 'invalid_request_error',
    param: 'limits.daily_budget_usd',
    code: null,
  },
};

/** From now on, for calls of `/keys` and `/tenants`. */
export async function answerKeys(
  page: Page,
  { count, delayMs = 0 }: { readonly count: number; readonly delayMs?: number },
): Promise<void> {
  const keys = Array.from({ length: count }, (_, index) => keyOf(index));
  const answer = async (route: Route, body: object, status = 200) => {
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    await route.fulfill({ status, json: body });
  };
  await page.route(/\/admin\/v1\/tenants/, (route) => answer(route, listOf([{ id: 'acme' }])));
  await page.route(/\/admin\/v1\/keys(\?|$)/, (route) => {
    if (route.request().method() === 'GET') return answer(route, listOf(keys));
    return answer(route, refusal, 400);
  });
  await page.route(/\/admin\/v1\/keys\/key_/, (route) => {
    const id = route.request().url().split('/').at(-1);
    const found = keys.find((key) => key.id === id) ?? keyOf(0);
    return answer(route, { ...found, use: [] });
  });
}
