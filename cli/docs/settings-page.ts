/** The page `docs/reference/settings.md`: every environment variable of the server and of the functions in it. */
import { generated, page, table } from './markdown.ts';
import { awsSettings, requestSettings } from './settings/environment.ts';
import type { SettingGroup } from './settings/row.ts';
import { serverSettings } from './settings/server.ts';
import { signInSettings } from './settings/sign-in.ts';
import { telemetrySettings } from './settings/telemetry.ts';

export const settingGroups: readonly SettingGroup[] = [
  serverSettings,
  awsSettings,
  requestSettings,
  telemetrySettings,
  signInSettings,
];

const introduction = `The environment variables of the server (\`npm run serve\`, or the image). The local gateway (\`npm start\`) and the stacks set most of
them by themselves. [hosts.md](../operate/hosts.md) describes where the gateway can run.`;

export function settingsPage(): string {
  return page([
    generated,
    '# Settings of the server',
    introduction,
    ...settingGroups.flatMap(({ title, introduction: about, rows }) => [
      `## ${title}`,
      about,
      table(
        ['Variable', 'Meaning', 'Where it is absent'],
        rows.map(([name, ...said]) => [`\`${name}\``, ...said]),
      ),
    ]),
  ]);
}
