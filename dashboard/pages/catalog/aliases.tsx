/** Aliases: names that stand for one or several models. */
import type { AliasAnswer, AliasesListAnswer } from '../../../lib/admin/catalog/schema.ts';
import { useList } from '../../api/use-read.ts';
import { Definitions } from '../../components/surfaces.tsx';
import type { Column } from '../../components/table/table.tsx';
import { AliasForm, aliasPath } from './alias-form.tsx';
import { Listing } from './listing.tsx';
import { Remove, StoredPanel } from './stored.tsx';

export function Aliases() {
  const list = useList<AliasAnswer, AliasesListAnswer>('/aliases');
  return (
    <Listing
      title="Aliases"
      noun="alias"
      list={list}
      rows={list.rows}
      columns={columns}
      textOf={(alias) => `${alias.id} ${targetsText(alias)}`}
      empty="An alias is a name of yours for a model, or for several by their weights."
      Form={AliasForm}
      panel={(alias, onClose) => <AliasPanel key={alias.id} shown={alias} onClose={onClose} />}
    />
  );
}

type Target = AliasAnswer['targets'][number];

/** Of its weight among those that may be chosen: with a condition, it is chosen before those without. */
const targetText = ({ model, weight, when }: Target): string => {
  const conditions = [
    when?.tools && 'tools',
    when?.images && 'images',
    when?.input_tokens_above !== undefined &&
      `more than ${when.input_tokens_above.toLocaleString('en')} input tokens`,
  ].filter(Boolean);
  return `${model}, weight ${weight}${conditions.length > 0 ? `, only with ${conditions.join(' and ')}` : ''}`;
};

const targetsText = ({ targets }: AliasAnswer) => targets.map(targetText).join('; ');

const columns: readonly Column<AliasAnswer>[] = [
  { name: 'id', title: 'Alias', value: ({ id }) => id },
  { name: 'targets', title: 'Stands for', value: targetsText, sort: false },
];

interface PanelProps {
  readonly shown: AliasAnswer;
  readonly onClose: () => void;
}

const AliasPanel = ({ shown: alias, onClose }: PanelProps) => (
  <StoredPanel
    title={alias.id}
    onClose={onClose}
    edit={(close) => <AliasForm shown={alias} onClose={close} />}
    remove={(close) => (
      <Remove id={alias.id} path={aliasPath(alias.id)} etag={alias.etag} onClose={close} onRemoved={onClose}>
        <p>Requests with this name are refused, or go to a model that has it as a name of its own.</p>
      </Remove>
    )}
  >
    <Definitions items={alias.targets.map((target, index) => [`Target ${index + 1}`, targetText(target)])} />
  </StoredPanel>
);
