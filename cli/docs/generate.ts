/** The command `npm run docs`: writes the generated files of `docs/`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminPage } from './admin-page.ts';
import { alarmsPage } from './alarms-page.ts';
import { apiPage } from './api-page.ts';
import { deploymentSettingsPage } from './deployment-settings-page.ts';
import { errorsPage } from './errors-page.ts';
import { settingsPage } from './settings-page.ts';
import { telemetryPage } from './telemetry-page.ts';

export const docsDirectory = join(import.meta.dirname, '../../docs');

/** The text of each generated file, by its name in `docs/`. */
export function generateDocs(): Readonly<Record<string, string>> {
  return {
    'reference/admin-api.md': adminPage(),
    'operate/alarms.md': alarmsPage(),
    'reference/api.md': apiPage(),
    'reference/errors.md': errorsPage(),
    'reference/settings.md': settingsPage(),
    'reference/deployment-settings.md': deploymentSettingsPage(),
    'operate/telemetry.md': telemetryPage(),
  };
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(generateDocs())) {
    await writeFile(join(docsDirectory, name), text);
    console.log(`docs/${name}`);
  }
}
