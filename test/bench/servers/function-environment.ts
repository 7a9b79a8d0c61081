/** The environment variables of the functions: the tables and the mock upstream, under the usual names. */
import { tables } from '../../../lib/core/tables.ts';
import { protocols } from '../protocols/all.ts';

export function functionEnvironment(upstreamUrl: string, tablesUrl: string): Record<string, string> {
  const providers = protocols.flatMap(({ name, base }): [string, string][] => [
    [`${name.toUpperCase()}_API_KEY`, 'benchmark'],
    [`${name.toUpperCase()}_UPSTREAM_URL`, `${upstreamUrl}${base}`],
  ]);
  return {
    ...Object.fromEntries(providers),
    ...Object.fromEntries(
      Object.entries(tables).map(([name, { environmentVariable }]) => [environmentVariable, name]),
    ),
    DYNAMODB_ENDPOINT: tablesUrl,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'benchmark',
    AWS_SECRET_ACCESS_KEY: 'benchmark',
  };
}
