/** The guardrails of a tenant: their rules, and for operators an editor of their JSON. */
import { useState } from 'preact/hooks';
import type {
  GuardrailRow,
  GuardrailsListAnswer,
  GuardrailsPutAnswer,
} from '../../../lib/admin/guardrails/schema.ts';
import { ApiError } from '../../api/api-error.ts';
import { useRead } from '../../api/use-read.ts';
import { write } from '../../api/write.ts';
import { Button } from '../../components/controls.tsx';
import { TextAreaField, TextField } from '../../components/forms/fields.tsx';
import { ChangedMeanwhile, FormDialog, useChange } from '../../components/forms/form.tsx';
import { NoEntries } from '../../components/states.tsx';
import { Badge, Section } from '../../components/surfaces.tsx';
import { toast } from '../../components/toast.tsx';
import { Confirm } from '../../components/windows.tsx';
import { readObject } from '../json-text.ts';
import { writeTerms } from './guardrail-terms.ts';
import { TestText, untested } from './guardrail-test.tsx';
import { WebhookSecret } from './new-secrets.tsx';
import { tenantPath } from './tenant-dialogs.tsx';

interface GuardrailsProps {
  readonly tenant: string;
  readonly mayChange?: boolean;
}

export function Guardrails({ tenant, mayChange = false }: GuardrailsProps) {
  const path = `${tenantPath(tenant)}/guardrails`;
  const read = useRead<GuardrailsListAnswer>(path);
  const { data } = read;
  /** null: a new one. */
  const [edited, setEdited] = useState<GuardrailRow | null>();
  const [removed, setRemoved] = useState<GuardrailRow>();
  const [secrets, setSecrets] = useState<GuardrailsPutAnswer['webhook_secrets']>();
  /** As it is now, while it is edited. */
  const rowOf = (row: GuardrailRow | null) => data?.data.find(({ id }) => id === row?.id) ?? row;
  const add = mayChange && (
    <Button size="small" onClick={() => setEdited(null)}>
      Add a guardrail
    </Button>
  );
  return (
    <Section title="Guardrails" actions={add}>
      {data && data.data.length > 0 ? (
        <ul class="entries stack">
          {data.data.map((row) => (
            <li key={row.id}>
              <Facts shown={row} />
              {mayChange && (
                <span>
                  <Button size="small" onClick={() => setEdited(row)}>
                    Edit
                  </Button>
                  <Button size="small" kind="danger" onClick={() => setRemoved(row)}>
                    Remove
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <NoEntries read={read} none="None: nothing looks at its requests." />
      )}
      {edited !== undefined && (
        <Edit shown={rowOf(edited)} path={path} onSecrets={setSecrets} onClose={() => setEdited(undefined)} />
      )}
      {secrets && <WebhookSecret secrets={secrets} onClose={() => setSecrets(undefined)} />}
      {removed && <Remove shown={removed} path={path} onClose={() => setRemoved(undefined)} />}
    </Section>
  );
}

const Facts = ({ shown: { id, version, always, rules } }: { readonly shown: GuardrailRow }) => (
  <>
    <strong>{id}</strong> <Badge>{always ? 'all requests' : 'keys and requests that name it'}</Badge>
    <span class="hint">version {version}</span>
    {rules.map((rule) => (
      <span key={rule.id} class="hint">
        {rule.id}: {rule.action} {rule.kind} on {rule.on.join(' and ')}
      </span>
    ))}
  </>
);

interface TaskProps<Shown> {
  readonly shown: Shown;
  readonly path: string;
  readonly onClose: () => void;
}

interface EditProps extends TaskProps<GuardrailRow | null> {
  readonly onSecrets: (secrets: GuardrailsPutAnswer['webhook_secrets']) => void;
}

function Edit({ shown, path, onSecrets, onClose }: EditProps) {
  const now = { guardrail: shown?.id ?? '', rules: writeTerms(shown), ...untested };
  const change = useChange(now, shown?.etag ?? '', async ({ guardrail, rules }, { etag: ifMatch }) => {
    const body = readObject(rules, 'rules');
    const options = { body, ifMatch, isNew: !shown };
    const sent = write<GuardrailsPutAnswer>('PUT', `${path}/${encodeURIComponent(guardrail)}`, options);
    const { webhook_secrets: secrets } = await sent.catch(withField);
    toast('The guardrail is stored, and holds within ten seconds.');
    onSecrets(secrets);
    onClose();
  });
  return (
    <FormDialog
      title={shown ? `Guardrail ${shown.id}` : 'A guardrail'}
      form={change.form}
      submit="Save"
      onClose={onClose}
    >
      <ChangedMeanwhile change={change} titleOf={() => 'Terms'} />
      {!shown && <TextField name="guardrail" label="Id" mono required />}
      <TextAreaField name="rules" label="Terms" rows={20} required hint="As JSON, as in the admin API." />
      <TestText path={path} />
    </FormDialog>
  );
}

/** All that is wrong but the id is in the text of the terms; the message names the field. */
function withField(thrown: unknown): never {
  if (!(thrown instanceof ApiError && thrown.param) || thrown.param === 'guardrail') throw thrown;
  const { status, message, param } = thrown;
  throw new ApiError({
    status,
    message: message.includes(param) ? message : `${param}: ${message}`,
    param: 'rules',
  });
}

function Remove({ shown: { id, always, etag }, path, onClose }: TaskProps<GuardrailRow>) {
  const remove = async () => {
    await write('DELETE', `${path}/${encodeURIComponent(id)}`, { ifMatch: etag });
    toast('The guardrail is removed.');
    onClose();
  };
  return (
    <Confirm title={`Remove the guardrail ${id}?`} yes="Remove" isDanger act={remove} onClose={onClose}>
      <p>
        {always && 'Within ten seconds, requests of the tenant go on without its rules. '}
        Keys and requests that name it are refused from then on.
      </p>
    </Confirm>
  );
}
