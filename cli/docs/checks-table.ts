/** The checks of `gateway check` as a table, for the documentation of operators. */
import type { Check } from '../check/check.ts';
import { accountChecks, stackChecks } from '../check/checks.ts';
import { table } from './markdown.ts';

const permissions = (needs: readonly string[]) => needs.map((need) => `\`${need}\``).join(', ') || 'none';

const row = (of: string, { title, about, needs }: Check) => [title, of, about, permissions(needs)];

/** In Markdown, in the order of the command's output. */
export const checksTable = (): string =>
  table(
    ['Check', 'Of', 'What is right', 'Permissions'],
    [
      ...accountChecks.map((check) => row('account', check)),
      ...stackChecks.map((check) => row('stack', check)),
    ],
  );
