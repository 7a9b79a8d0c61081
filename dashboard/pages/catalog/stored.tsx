/** What the parts of the catalog share: the panel of one entry, its form, and how it is stored and removed. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { refresh } from '../../api/cache.ts';
import { call } from '../../api/call.ts';
import { Code } from '../../components/code.tsx';
import { Button } from '../../components/controls.tsx';
import { ChangedMeanwhile, FormDialog, useChange, type Values } from '../../components/forms/form.tsx';
import { Section } from '../../components/surfaces.tsx';
import { toast } from '../../components/toast.tsx';
import { Confirm, Panel } from '../../components/windows.tsx';

/** What changes with the catalog. */
const refreshAll = () => refresh('/hosts', '/models', '/aliases', '/providers');

export interface EditProps<Shown> {
  /** Undefined: a new one. */
  readonly shown?: Shown | undefined;
  readonly onClose: () => void;
}

interface Stored {
  readonly etag: string;
}

interface StoredFormProps<Shown> extends EditProps<Shown> {
  readonly title: string;
  /** The values of what is shown now. */
  readonly now: Values;
  readonly titleOf: (name: string) => string;
  /** What is sent. `opened`: the values that the form began with, and what they are of. Throws ApiError of a field. */
  readonly toCall: (
    values: Values,
    opened: { readonly values: Values; readonly shown: Shown | undefined },
  ) => { readonly path: string; readonly body: object };
  /** The name of the field that shows what is wrong with a parameter. */
  readonly fieldOf?: (param: string) => string;
  readonly children: ComponentChildren;
}

export function StoredForm<Shown extends Stored>(props: StoredFormProps<Shown>) {
  const { shown, now, title, titleOf, toCall, fieldOf = (param) => param, onClose, children } = props;
  // A form that was opened may go on with what others have made of the row.
  const known = useRef(new Map<string, Shown>());
  if (shown) known.current.set(shown.etag, shown);
  const change = useChange(now, shown?.etag ?? '', async (values, { values: opened, etag: ifMatch }) => {
    // A row that ships with the gateway would become the operator's.
    if (shown && JSON.stringify(values) === JSON.stringify(opened)) return onClose();
    const { path, body } = toCall(values, { values: opened, shown: known.current.get(ifMatch) });
    await call('PUT', path, { body, ifMatch, isNew: !shown }).catch((thrown) => atField(thrown, fieldOf));
    refreshAll();
    toast('Stored. It takes effect within a minute.');
    onClose();
  });
  return (
    <FormDialog title={title} form={change.form} submit="Save" onClose={onClose}>
      <ChangedMeanwhile change={change} titleOf={titleOf} />
      {children}
    </FormDialog>
  );
}

function atField(thrown: unknown, fieldOf: (param: string) => string): never {
  // What others have made of it is shown.
  if (thrown instanceof ApiError && thrown.status === 409) refreshAll();
  if (!(thrown instanceof ApiError && thrown.param)) throw thrown;
  const { status, message, param } = thrown;
  throw new ApiError({ status, message, param: fieldOf(param) });
}

interface StoredPanelProps {
  readonly title: string;
  readonly edit?: ((onClose: () => void) => ComponentChildren) | undefined;
  readonly remove?: ((onClose: () => void) => ComponentChildren) | undefined;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function StoredPanel({ title, edit, remove, onClose, children }: StoredPanelProps) {
  const [open, setOpen] = useState<'edit' | 'remove'>();
  const close = () => setOpen(undefined);
  const footer = (
    <>
      {remove && (
        <Button kind="danger" onClick={() => setOpen('remove')}>
          Remove
        </Button>
      )}
      {edit && <Button onClick={() => setOpen('edit')}>Edit</Button>}
    </>
  );
  return (
    <Panel title={title} onClose={onClose} footer={footer}>
      {children}
      {open === 'edit' && edit?.(close)}
      {open === 'remove' && remove?.(close)}
    </Panel>
  );
}

interface RemoveProps {
  readonly id: string;
  readonly path: string;
  readonly etag: string;
  /** Closes the question; and the panel, when it is removed. */
  readonly onClose: () => void;
  readonly onRemoved: () => void;
  readonly children: ComponentChildren;
}

export function Remove({ id, path, etag, onClose, onRemoved, children }: RemoveProps) {
  const remove = async () => {
    await call('DELETE', path, { ifMatch: etag }).finally(refreshAll);
    toast(`${id} is removed. It takes effect within a minute.`);
    onRemoved();
  };
  return (
    <Confirm title={`Remove ${id}?`} yes="Remove" isDanger act={remove} onClose={onClose}>
      {children}
    </Confirm>
  );
}

/** All of it, also what no field shows. */
export const WholeRow = ({ row }: { readonly row: object | null }) => (
  <Section title="Row">
    {row ? <Code text={JSON.stringify(row, null, 2)} label="The row" /> : <p>It is malformed.</p>}
  </Section>
);
