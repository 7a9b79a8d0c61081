/**
 * `npm run lint:template`: cfn-lint on the templates of the stacks for every host, with all options. The first time, it is installed into
 * `node_modules/.cache`, which needs uv or Python. Without them, or without a network, it is skipped with a line that says so.
 */
import { ignoredRules, installLint, lint, lintVersion } from './infra/cfn-lint.ts';
import { templatesByName } from './infra/rehearsal/templates.ts';

const missing = installLint();
if (missing) console.log(`SKIPPED: cfn-lint on the templates, because ${missing}.`);
else {
  const templates = templatesByName();
  const findings = lint(templates);
  if (findings) console.log(findings);
  for (const [rule, reason] of Object.entries(ignoredRules))
    console.log(`Not asked: ${rule}, because ${reason}.`);
  const count = Object.keys(templates).length;
  console.log(`cfn-lint ${lintVersion}, ${count} templates: ${findings ? 'findings' : 'no findings'}.`);
  if (findings) process.exitCode = 1;
}
