/** Changes of the usage table that the aggregator gets at a time, in AWS and locally. */
export const maxStreamBatch = 1_000;
