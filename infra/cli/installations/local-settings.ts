/** Provider settings on this machine: environment variables, and the `.env` file. */
import { variableOf } from '../../../lib/core/provider-variable.ts';
import { readVariables } from '../../../lib/runtime/provider-access.ts';
import { faultOf } from '../../provider-problems.ts';
import { UsageError } from '../command.ts';
import type { KnownSetting, ProviderSettings } from '../providers/provider-settings.ts';
import { readVariablesOf, setVariable } from './environment-file.ts';

export interface LocalSettingsOptions {
  readonly variables: NodeJS.ProcessEnv;
  /** Without it, nothing can be stored. */
  readonly environmentFile?: string;
}

export function createLocalSettings({ variables, environmentFile }: LocalSettingsOptions): ProviderSettings {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = variables;
  return {
    async put({ account, setting, value }) {
      const name = variableOf(account, setting);
      if (environmentFile === undefined) {
        throw new UsageError(`Set the environment variable ${name} instead.`);
      }
      await setVariable(environmentFile, name, value);
      return { location: `${name} in ${environmentFile}`, effect: 'when the local gateway is started again' };
    },
    async list(accounts) {
      const inFile = environmentFile === undefined ? {} : await readVariablesOf(environmentFile);
      // If both set it, the environment has precedence.
      const sourceOf = (name: string) =>
        inFile[name] !== undefined && (variables[name] ?? inFile[name]) === inFile[name]
          ? `${name} in ${environmentFile}`
          : `variable ${name}`;
      const all = { ...inFile, ...variables };
      return accounts.flatMap(({ account, settings }) =>
        Object.entries(readVariables(all, account, settings)).flatMap(([setting, value]): KnownSetting[] => {
          if (!settings.includes(setting) && setting !== 'base-url') return [];
          const fault = faultOf(setting, value);
          const source = sourceOf(variableOf(account, setting));
          return [{ account, setting, source, ...(fault !== undefined && { fault }) }];
        }),
      );
    },
    ...(id && secret && { awsCredentials: 'AWS credentials in the environment' }),
  };
}
