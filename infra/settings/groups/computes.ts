/**
 * What runs the operations: `event` has one Lambda function for each operation; `web` has Web Functions for those that generate
 * text; `fargate` has a server of all operations.
 */
export const computes = ['event', 'web', 'fargate'] as const;
export type Compute = (typeof computes)[number];
