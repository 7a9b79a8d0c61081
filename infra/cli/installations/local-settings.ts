/** Settings of providers on this machine: environment variables, and the file that adds to them. */
import { isWellFormedApiKey } from '../../../lib/core/api-key.ts';
import { variableOf } from '../../../lib/core/provider-variable.ts';
import { readVariables } from '../../../lib/runtime/provider-access.ts';
import { UsageError } from '../command.ts';
import type { KnownSetting, ProviderSettings } from '../providers/provider-settings.ts';
import { readVariablesOf, setVariable } from './environment-file.ts';

export interface LocalSettingsOptions {
  readonly variables: NodeJS.ProcessEnv;
  /** Absent: nothing can be kept. */
  readonly environmentFile?: string;
}

export function createLocalSettings({ variables, environmentFile }: LocalSettingsOptions): ProviderSettings {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = variables;
  return {
    async put({ account, setting, value }) {
      const name = variableOf(account, setting);
      if (environmentFile === undefined) {
        throw new UsageError(`A local gateway reads this setting from the variable ${name}.`);
      }
      await setVariable(environmentFile, name, value);
      return { place: `${name} in ${environmentFile}`, effect: 'when the local gateway is started again' };
    },
    async list(accounts) {
      const inFile = environmentFile === undefined ? {} : await readVariablesOf(environmentFile);
      // Where both set it, the environment counts.
      const sourceOf = (name: string) =>
        inFile[name] !== undefined && (variables[name] ?? inFile[name]) === inFile[name]
          ? `${name} in ${environmentFile}`
          : `variable ${name}`;
      const all = { ...inFile, ...variables };
      return accounts.flatMap(({ account, settings }) =>
        Object.entries(readVariables(all, account, settings)).flatMap(([setting, value]): KnownSetting[] => {
          const isOurs = setting === 'api-key' && isWellFormedApiKey(value);
          const isKnown = settings.includes(setting) || setting === 'base-url';
          return isKnown && !isOurs
            ? [{ account, setting, source: sourceOf(variableOf(account, setting)) }]
            : [];
        }),
      );
    },
    ...(id && secret && { awsCredentials: 'AWS credentials in the environment' }),
  };
}
