/** A new key, once: with what sets up clients for it. When the dialog closes, the secret is in no part of the page. */
import { useState } from 'preact/hooks';
import type { CreatedKeyAnswer } from '../../../lib/admin/keys/schema.ts';
import { Button } from '../../components/button.tsx';
import { Code } from '../../components/code.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { modelFor, snippetsFor } from './snippets.ts';

interface NewSecretProps {
  /** Undefined: closed. */
  readonly made: CreatedKeyAnswer | undefined;
  readonly gatewayUrl: string;
  /** What becomes of the key that this one replaces. */
  readonly note?: string | undefined;
  readonly onClose: () => void;
}

export const NewSecret = ({ made, gatewayUrl, note, onClose }: NewSecretProps) => (
  <Dialog
    title="Your new key"
    isOpen={made !== undefined}
    onClose={onClose}
    wide
    mustBeClosed
    footer={
      <Button kind="main" onClick={onClose}>
        I have kept it
      </Button>
    }
  >
    {made && <Shown made={made} gatewayUrl={gatewayUrl} note={note} />}
  </Dialog>
);

function Shown({
  made,
  gatewayUrl,
  note,
}: Omit<NewSecretProps, 'made' | 'onClose'> & { readonly made: CreatedKeyAnswer }) {
  const snippets = snippetsFor({ key: made.key, baseUrl: gatewayUrl, model: modelFor(made.models) });
  const [open, setOpen] = useState(snippets[0]?.name ?? '');
  return (
    <>
      <div class="form">
        <p>
          Copy it now: it is shown <strong>only here, and only once</strong>. The gateway keeps a hash of it.{' '}
          {note}
        </p>
        <Code text={made.key} label="The key" />
      </div>
      <div class="form">
        <Tabs
          label="Client"
          tabs={snippets.map(({ name, title }) => ({ name, title }))}
          value={open}
          onChange={setOpen}
        />
        {snippets
          .find(({ name }) => name === open)
          ?.parts.map(({ label, text }) => (
            <div key={label} class="field">
              <span class="quiet">{label}</span>
              <Code text={text} label={label} />
            </div>
          ))}
      </div>
    </>
  );
}
