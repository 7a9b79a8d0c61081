/** The templates as CloudFormation's own linter sees them, where `npm run lint:template` has installed it. */
import { expect, test } from 'vitest';
import { hasLint, lint } from './cfn-lint.ts';
import { templatesByName } from './rehearsal/templates.ts';

const title = hasLint() ? 'cfn-lint' : 'cfn-lint (skipped: npm run lint:template installs it)';

test.skipIf(!hasLint())(`${title} finds nothing in any template`, { timeout: 180_000 }, () => {
  expect(lint(templatesByName())).toBe('');
});

test.skipIf(!hasLint())(`${title} finds a property that does not exist`, { timeout: 60_000 }, () => {
  const topic = { Type: 'AWS::SNS::Topic', Properties: { Title: 'wrong' } };
  expect(lint({ wrong: { Resources: { Topic: topic } } })).toMatch(/^wrong\.json:.*E3002/);
});
