/** The secrets of webhooks, once. When the dialog closes, they are in no part of the page. */
import { Code } from '../../components/code.tsx';
import { Button } from '../../components/controls.tsx';
import { Dialog } from '../../components/windows.tsx';

interface WebhookSecretProps {
  /** By what they are shown as. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly onClose: () => void;
}

export function WebhookSecret({ secrets, onClose }: WebhookSecretProps) {
  const footer = (
    <Button kind="main" onClick={onClose}>
      I have kept it
    </Button>
  );
  return (
    <Dialog title="The secret of the webhook" onClose={onClose} isShownOnce footer={footer}>
      <p>
        Copy it now: it is shown <strong>only here, and only once</strong>. What is posted is signed with it.
      </p>
      {Object.entries(secrets).map(([label, secret]) => (
        <div key={label} class="field">
          <span class="quiet">{label}</span>
          <Code text={secret} label={label} />
        </div>
      ))}
    </Dialog>
  );
}
