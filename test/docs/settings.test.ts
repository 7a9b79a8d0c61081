/** `docs/reference/settings.md` has every variable that the server and the functions read, and no other. */
import { expect, test } from 'vitest';
import { settingGroups } from '../../cli/docs/settings-page.ts';
import { readEnvironment } from '../../lib/runtime/environment.ts';
import { readTelemetrySettings } from '../../lib/telemetry/settings.ts';
import { createEndpoints } from '../../lib/transport/aws/aws-endpoints.ts';
import { readSettings } from '../../server/settings.ts';

const rows = settingGroups.flatMap((area) => area.rows);

/** The names of the variables that are asked for. */
function namesRead(read: (variables: Record<string, string | undefined>) => unknown): Set<string> {
  const names = new Set<string>();
  const variables: Record<string, string | undefined> = {
    AWS_REGION: 'eu-west-1',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  };
  read(
    new Proxy(variables, {
      get(target, name) {
        if (typeof name === 'string') names.add(name);
        return Reflect.get(target, name);
      },
    }),
  );
  return names;
}

/** Where credentials are is in the text above the table. */
const credentials = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

/** One row is for all services. */
const readEndpoint = (variables: Readonly<Record<string, string | undefined>>) =>
  createEndpoints('eu-west-1', variables)('ssm');

test('every variable has a row, and no row is of a variable that is not read', () => {
  const read = new Set([
    ...namesRead(readSettings),
    ...namesRead(readEnvironment),
    ...namesRead(readTelemetrySettings),
    ...namesRead(readEndpoint),
  ]);
  for (const name of credentials) read.delete(name);
  if (read.delete('AWS_ENDPOINT_URL_SSM')) read.add('AWS_ENDPOINT_URL_<SERVICE>');
  expect(rows.map(([name]) => name).sort()).toEqual([...read].sort());
});

test.each(rows.filter(([, meaning]) => /, up to [\d,]+/.test(meaning) && !/separated/.test(meaning)))(
  'the bound of %s is that of the code',
  (name, meaning) => {
    const most = Number(/, up to ([\d,]+)/.exec(meaning)?.[1]?.replaceAll(',', ''));
    expect(() => readSettings({ [name]: `${most}` })).not.toThrow();
    expect(() => readSettings({ [name]: `${most + 1}` })).toThrow(name);
  },
);
