/**
 * `npm run sbom` writes the bill of materials: to `sbom.cdx.json`, to the file that is named, or to the standard output for `-`.
 * Needs the installed packages, and no network.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { bundledPackages } from '../build.ts';
import { showProgress } from '../progress.ts';
import { toCycloneDx } from './cyclonedx.ts';
import { readLockfile } from './lockfile.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const [file = 'sbom.cdx.json'] = positionals;
const endProgress = showProgress('Reading the packages of the functions...');
const document = toCycloneDx(await readLockfile(), await bundledPackages());
endProgress();
const text = `${JSON.stringify(document, null, 2)}\n`;
if (file === '-') process.stdout.write(text);
else {
  await writeFile(file, text);
  console.log(`Bill of materials: ${file}`);
}
