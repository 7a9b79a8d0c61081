/**
 * The stacks of one gateway: that of its tables, that of what callers use, and that of its dashboard. With tables that all exist, there is
 * none of tables, and with dashboard=false none of the dashboard.
 */
import { type App, Fn, Tags } from 'aws-cdk-lib';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import { type TableName, tableNames } from '../lib/core/tables.ts';
import { AdminStack } from './admin-stack.ts';
import { adoptedAddress, type TableAddress, type TableAddresses } from './constructs/table/used-table.ts';
import { GatewayDataStack } from './data-stack.ts';
import { GatewayStack, type GatewayStackProps } from './gateway-stack.ts';
import { adminStackName, dataStackName } from './names.ts';
import { baseUrlOutput } from './outputs.ts';
import { stackTag } from './settings/groups/account.ts';
import type { Settings } from './settings/settings.ts';

/** Directories of what is deployed, and where it goes as far as that is known. */
type GatewayAssets = Pick<GatewayStackProps, 'bundles' | 'image' | 'env'>;

interface Gateway {
  /** Of the tables; absent if all of them are adopted. */
  readonly data: GatewayDataStack | undefined;
  readonly stack: GatewayStack;
  /** Of the dashboard; absent without one. */
  readonly admin: AdminStack | undefined;
}

export function makeGateway(app: App, { stackName, ...settings }: Settings, assets: GatewayAssets): Gateway {
  const tags = new Map([...settings.tags, [stackTag, stackName]]);
  // Those of a stack are not in its template. A resource that can have them has them there too, and tables only there.
  const stackTags = Object.fromEntries(tags);
  for (const [key, value] of tags) Tags.of(app).add(key, value);
  const hasBucket = settings.filesBucket !== '' || settings.fileDays === 0;
  const isWhole = hasBucket && tableNames.every((name) => settings.adopted.has(name));
  const data = isWhole
    ? undefined
    : new GatewayDataStack(app, dataStackName(stackName), { ...settings, stackTags, env: assets.env });
  const tables = addressesOf(settings.adopted, data);
  const bucket = settings.fileDays > 0 ? settings.filesBucket || data?.filesBucket : undefined;
  const stack = new GatewayStack(app, stackName, { ...settings, ...assets, tables, bucket, stackTags });
  if (data) stack.addStackDependency(data);
  const { dashboard } = settings;
  const admin =
    dashboard &&
    new AdminStack(app, adminStackName(stackName), {
      ...settings,
      ...assets,
      dashboard,
      gatewayName: stackName,
      // A stack is deployed again only where its template differs: so what decides about the address is in it.
      gatewayUrl: settings.domain
        ? `https://${settings.domain.name}/v1`
        : Fn.getStackOutput(stackName, baseUrlOutput),
      tables,
      stackTags,
    });
  admin?.addStackDependency(stack);
  if (settings.permissionsBoundary) bound(app, stack, settings.permissionsBoundary);
  return { data, stack, admin };
}

function addressesOf(adopted: Settings['adopted'], data: GatewayDataStack | undefined): TableAddresses {
  const addresses = tableNames.map((name): readonly [TableName, TableAddress] => {
    const table = adopted.get(name);
    const address = table ? adoptedAddress(table) : data?.address(name);
    if (!address) throw new Error(`The table "${name}" is neither made nor adopted.`);
    return [name, address];
  });
  return Object.fromEntries(addresses) as Record<TableName, TableAddress>;
}

/** Also the roles of the functions that the library adds. */
function bound(app: App, stack: GatewayStack, boundary: string): void {
  const policy = boundary.startsWith('arn:')
    ? ManagedPolicy.fromManagedPolicyArn(stack, 'Boundary', boundary)
    : ManagedPolicy.fromManagedPolicyName(stack, 'Boundary', boundary);
  PermissionsBoundary.of(app).apply(policy);
}
