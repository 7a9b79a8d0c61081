/** Where the gateway stores no files. */
import { GatewayError } from '../../core/errors/errors.ts';
import type { ByteStore } from '../../core/files.ts';

const refuse = () => {
  throw new GatewayError(
    'unsupported_operation',
    'This gateway stores no files: its operator has not chosen where.',
  );
};

export const noBytes: ByteStore = {
  put: async () => refuse(),
  get: refuse,
  delete: async () => {},
};
