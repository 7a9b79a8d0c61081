/** The templates that a rehearsal walks: of all stacks, for each host, with all options. */
import { adminStackName, dataStackName } from '../../../infra/names.ts';
import type { Settings } from '../../../infra/settings/settings.ts';
import { everyHost, everything } from '../everything.ts';
import { makeStack } from '../synthesize.ts';
import type { StackTemplate } from './graph.ts';

interface GatewayTemplates {
  readonly data: StackTemplate;
  readonly gateway: StackTemplate;
  /** Absent without a dashboard. */
  readonly admin?: StackTemplate;
}

function templatesOf(settings: Partial<Settings>): GatewayTemplates {
  const { stacks } = makeStack(settings).app.synth();
  const template = (name: string): StackTemplate | undefined =>
    stacks.find(({ stackName }) => stackName === name)?.template;
  const [gateway, data] = [template('ModelGateway'), template(dataStackName('ModelGateway'))];
  const admin = template(adminStackName('ModelGateway'));
  if (!gateway || !data) throw new Error('A stack is missing.');
  return { data, gateway, ...(admin && { admin }) };
}

export const templatesOfEveryHost = () =>
  everyHost.map((host) => ({ compute: host.compute, ...templatesOf({ ...everything, ...host }) }));

/** The same, each under a name of its own. */
export const templatesByName = (): Readonly<Record<string, StackTemplate>> =>
  Object.fromEntries(
    templatesOfEveryHost().flatMap(({ compute, data, gateway, admin }) => [
      [`${compute}-data`, data],
      [`${compute}-gateway`, gateway],
      ...(admin ? ([[`${compute}-admin`, admin]] as const) : []),
    ]),
  );
