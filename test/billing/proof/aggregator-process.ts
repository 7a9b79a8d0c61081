/** The aggregator in a process of its own: it takes the events of the stream as messages. */
import { create } from '../../../functions/aggregate.ts';

const handler = create(process.env);
process.on('message', ({ number, event }: { number: number; event: Parameters<typeof handler>[0] }) => {
  handler(event).then(
    () => process.send?.({ number }),
    () => process.send?.({ number, hasFailed: true }),
  );
});
process.send?.({});
