/** Provider settings on this machine: environment variables, and the `.env` file. */
import { GatewayError } from '../../core/errors/errors.ts';
import type { KnownSetting, ProviderSettings } from '../../core/ports/provider-settings.ts';
import { placeholderCredentials, readVariables, variableOf } from '../../core/provider-settings.ts';
import { faultOf } from '../../providers/provider-problems.ts';
import { readVariablesOf, removeVariable, setVariable } from './environment-file.ts';

export interface LocalSettingsOptions {
  readonly variables: NodeJS.ProcessEnv;
  /** Without it, nothing can be stored. */
  readonly environmentFile?: string;
}

const effect = 'when the local gateway is started again';

export function createLocalSettings({ variables, environmentFile }: LocalSettingsOptions): ProviderSettings {
  return {
    async put({ account, setting, value }) {
      const name = variableOf(account, setting);
      if (environmentFile === undefined) {
        throw new GatewayError('invalid_request', `Set the environment variable ${name} instead.`);
      }
      await setVariable(environmentFile, name, value);
      return { location: `${name} in ${environmentFile}`, effect };
    },
    async remove({ account, setting }) {
      const name = variableOf(account, setting);
      const stored =
        environmentFile === undefined ? undefined : (await readVariablesOf(environmentFile))[name];
      const set = isSandboxed(variables, account) ? undefined : variables[name];
      if (set !== undefined && set !== stored)
        throw new GatewayError(
          'invalid_request',
          `The environment of the gateway sets it: unset the variable ${name}.`,
          { param: 'setting' },
        );
      if (environmentFile === undefined || stored === undefined) return undefined;
      await removeVariable(environmentFile, name);
      return { location: `${name} in ${environmentFile}`, effect };
    },
    async list(accounts) {
      const inFile = environmentFile === undefined ? {} : await readVariablesOf(environmentFile);
      return accounts.flatMap(({ account, settings }) => {
        const set = isSandboxed(variables, account) ? {} : variables;
        // If both set it, the environment has precedence.
        const sourceOf = (name: string) =>
          inFile[name] !== undefined && (set[name] ?? inFile[name]) === inFile[name]
            ? `${name} in ${environmentFile}`
            : `variable ${name}`;
        const given = Object.entries(readVariables({ ...inFile, ...set }, account, settings));
        return given.flatMap(([setting, value]): KnownSetting[] => {
          if (!settings.includes(setting) && setting !== 'base-url') return [];
          const fault = faultOf(setting, value);
          const source = sourceOf(variableOf(account, setting));
          return [{ account, setting, source, ...(fault !== undefined && { fault }) }];
        });
      });
    },
    ...(hasAwsCredentials(variables) && { awsCredentials: 'AWS credentials in the environment' }),
  };
}

/** The variables of such an account are those of the sandbox: the local gateway has set them in its own process. */
const isSandboxed = (variables: NodeJS.ProcessEnv, account: string): boolean =>
  variables[variableOf(account, 'sandbox')] === 'true';

function hasAwsCredentials({ AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret }: NodeJS.ProcessEnv) {
  return Boolean(id && secret) && id !== placeholderCredentials;
}
