/** The settings of the next deployment beside those of the last one, for people, and what stops the deployment. */

import type { StackFacts } from '../../infra/aws/stacks.ts';
import { settingDefaults } from '../../infra/settings/defaults.ts';
import { parseSettings } from '../../infra/settings/deployed.ts';
import type { GivenSettings } from '../../infra/settings/given.ts';
import { toTable } from '../output/listing.ts';
import { changesOf, reverted, type SettingChange } from './changes.ts';

export interface Comparison {
  readonly lines: readonly string[];
  /** Settings that are deployed, and would go back only because they are not given. */
  readonly reverted: readonly SettingChange[];
}

/** Only a creation ends so; an update that is taken back has other statuses. */
export const isFailedCreation = ({ status }: StackFacts): boolean =>
  ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'].includes(status);

/** Whether there is a stack by name only: its creation failed, or its first change set was not carried out. */
const isUnmade = (stack: StackFacts) => isFailedCreation(stack) || stack.status === 'REVIEW_IN_PROGRESS';

export function compareSettings(deployed: StackFacts | undefined, next: GivenSettings): Comparison {
  const isThere = deployed !== undefined && !isUnmade(deployed);
  const written = deployed?.outputs.get('Settings');
  if (isThere && written === undefined)
    return {
      lines: [
        `The stack ${deployed.name} does not state its settings, as earlier versions did not: they are not compared.`,
      ],
      reverted: [],
    };
  const before = written === undefined ? new Map() : parseSettings(written);
  const defaults = settingDefaults();
  const changes = changesOf(before, next, defaults);
  if (!isThere)
    return { lines: ['There is no such stack yet: all is new.', ...show(changes, defaults)], reverted: [] };
  const lines = changes.length === 0 ? ['No setting changes.'] : show(changes, defaults);
  return { lines, reverted: reverted(changes, next) };
}

function show(changes: readonly SettingChange[], defaults: GivenSettings): readonly string[] {
  const shown = (name: string, value: string | undefined) => {
    if (value !== undefined) return value;
    return `${defaults.get(name) || 'none'} (default)`;
  };
  return toTable({
    columns: ['setting', 'deployed', 'next'].map((name) => ({ name })),
    rows: changes.map(({ name, deployed, next }) => ({
      setting: name,
      deployed: shown(name, deployed),
      next: shown(name, next),
    })),
  });
}

/** What happens to tables of a stack that others take the place of. */
export function replacedTables(data: StackFacts | undefined, next: GivenSettings): readonly string[] {
  return [...(data?.outputs ?? [])].flatMap(([output, arn]) => {
    const [, name] = /^(.*)TableArn$/.exec(output) ?? [];
    const adopted = name && next.get(`tables.${name.toLowerCase()}`);
    if (!adopted || adopted === arn) return [];
    const [, table] = arn.split('/');
    return [
      data?.isProtected
        ? `The table ${table} is not used any more. It stays in the account, with what is in it.`
        : `The table ${table} is not used any more, and is DELETED: its stack was deployed with retain=false.`,
    ];
  });
}
