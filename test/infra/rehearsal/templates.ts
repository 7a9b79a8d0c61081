/** The templates that a rehearsal walks: of both stacks, for each host, with all options. */
import { dataStackName } from '../../../infra/names.ts';
import type { Settings } from '../../../infra/settings/settings.ts';
import { everyHost, everything } from '../everything.ts';
import { makeStack } from '../synthesize.ts';
import type { StackTemplate } from './graph.ts';

export interface GatewayTemplates {
  readonly data: StackTemplate;
  readonly gateway: StackTemplate;
}

export function templatesOf(settings: Partial<Settings>): GatewayTemplates {
  const { app, remove } = makeStack(settings);
  const assembly = app.synth();
  const [gateway, data] = ['ModelGateway', dataStackName('ModelGateway')].map(
    (name): StackTemplate => assembly.getStackByName(name).template,
  );
  remove();
  if (!gateway || !data) throw new Error('A stack is missing.');
  return { data, gateway };
}

export const templatesOfEveryHost = () =>
  everyHost.map((host) => ({ compute: host.compute, ...templatesOf({ ...everything, ...host }) }));

/** The same, each under a name of its own. */
export const templatesByName = (): Readonly<Record<string, StackTemplate>> =>
  Object.fromEntries(
    templatesOfEveryHost().flatMap(({ compute, data, gateway }) => [
      [`${compute}-data`, data],
      [`${compute}-gateway`, gateway],
    ]),
  );
