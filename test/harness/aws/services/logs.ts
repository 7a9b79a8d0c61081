/** Log groups. Source: docs.aws.amazon.com CloudWatch Logs, API_DescribeLogGroups (at most 50 for a page). */
import type { FakeService } from '../service.ts';

/** Days of retention by name; undefined: no limit. */
export const logs = (groups: Readonly<Record<string, number | undefined>> = {}): FakeService => ({
  name: 'logs',
  protocol: 'json',
  actions: {
    DescribeLogGroups({ logGroupNamePrefix = '', limit = 50, nextToken }) {
      const all = Object.keys(groups).filter((name) => name.startsWith(String(logGroupNamePrefix)));
      const start = Number(nextToken ?? 0);
      const next = start + Number(limit);
      return {
        logGroups: all.slice(start, next).map((logGroupName) => ({
          logGroupName,
          ...(groups[logGroupName] !== undefined && { retentionInDays: groups[logGroupName] }),
        })),
        ...(next < all.length && { nextToken: String(next) }),
      };
    },
  },
});
