/** The playground: a conversation with up to three models, side by side. Nothing of it is kept: neither the prompts nor the answers. */
import { useRef, useState } from 'preact/hooks';
import type { ModelsListAnswer } from '../../../lib/admin/models/schema.ts';
import type { TenantsListAnswer } from '../../../lib/admin/tenants/schema.ts';
import type { PageProps } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../components/controls.tsx';
import { NumberField, SelectField, TextAreaField } from '../../components/forms/fields.tsx';
import { FormBox, useForm } from '../../components/forms/form.tsx';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import { change, filters, query } from '../../state/location.ts';
import { CodeWindow } from './code-window.tsx';
import { AnswerColumn } from './column.tsx';
import { bodyOf, noSettings, type PlaygroundModel } from './conversation.ts';
import { modelsIn, mostModels } from './models-in.ts';
import { keyLife } from './session-key.ts';
import { SettingsFields } from './settings.tsx';
import { useConversation } from './use-conversation.ts';

export function Page({ session }: PageProps) {
  const isOperator = session.role === 'operator';
  const models = useRead<ModelsListAnswer>('/models', { limit: 1_000 });
  const tenants = useRead<TenantsListAnswer>(isOperator ? '/tenants' : null, { limit: 1_000 });
  const error = models.error ?? tenants.error;
  const again = () => {
    for (const read of [models, tenants]) if (read.error) read.reload();
  };
  if (!models.data || (isOperator && !tenants.data))
    return error ? <ErrorState error={error} retry={again} /> : <Skeleton lines={6} />;
  const usable = models.data.data.filter(({ capabilities, status, allowed }) => {
    return allowed && status !== 'retired' && capabilities.operations.includes('chat_completions');
  });
  return (
    <Playground
      session={session}
      models={usable.map(({ id, capabilities: { reasoning, input } }) => ({
        id,
        efforts: reasoning?.efforts ?? [],
        takesImages: input.includes('image'),
      }))}
      tenants={tenants.data?.data.map(({ id }) => id) ?? []}
    />
  );
}

interface PlaygroundProps extends PageProps {
  /** Those that can chat. */
  readonly models: readonly PlaygroundModel[];
  /** For an operator, who has none of its own. */
  readonly tenants: readonly string[];
}

function Playground({ session, models, tenants }: PlaygroundProps) {
  const ids = models.map(({ id }) => id);
  const chosen = modelsIn(query.value.get('models'), ids);
  const open = models.filter(({ id }) => chosen.includes(id));
  const [hasCode, setHasCode] = useState(false);
  const isOperator = session.role === 'operator';
  const tenant = filters.value.tenant ?? session.tenant ?? '';
  const { turns, send, stop, forget } = useConversation(session, open);
  const isDry = useRef(false);
  const form = useForm({ ...noSettings, prompt: '', image: '', tenant }, async (values) => {
    const isDryRun = isDry.current;
    isDry.current = false;
    const sent = send(values, isDryRun);
    if (isDryRun) return void (await sent);
    // The next one may be typed while the answer comes.
    for (const name of ['prompt', 'image'] as const) form.set(name, '');
    const isAnswered = await sent.catch((thrown) => {
      restore(values);
      throw thrown;
    });
    if (!isAnswered) restore(values);
  });
  const typed = useRef(form.values);
  typed.current = form.values;
  /** What failed is there to be sent again, unless the next one was begun. */
  const restore = ({ prompt, image }: typeof form.values) => {
    if (typed.current.prompt !== '') return;
    form.set('prompt', prompt);
    form.set('image', image);
  };
  const choose = (next: readonly string[]) => change({ models: next.join(',') }, { replace: true });
  const further = ids.find((id) => !chosen.includes(id));
  const [first] = open;
  return (
    <>
      <FormBox form={form} class="card form">
        <TextAreaField name="prompt" label={turns.length > 0 ? 'Next prompt' : 'Prompt'} required rows={4} />
        <SettingsFields form={form} models={open} />
        <div class="playground-settings">
          {isOperator && (
            <SelectField
              name="tenant"
              label="Tenant"
              required
              options={[
                { value: '', label: 'Choose who is charged' },
                ...tenants.map((value) => ({ value })),
              ]}
            />
          )}
          <NumberField name="max_tokens" label="Longest answer, in tokens" required />
          <div class="playground-buttons">
            {turns.length > 0 && !form.isBusy && <Button onClick={forget}>New conversation</Button>}
            {further && chosen.length < mostModels && (
              <Button icon="plus" onClick={() => choose([...chosen, further])}>
                Model
              </Button>
            )}
            {first && <Button onClick={() => setHasCode(true)}>Code</Button>}
            {!form.isBusy && (
              <Button
                disabled={chosen.length === 0 || form.values.prompt === ''}
                onClick={() => {
                  isDry.current = true;
                  form.submit();
                }}
              >
                Dry run
              </Button>
            )}
            {form.isBusy ? (
              <Button icon="stop" onClick={stop}>
                Stop
              </Button>
            ) : (
              <Button kind="main" type="submit" icon="play" disabled={chosen.length === 0}>
                Send
              </Button>
            )}
          </div>
        </div>
        <p class="hint">
          It is sent with a key of the tenant that works for {keyLife / 60} minutes, and is charged as any
          request. Prompts and answers are not kept. A dry run sends nothing, and shows what would be sent.
        </p>
      </FormBox>
      <div class="answers">
        {chosen.map((model) => (
          <AnswerColumn
            key={model}
            model={model}
            models={ids.filter((one) => one === model || !chosen.includes(one))}
            turns={turns}
            onModel={(next) => choose(chosen.map((one) => (one === model ? next : one)))}
            onRemove={chosen.length > 1 ? () => choose(chosen.filter((one) => one !== model)) : undefined}
          />
        ))}
      </div>
      {hasCode && first && (
        <CodeWindow
          body={() => bodyOf(first, form.values, turns, form.values)}
          baseUrl={session.gateway_url}
          onClose={() => setHasCode(false)}
        />
      )}
    </>
  );
}
