/** The checks of `gateway check` as a table, for the documentation of operators. */
import { accountChecks, stackChecks } from '../check/checks.ts';
import { table } from './markdown.ts';

const permissions = (needs: readonly string[]) => needs.map((need) => `\`${need}\``).join(', ') || 'none';

/** In Markdown, in the order of the command's output. */
export const checksTable = (): string =>
  table(
    ['Check', 'Of', 'What is right', 'Permissions'],
    [...accountChecks, ...stackChecks].map(({ title, of, about, needs }) => [
      title,
      of,
      about,
      permissions(needs),
    ]),
  );
