/** The turns of the playground with its models, in memory only. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from '../../api/session.ts';
import { base } from '../../state/location.ts';
import { type Answered, ask } from './answer.ts';
import { bodyOf, type PlaygroundModel, type Settings, type Turn } from './conversation.ts';
import { forgetKey, sessionKey } from './session-key.ts';

interface Conversation {
  readonly turns: readonly Turn[];
  /** Resolves with whether the conversation went on: a model has answered. @throws ApiError for a setting, or if there is no key. */
  readonly send: (values: Sent, isDry: boolean) => Promise<boolean>;
  readonly stop: () => void;
  readonly forget: () => void;
}

type Sent = Settings & Pick<Turn, 'prompt' | 'image' | 'tenant'>;

export function useConversation(session: Session, models: readonly PlaygroundModel[]): Conversation {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const send = async (values: Sent, isDry: boolean) => {
    const before = turns.filter((turn) => !turn.isDry);
    const bodies = models.map((model) => ({ id: model.id, body: bodyOf(model, values, before, values) }));
    const key = await sessionKey(session, values.tenant);
    abort.current = new AbortController();
    const { signal } = abort.current;
    const { prompt, image, tenant } = values;
    const answers: Record<string, Answered> = {};
    const show = () => setTurns([...before, { prompt, image, tenant, isDry, answers: { ...answers } }]);
    show();
    const one = ({ id, body }: (typeof bodies)[number]) =>
      ask({ url: urlOf(session), key, body, dryRun: isDry, signal, onKeyRefused: forgetKey }, (answered) => {
        answers[id] = answered;
        show();
      });
    await Promise.all(bodies.map(one));
    return !isDry && Object.values(answers).some(({ state }) => state === 'done');
  };
  return { turns, send, stop: () => abort.current?.abort(), forget: () => setTurns([]) };
}

const urlOf = ({ playground_url: address }: Session) => (address.startsWith('/') ? base + address : address);
