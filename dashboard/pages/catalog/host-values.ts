/** A host's row as the values of its form, and the row that the form makes of it. */
import { checked, type Fields, type Values, valuesOf } from '../form-values.ts';
import {
  isChanged,
  type Opened,
  otherMembers,
  type Row,
  textField,
  withChanges,
  withRest,
  writeRest,
} from './row-values.ts';

/** What a host may serve beside chat. `is`: what its row has for that. */
export const served = [
  { member: 'servesMessages', title: "Anthropic's Messages", is: true },
  { member: 'embeddings', title: 'Embeddings', is: {} },
  { member: 'rerank', title: 'Reranking', is: {} },
  { member: 'speaks', title: 'Speech', is: true },
  { member: 'transcribes', title: 'Transcriptions', is: true },
] as const;

const fields: Fields = {
  'row.name': textField('Name'),
  'row.baseUrl': textField('Base URL'),
  'row.needsKey': {
    title: 'Signed with',
    read: (given) => (given === false ? 'no' : 'yes'),
    write: (held) => (held === 'no' ? false : undefined),
  },
  ...Object.fromEntries(
    served.map(({ member, title, is }) => [
      `row.${member}`,
      {
        title,
        read: (given: unknown) => (given ? checked : ''),
        write: (held: unknown) => (held === checked ? is : undefined),
      },
    ]),
  ),
};

const own = Object.keys(fields).map((name) => name.slice('row.'.length));

export const hostValues = (row: Row): Values => ({
  ...valuesOf(fields, { row }),
  row: writeRest(row, own),
});

export function hostRow(values: Values, { row, values: opened }: Opened): Row {
  const changed = withChanges(fields, row, values, opened);
  return isChanged('row', values, opened) ? withRest(changed, own, String(values.row)) : changed;
}

export const titleOf = (name: string): string => fields[name]?.title ?? otherMembers;
