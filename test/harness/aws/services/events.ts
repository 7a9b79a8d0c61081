/** Events. Source: docs.aws.amazon.com EventBridge, API_PutEvents. */
import type { FakeService } from '../service.ts';

/** `received` gets every entry. */
export const events = (received: unknown[] = []): FakeService => ({
  name: 'events',
  protocol: 'json',
  needs: (action, _input, { region, account }) => [
    { action: `events:${action}`, resource: `arn:aws:events:${region}:${account}:event-bus/default` },
  ],
  actions: {
    PutEvents({ Entries }) {
      const entries = (Entries ?? []) as readonly unknown[];
      received.push(...entries);
      return { FailedEntryCount: 0, Entries: entries.map((_, index) => ({ EventId: `event-${index}` })) };
    },
  },
});
