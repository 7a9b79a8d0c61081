/** The long form of `test/billing/proof`: GATEWAY_PROOF_REQUESTS requests, 10,000 by default; GATEWAY_PROOF_SEED says which. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const bin = join(import.meta.dirname, '..', 'node_modules', '.bin', 'vitest');
const { status } = spawnSync(bin, ['run', 'test/billing/proof'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { GATEWAY_PROOF_REQUESTS: '10000', ...process.env },
});
process.exitCode = status ?? 1;
