/** The Lambda that the stream of the usage table invokes. It answers no request. */
import { createAggregator } from '../lib/runtime/records/aggregator-runtime.ts';

export const handler = createAggregator();
