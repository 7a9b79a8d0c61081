/** The CLI as a whole: help, suggestions, and errors in a command line. */
import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../cli/run.ts';
import { useCommand } from './operator.ts';

const { run, at } = useCommand();

describe('an invalid command line', () => {
  test.each([
    ['', 'Missing command.'],
    ['keys', "Missing command after 'keys'."],
    ['keys destroy', 'Unknown command: keys destroy.'],
    ['keys lst', "Unknown command: keys lst. Did you mean 'keys list'?"],
    ['key create', "Unknown command: key create. Did you mean 'keys create'?"],
    ['keys create', 'Missing required option: --tenant <name>'],
    ['catalog set-price acme/one', 'Missing required options: --input <usd>, --output <usd>'],
    ['keys create --tenant', '--tenant needs a value (write --tenant=-x if it starts with a dash).'],
    ['keys create --tenant --name x', '--tenant needs a value (write --tenant=-x if it starts with a dash).'],
    ['keys list --json=yes', '--json does not take a value.'],
    ['keys create --tenant acme --colour blue', 'Unknown option: --colour.'],
    ['keys create --tennant acme', 'Unknown option: --tennant. Did you mean --tenant?'],
    ['usage show --fromat csv', 'Unknown option: --fromat. Did you mean --format?'],
    ['keys create --tenant - --create-tenant', '--tenant must have 1 to 63 letters'],
    ['keys create --tenant acme --expires soon', '--expires must be a date such as 2027-12-31, not soon.'],
    ['keys create --tenant acme --expires 2020-01-01', 'in the past'],
    ['keys create --tenant acme --budget lots', '--budget'],
    ['keys create --tenant acme --budget 0.0000000001', 'nine decimals'],
    ['keys create --tenant acme --credit 9007200', 'below 9 million'],
    ['keys create --tenant acme --requests 0', '--requests'],
    ['keys create --tenant acme --models gpt', 'gpt'],
    ['keys create --tenant acme --models openai/*,', 'owner/model'],
    ['keys create --tenant acme --operations chat', '--operations chat is not an operation'],
    ['keys rotate key_000000000000 --overlap soon', '--overlap'],
    ['keys rotate key_000000000000 --overlap 400d', '--overlap'],
    ['keys set-limits key_000000000000', '--budget'],
    ['keys set-models key_000000000000', 'Missing required argument: <models>'],
    ['tenants create', 'Missing required argument: <tenant>'],
    ['tenants create a/b', '<tenant> must have 1 to 63 letters'],
    ['tenants add-credit acme 0', 'more than 0'],
    ['keys disable', 'Missing required argument: <id>'],
    ['keys disable one two', 'Unexpected argument: two'],
    ['providers set-key missing', 'Unknown provider: missing.'],
    ['providers set-key anthropic', 'Standard input is empty. Pass the value on standard input.'],
  ])('"%s" is explained, with exit code 2', async (line, explanation) => {
    const { code, output, stderr } = await run(line);
    expect(code).toBe(2);
    expect(output).toEqual([]);
    expect(stderr.split('\n')[0]).toContain(explanation);
    expect(stderr).toContain('Usage: npm run gateway -- ');
  });

  test('shows the usage of the command on one line, and where its help is', async () => {
    expect((await run('keys create')).stderr.split('\n').slice(1)).toEqual([
      '',
      'Usage: npm run gateway -- keys create --tenant <name> [options]',
      'For options and examples: npm run gateway -- keys create --help',
    ]);
  });

  test.each([
    ['keys destroy', 'keys disable', 'tenants create'],
    ['usage', 'usage replay', 'keys list'],
  ])('"%s" lists the commands of its first word only', async (line, shown, other) => {
    const { stderr } = await run(line);
    expect(stderr).toContain(shown);
    expect(stderr).not.toContain(other);
  });
});

describe('help', () => {
  test.each([
    ['--help', 'Create an API key for a tenant'],
    ['-h', 'Create an API key for a tenant'],
    ['keys create --help', '--tenant <name>'],
    ['keys list nothing --help', 'Examples:'],
  ])('%s is written with exit code 0', async (line, shown) => {
    const { code, output, stderr } = await run(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(output.join('\n')).toContain(shown);
  });

  test('of a first word lists its commands only', async () => {
    const { code, output } = await run('usage --help');
    expect(code).toBe(0);
    expect(output.join('\n')).toContain('usage replay');
    expect(output.join('\n')).not.toContain('keys list');
  });

  test('states the exit codes', async () => {
    expect((await run('--help')).output.join(' ')).toContain('0 success, 1 failure, 2 usage error');
  });

  const namesOf = async () => {
    const { output } = await run('--help');
    const commands = output.slice(
      output.indexOf('Commands:') + 1,
      output.indexOf('Options of every command:'),
    );
    return commands.flatMap((line) => /^ {2}([a-z]+ [a-z-]+)/.exec(line)?.[1] ?? []);
  };

  test.each([undefined, 60, 100])('fits into a terminal of %s columns', async (columns) => {
    const names = await namesOf();
    expect(names.length).toBeGreaterThan(25);
    for (const name of ['', ...names]) {
      const { output } = await run(`${name} --help`, columns);
      const prose = output.filter((line) => !line.includes('npm run gateway'));
      expect(prose.filter((line) => line.length > (columns ?? 80))).toEqual([]);
    }
  });

  /** What a command line says of itself: it reaches no gateway. */
  async function parse(line: string): Promise<string> {
    const said: string[] = [];
    const unreachable = () => Promise.reject(new Error('No gateway is opened.'));
    await runCommandLine(line.split(' '), {
      terminal: { write: () => {}, writeError: (text) => said.push(text), readValue: async () => 'a value' },
      open: unreachable,
      openAws: unreachable,
      variables: {},
    });
    return said.join('\n');
  }

  test('of every command has examples that its parser accepts', async () => {
    for (const name of await namesOf()) {
      const { output } = await run(`${name} --help`);
      const examples = output.slice(output.indexOf('Examples:') + 1);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        const [line = ''] = example.replace('  npm run gateway -- ', '').replaceAll("'", '').split(' < ');
        expect(line.startsWith(`${name}`)).toBe(true);
        expect(await parse(line)).not.toMatch(
          /Unknown (option|command|operation)|Unexpected argument|Missing|Invalid model/,
        );
      }
    }
  });
});

test('options may come before the command', async () => {
  expect((await run('--tenant acme --create-tenant keys create')).code).toBe(0);
});

test('a missing table is reported as missing data', async () => {
  await at('access').call('DynamoDB_20120810.DeleteTable', { TableName: 'access' });
  expect(await run('keys list')).toMatchObject({ code: 1, stderr: expect.stringContaining('npm start') });
});
