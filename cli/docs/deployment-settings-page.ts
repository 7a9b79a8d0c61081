/** The page `docs/reference/deployment-settings.md`: every setting of a deployment. */

import { computes } from '../../infra/settings/groups/computes.ts';
import { settingRows } from '../../infra/settings/rows.ts';
import { settingDefaults } from '../../infra/settings/settings.ts';
import type { SettingRow } from '../../infra/settings/values.ts';
import { code, generated, page, table } from './markdown.ts';

const introduction = `What \`npm run deploy\` takes with \`-c name=value\`, or from a file of JSON with \`-c config=config/prod.json\`. In a file, numbers, \`true\` and
\`false\` need no quotes, a list may be an array, and pairs and tags may be objects; an unknown name is refused. What is on the command line counts more
than what is in the file. [config](../../config) has two examples.`;

const remembered = `A deployment keeps what was given (output \`Settings\`). \`npm run deploy\` shows what differs from it, and stops where a setting was deployed and
is not given any more, with the words that keep it. \`--reset-settings\` lets it go back to its default.`;

const example = `npm run deploy -- -c config=config/prod.json
npm run deploy -- -c config=config/prod.json -c throttleRate=5000
npm run deploy -- -c config=config/prod.json --reset-settings`;

export function deploymentSettingsPage(): string {
  const defaults = settingDefaults();
  const row = ({ name, meaning, hosts }: SettingRow) => [
    `\`${name}\``,
    meaning,
    defaults.get(name) ? `\`${defaults.get(name)}\`` : '–',
    computes.every((compute) => hosts?.includes(compute) ?? true) ? 'all' : (hosts ?? []).join(', '),
  ];
  return page([
    generated,
    '# Settings of a deployment',
    introduction,
    code('sh', example),
    remembered,
    'The last column says with which `compute` a setting has an effect. Given with another, it is refused.',
    table(['Setting', 'Meaning', 'Default', 'Compute'], settingRows.map(row)),
  ]);
}
