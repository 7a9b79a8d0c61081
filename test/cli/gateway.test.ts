/** The operator's command on this machine: what it says of itself, and to a wrong command line. */
import { describe, expect, test } from 'vitest';
import { useCommand } from './use-command.ts';

const { run, database } = useCommand();

describe('a wrong command line', () => {
  test.each([
    ['', 'No command'],
    ['keys', 'no command keys'],
    ['keys destroy', 'no command keys destroy'],
    ['keys create', '--tenant is missing'],
    ['keys create --tenant', 'tenant'],
    ['keys create --tenant acme --colour blue', '--colour'],
    ['keys create --tenant -', 'tenant name'],
    ['keys create --tenant acme --expires soon', 'not a date'],
    ['keys create --tenant acme --expires 2020-01-01', 'in the past'],
    ['keys create --tenant acme --budget lots', '--budget'],
    ['keys create --tenant acme --budget 0.0000000001', 'nine decimals'],
    ['keys create --tenant acme --credit 9007200', 'below 9 million'],
    ['keys create --tenant acme --requests 0', '--requests'],
    ['keys create --tenant acme --models gpt', 'gpt'],
    ['keys create --tenant acme --models openai/*,', 'owner/model'],
    ['keys create --tenant acme --operations chat', 'chat-completions'],
    ['keys rotate key_000000000000 --overlap soon', '--overlap'],
    ['keys rotate key_000000000000 --overlap 400d', '--overlap'],
    ['keys set-limits key_000000000000', '--budget'],
    ['keys set-models key_000000000000', '<models> is missing'],
    ['tenants create', '<tenant> is missing'],
    ['tenants create a/b', 'tenant name'],
    ['tenants add-credit acme 0', 'more than 0'],
    ['keys disable', '<id> is missing'],
    ['keys disable one two', 'two'],
    ['keys list --stack prod', 'region'],
    ['providers set-key nobody', 'no provider nobody'],
    ['providers set-key anthropic', 'no key on standard input'],
  ])('"%s" is explained, with exit code 2', async (line, explanation) => {
    const { code, output, told } = await run(line);
    expect(code).toBe(2);
    expect(output).toEqual([]);
    expect(told).toContain(explanation);
    expect(told).toContain('Usage:');
  });

  test('of an option that there is not only its name is told', async () => {
    const { told } = await run('keys create --tenant acme --colour blue');
    expect(told.split('\n')[0]).toBe('Error: There is no option --colour.');
  });

  test.each([
    ['keys destroy', 'keys disable', 'tenants create'],
    ['usage', 'usage replay', 'keys list'],
  ])('"%s" is told the commands of its first word alone', async (line, shown, other) => {
    const { told } = await run(line);
    expect(told).toContain(shown);
    expect(told).not.toContain(other);
  });

  test('the help of a first word is of its commands alone', async () => {
    const { code, output } = await run('usage --help');
    expect(code).toBe(0);
    expect(output.join('\n')).toContain('usage replay <log>');
    expect(output.join('\n')).not.toContain('keys list');
  });

  test('options may come before the command', async () => {
    expect((await run('--tenant acme keys create')).code).toBe(0);
  });

  test.each(['--help', 'keys create --help', '-h'])('%s explains, with exit code 0', async (line) => {
    const { code, output } = await run(line);
    expect(code).toBe(0);
    expect(output.join('\n')).toContain('keys create --tenant <name>');
  });
});

test('a gateway without data is told from one that is broken', async () => {
  await database().call('DynamoDB_20120810.DeleteTable', { TableName: 'access' });
  expect(await run('keys list')).toMatchObject({ code: 1, told: expect.stringContaining('npm start') });
});
