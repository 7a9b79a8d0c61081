/** `tenants set-cache`, `keys set-cache` and `tenants purge-cache`: whether and how long answers are given again. */
import type { CacheAnswer, CacheInput } from '../../lib/admin/cache-fields.ts';
import { callAdmin } from '../call-admin.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { readWhole } from './limit-options.ts';
import { type Noun, soon, subjects } from './subjects.ts';

const options = {
  default: { value: 'yes|no', description: 'Whether answers are cached where a request does not say' },
  ttl: { value: '<seconds>', description: 'How long they are kept where a request does not say' },
  'max-ttl': { value: '<seconds>', description: 'The longest that a request may ask for' },
  off: { description: 'Nothing is cached, whatever a request says' },
  none: { description: 'Removes the settings' },
} as const;

type Given = Pick<CommandContext, 'options' | 'flags'>;

function readSettings({ options: { default: isDefault, ttl, 'max-ttl': maxTtl }, flags }: Given): CacheInput {
  if (isDefault !== undefined && isDefault !== 'yes' && isDefault !== 'no')
    throw new UsageError(`--default must be yes or no, not ${isDefault}.`);
  const settings = {
    ...(isDefault !== undefined && { default: isDefault === 'yes' }),
    ...(ttl !== undefined && { ttl: readWhole(ttl) }),
    ...(maxTtl !== undefined && { max_ttl: readWhole(maxTtl) }),
    ...(flags.has('off') && { off: true }),
  };
  const isEmpty = Object.keys(settings).length === 0;
  if (isEmpty !== flags.has('none')) throw new UsageError('Give the settings, or --none alone.');
  return isEmpty ? null : settings;
}

/** For people, on one line. */
export function describeCache(settings: CacheAnswer): string {
  const { default: isDefault = null, ttl = null, max_ttl: maxTtl = null, off = false } = settings ?? {};
  const parts = [
    off && 'off',
    isDefault !== null && (isDefault ? 'on by default' : 'on only where a request asks'),
    ttl !== null && `for ${ttl} s`,
    maxTtl !== null && `at most ${maxTtl} s`,
  ];
  return parts.filter((part) => typeof part === 'string').join(', ') || 'no settings';
}

const typedAs = { 'cache.ttl': '--ttl', 'cache.max_ttl': '--max-ttl' };

const setCache = (noun: Noun): Command => {
  const { one, argument, example, change } = subjects[noun];
  return {
    name: `${noun} set-cache`,
    summary: `Set whether answers to a ${one} are cached, and how long`,
    description:
      'It replaces the settings before it as a whole. Of a tenant and its key, the stricter setting holds.',
    arguments: [argument],
    options,
    examples: [`${noun} set-cache ${example} --default yes --ttl 600`, `${noun} set-cache ${example} --off`],
    async run({ options: given, flags, terminal, ...context }) {
      const cache = readSettings({ options: given, flags });
      const changed = await change(context, { cache }, typedAs);
      const settings = describeCache(changed.cache);
      terminal.write(`Cached answers of the ${one} ${context.arguments[0]}: ${settings}. ${soon}`);
    },
  };
};

export const tenantCache = setCache('tenants');
export const keyCache = setCache('keys');

export const tenantsPurgeCache: Command = {
  name: 'tenants purge-cache',
  summary: 'Give none of the answers again that are cached for a tenant',
  description: 'Those of all its keys. Later answers are cached as before.',
  arguments: ['tenant'],
  examples: ['tenants purge-cache acme'],
  async run({ terminal, ...context }) {
    const [tenant = ''] = context.arguments;
    await callAdmin(context, 'admin-tenants-change', { tenant, purge_cache: true });
    terminal.write(`The cached answers of tenant ${tenant} are not given again, within ten seconds.`);
  },
};
