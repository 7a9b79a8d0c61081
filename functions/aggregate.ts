/** The Lambda that the stream of the usage table invokes. It answers no request. */
import type { Variables } from '../lib/runtime/environment.ts';
import { foundationOf } from '../lib/runtime/foundation.ts';
import { aggregatorParts, createAggregator } from '../lib/runtime/records/aggregator-runtime.ts';

export const create = (variables: Variables) => createAggregator(aggregatorParts(foundationOf(variables)));
