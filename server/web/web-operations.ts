/** The operations that Web Functions serve with `compute=web`: those that wait for generated text, which is most of what is paid for. */
import type { Operation, OperationName } from '../../lib/core/operations.ts';

/** Images and stored responses use much memory, and one process would share it; the others do not wait. */
export const webOperations: readonly OperationName[] = [
  'chat-completions',
  'completions',
  'responses',
  'messages',
];

export const isOnWeb = ({ name }: Operation): boolean => webOperations.includes(name);

/** The name of its bundle. */
export const webBundle = (name: string): string => `web-${name}`;
