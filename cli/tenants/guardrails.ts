/** `guardrails`: what looks at the requests of a tenant and at what models answer; and `keys set-guardrails`, which of them apply to a key. */
import {
  type GuardrailRow,
  type GuardrailsTestAnswer,
  guardrailPath,
  guardrailsPutInput,
  guardrailsTestInput,
} from '../../lib/admin/guardrails/schema.ts';
import { isJsonObject, withoutUndefined } from '../../lib/core/formats/json-object.ts';
import { validate } from '../../lib/http/request/validate.ts';
import { asUsageError, byOption, callAdmin } from '../call-admin.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { jsonOption, type Row, writeListing, writeOne } from '../listing.ts';
import { parseJsonOf, readJsonFile } from '../read-file.ts';

const describeRule = ({ id, kind, on, action }: GuardrailRow['rules'][number]): string =>
  `${id}: ${action} ${kind} (${on.join(', ')})`;

/** JSON has the rules whole. */
const rowOf = (
  { object: _, etag: __, ...row }: GuardrailRow,
  { format }: Pick<CommandContext, 'format'>,
): Row => (format === 'json' ? row : { ...row, rules: row.rules.map(describeRule) });

const guardrailsList: Command = {
  name: 'guardrails list',
  summary: 'List the guardrails of a tenant',
  description:
    'Those with "always" apply to all its requests, others to the keys and requests that name them.',
  arguments: ['tenant'],
  options: jsonOption,
  examples: ['guardrails list acme', 'guardrails list acme --json'],
  async run({ arguments: [tenant = ''], ...context }) {
    const { data } = await callAdmin(context, 'admin-guardrails-list', { tenant });
    if (data.length === 0) context.terminal.writeError('No guardrails found.');
    const rows = data.map((row) => rowOf(row, context));
    writeListing(context, rows, [
      'id',
      'version',
      'always',
      'scan',
      'output',
      'answer',
      ['rules', onOneLine],
    ]);
  },
};

const onOneLine = (rules: unknown): string => (Array.isArray(rules) ? rules.join('; ') : '');

const guardrailsShow: Command = {
  name: 'guardrails show',
  summary: 'Show a guardrail of a tenant',
  description: 'With --json its rules are whole, and can be changed and set again.',
  arguments: ['tenant', 'guardrail'],
  options: jsonOption,
  examples: ['guardrails show acme house', 'guardrails show acme house --json'],
  async run({ arguments: [tenant = '', guardrail = ''], ...context }) {
    const row = await callAdmin(context, 'admin-guardrails-retrieve', { tenant, guardrail });
    writeOne(context, rowOf(row, context));
  },
};

const guardrailsSet: Command = {
  name: 'guardrails set',
  summary: 'Create a guardrail of a tenant, or replace it as a whole',
  description:
    'Reads JSON as the administration API takes it, or as `guardrails show --json` writes it. It holds within ten seconds.',
  arguments: ['tenant', 'guardrail'],
  options: {
    file: { value: '<path>', description: 'The file with the JSON (default: standard input)' },
    ...byOption,
    ...jsonOption,
  },
  examples: ['guardrails set acme house --file house.json', 'guardrails set acme house < house.json'],
  async run({ arguments: [tenant = '', guardrail = ''], options, ...context }) {
    const terms = await readTerms(context, options.file);
    try {
      const path = validate(guardrailPath, { tenant, guardrail });
      const input = { ...path, ...validate(guardrailsPutInput, terms) };
      const set = await callAdmin({ ...context, options }, 'admin-guardrails-put', input);
      if (context.format === 'json') return writeOne(context, rowOf(set, context));
      const { webhook_secrets: secrets = {}, ...row } = set;
      writeOne(context, rowOf(row, context));
      for (const [rule, secret] of Object.entries(secrets)) {
        context.terminal.write(
          `Copy the secret of the webhook of the rule ${rule} now: it is not shown again.`,
        );
        context.terminal.write(secret);
      }
    } catch (error) {
      asUsageError(error);
    }
  },
};

const readTerms = async ({ terminal }: Pick<CommandContext, 'terminal'>, file: string | undefined) =>
  termsOf(
    file === undefined ? parseJsonOf('Standard input', await terminal.readValue()) : await readJsonFile(file),
  );

/** Without what is shown of a guardrail and not set. */
function termsOf(given: unknown) {
  if (!isJsonObject(given)) throw new UsageError('A guardrail is a JSON object with "rules".');
  const { id: _, tenant: __, version: ___, etag: ____, webhook_secrets: _____, ...terms } = given;
  return terms;
}

const guardrailsTest: Command = {
  name: 'guardrails test',
  summary: 'Show what the rules of a guardrail find in a text',
  description:
    'Reads the text from standard input, and keeps it nowhere. Offsets are UTF-16 code units. Detectors elsewhere are asked only with --remote, at your cost, and by the gateway itself: with --url.',
  arguments: ['tenant', 'guardrail'],
  options: {
    draft: { value: '<path>', description: 'A file with the JSON to test, in place of what is stored' },
    on: { value: '<input|output>', description: 'As what the text is looked at (default: input)' },
    remote: { description: 'Ask detectors elsewhere, too' },
    ...byOption,
    ...jsonOption,
  },
  examples: [
    'guardrails test acme house < letter.txt',
    'guardrails test acme house --draft house.json --on output < answer.txt',
  ],
  async run({ arguments: [tenant = '', guardrail = ''], options, flags, ...context }) {
    const draft = options.draft === undefined ? undefined : termsOf(await readJsonFile(options.draft));
    const given = { text: await context.terminal.readValue(), on: options.on, remote: flags.has('remote') };
    try {
      const path = validate(guardrailPath, { tenant, guardrail });
      const input = { ...path, ...validate(guardrailsTestInput, withoutUndefined({ ...given, draft })) };
      const { rules } = await callAdmin({ ...context, options }, 'admin-guardrails-test', input);
      writeListing(
        context,
        rules.map(({ matches, ...row }) => ({
          ...row,
          matches: context.format === 'json' ? matches : matches.map(describeMatch),
        })),
        ['rule', 'kind', 'action', ['matches', onOneLine], 'failure', 'cost_usd'],
      );
    } catch (error) {
      asUsageError(error);
    }
  },
};

type Match = GuardrailsTestAnswer['rules'][number]['matches'][number];

const describeMatch = ({ label, start, end }: Match): string =>
  start === null ? label : `${label} ${start}–${end}`;

const guardrailsRemove: Command = {
  name: 'guardrails remove',
  summary: 'Remove a guardrail from its tenant',
  description: 'It holds within ten seconds. Keys that name it are refused from then on.',
  arguments: ['tenant', 'guardrail'],
  options: byOption,
  examples: ['guardrails remove acme house'],
  async run({ arguments: [tenant = '', guardrail = ''], terminal, ...context }) {
    const { id } = await callAdmin(context, 'admin-guardrails-delete', { tenant, guardrail });
    terminal.write(`Removed ${id} from tenant ${tenant}. It takes effect within ten seconds.`);
  },
};

export const guardrailCommands: readonly Command[] = [
  guardrailsList,
  guardrailsShow,
  guardrailsSet,
  guardrailsTest,
  guardrailsRemove,
];

/** `none` for none. Throws UsageError for an empty name. */
export function readGuardrails(text: string): string[] | null {
  if (text === 'none') return null;
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new UsageError('Guardrails are ids, separated by commas, or none.');
  return names;
}

export const keyGuardrails: Command = {
  name: 'keys set-guardrails',
  summary: 'Set which guardrails apply to a key, beside those for all keys of its tenant',
  description: 'A comma-separated list of ids, or none. It replaces the list before it.',
  arguments: ['id', 'guardrails'],
  examples: [
    'keys set-guardrails key_0123456789ab house,strict',
    'keys set-guardrails key_0123456789ab none',
  ],
  async run({ arguments: [key = '', text = ''], terminal, ...context }) {
    const guardrails = readGuardrails(text);
    const changed = await callAdmin(context, 'admin-keys-change', { key, guardrails }).catch(asUsageError);
    terminal.write(
      `Guardrails of the key ${key}: ${changed.guardrails?.join(', ') ?? 'none'}. It takes effect within ten seconds.`,
    );
  },
};
