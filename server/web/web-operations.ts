/** The operations that Web Functions serve with `compute=web`: those that wait for generated text, which is most of what is paid for. */
import type { Operation, OperationName } from '../../lib/core/operations.ts';

/** Images and stored responses use much memory, and one process would share it; the others do not wait. */
export const webOperations = [
  'chat-completions',
  'completions',
  'responses',
  'messages',
] as const satisfies readonly OperationName[];

export type WebOperationName = (typeof webOperations)[number];

export const isOnWeb = ({ name }: Pick<Operation, 'name'>): boolean =>
  webOperations.some((one) => one === name);

/** The name of the bundle of all of them. */
export const webBundle = 'web';
