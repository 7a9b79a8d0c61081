/** The Lambda that the stream of the usage table invokes. It answers no request. */
import type { Variables } from '../lib/runtime/environment.ts';
import { lightFoundation } from '../lib/runtime/light-runtime.ts';
import { aggregatorParts, createAggregator } from '../lib/runtime/records/aggregator-runtime.ts';

export const create = (variables: Variables) => createAggregator(aggregatorParts(lightFoundation(variables)));
