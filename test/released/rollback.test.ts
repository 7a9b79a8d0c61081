/**
 * An upgrade and its rollback: a released version, this one, and the released one again serve the same data, one after the other. Each runs
 * from its own sources, in its own process; requests and commands are those that callers and operators send.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { releases } from './releases.ts';
import { isInHistory, type ReleasedGateway, root, startRelease, unpack } from './run-release.ts';
import { budgets, firstDay, sums, tenant, useGateway } from './use-gateway.ts';

async function on<Result>(
  folder: string,
  data: string,
  use: (gateway: ReleasedGateway) => Promise<Result>,
): Promise<Result> {
  const gateway = await startRelease(folder, data);
  try {
    return await use(gateway);
  } finally {
    await gateway.close();
  }
}

const limitsOf = async (gateway: ReleasedGateway) =>
  (await gateway.command(`limits show ${tenant} --json`)) as string;

// Operators go back to the release before: `items.test.ts` reads what the earlier ones wrote.
describe.each(releases.slice(-1))('from $name and back', ({ name, commit }) => {
  const isThere = isInHistory(commit);
  test.skipIf(!isThere)(
    `keys, limits, records, sums and conversations are kept (${isThere ? name : `this clone has no commit ${commit}: fetch the whole history`})`,
    { timeout: 240_000 },
    async () => {
      const release = unpack(commit);
      const data = mkdtempSync(join(tmpdir(), 'gateway-upgrade-'));
      try {
        const facts = await on(release.folder, data, firstDay);
        const after = await on(root, data, async (gateway) => {
          expect(await sums(gateway, facts.secret, facts.requests)).toMatchObject({
            promptTokens: facts.promptTokens,
          });
          expect(JSON.parse(await limitsOf(gateway))).toContainEqual(
            expect.objectContaining({ limit: 'monthly_budget_usd', set: `${budgets.tenant}.00` }),
          );
          const stored = await gateway.ask(facts.secret, `/v1/responses/${facts.responseId}`);
          expect(stored).toMatchObject({ status: 200, body: { id: facts.responseId } });
          const responseId = await useGateway(gateway, facts.secret, facts.responseId);
          const exported = await gateway.command(`usage export --tenant ${tenant}`);
          expect(exported.trimEnd().split('\n')).toHaveLength(2 * facts.requests);
          const made = await gateway.command(`keys create --tenant ${tenant} --name server`);
          await sums(gateway, facts.secret, 2 * facts.requests);
          await gateway.command('usage reconcile');
          return { responseId, secret: made.trimEnd().split('\n').at(-1) ?? '' };
        });
        await on(release.folder, data, async (gateway) => {
          await sums(gateway, after.secret, 2 * facts.requests);
          await useGateway(gateway, facts.secret, after.responseId);
          await useGateway(gateway, after.secret);
          await sums(gateway, after.secret, 4 * facts.requests);
        });
        // And forward again: what the released version wrote meanwhile is there.
        await on(root, data, async (gateway) => {
          await sums(gateway, after.secret, 4 * facts.requests);
          const exported = await gateway.command(`usage export --tenant ${tenant}`);
          expect(exported.trimEnd().split('\n')).toHaveLength(4 * facts.requests);
          await gateway.command('usage reconcile');
        });
      } finally {
        rmSync(data, { recursive: true, force: true });
        release.remove();
      }
    },
  );
});
