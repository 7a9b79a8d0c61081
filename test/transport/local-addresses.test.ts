/** Which addresses count as this machine. */
import { expect, test } from 'vitest';
import { maxLocalAddresses, readLocalAddresses } from '../../lib/transport/local-addresses.ts';

const variable = 'GATEWAY_DASHBOARD_FROM';

test('without a setting, the loopback addresses alone', () => {
  const isLocal = readLocalAddresses(variable);
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
    expect(isLocal(address), address).toBe(true);
  for (const address of ['', 'localhost', '10.0.0.1', '172.17.0.1', '::2', '128.0.0.1', '127.0.0.1:80'])
    expect(isLocal(address), address).toBe(false);
});

test('addresses and ranges are added', () => {
  const isLocal = readLocalAddresses(variable, '172.16.0.0/12, 10.0.0.7,fd00::/8');
  for (const address of ['127.0.0.1', '172.31.255.255', '10.0.0.7', 'fd12::1'])
    expect(isLocal(address), address).toBe(true);
  for (const address of ['172.32.0.0', '10.0.0.8', 'fe80::1']) expect(isLocal(address), address).toBe(false);
});

test.each([
  '10.0.0',
  'example.com',
  '10.0.0.0/33',
  '10.0.0.0/8/8',
  '10.0.0.0/',
  '10.0.0.0/-1',
  Array.from({ length: maxLocalAddresses + 1 }, (_, index) => `10.0.0.${index}`).join(','),
])('%s is refused, with the name of the variable', (text) => {
  expect(() => readLocalAddresses(variable, text)).toThrow(
    `${variable} must be at most ${maxLocalAddresses}`,
  );
});
