/**
 * What a role may do, and the environment variables of the code that has it: a permission is granted and its variable set together.
 * Functions and containers share this, so that an operation has the same permissions wherever it runs. What is beyond tables is in
 * the other files of this folder.
 */
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { credentialUseAttributes, credentialUsePrefix } from '../../../lib/core/credential.ts';
import {
  creditAttributes,
  keyItemPrefix,
  lastUsedAttribute,
  tenantItemPrefix,
} from '../../../lib/core/tables.ts';
import { acknowledgeWildcards } from '../acknowledge.ts';
import { hostVariables } from '../function/host-variables.ts';
import type { UsedTable } from '../table/used-table.ts';
import { changesOf, itemsOf, namesOfTenants, tableKeyActions, usingKey } from './statements.ts';

interface PermissionsProps {
  readonly role: Role;
  /** The ARN of the operator's key for tables and provider keys; none if empty. */
  readonly kmsKeyArn: string;
  /** Sets a variable of the code that has the role. */
  readonly setVariable: (name: string, value: string) => void;
}

/** `PutItem` is a whole item; `BatchGetItem` reads several at a time, `BatchWriteItem` writes several, and `Scan` reads the table as a whole. */
type TableAction =
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'Query'
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'Scan';

export class Permissions {
  readonly role: Role;
  /** Of the operator; none if empty. */
  readonly kmsKeyArn: string;
  readonly setVariable: (name: string, value: string) => void;

  constructor({ role, kmsKeyArn, setVariable }: PermissionsProps) {
    this.role = role;
    this.kmsKeyArn = kmsKeyArn;
    this.setVariable = setVariable;
    for (const [name, value] of Object.entries(hostVariables(role))) setVariable(name, value);
  }

  /** Allows reading items of a table. `items`: here and below, the beginnings of the keys of the only ones; absent: all. */
  reads(table: UsedTable, items?: readonly string[]): void {
    this.uses(table, table.readActions, items);
  }

  /** Allows another action on a table or its items. */
  acts(action: TableAction, table: UsedTable, items?: readonly string[]): void {
    this.uses(table, [`dynamodb:${action}`], items);
  }

  /**
   * Allows recording the last use of a key, and no other change: no function can extend the permissions of a key or enable
   * a disabled one.
   */
  notesKeyUse(table: UsedTable): void {
    this.updatesOnly(table, keyItemPrefix, [lastUsedAttribute]);
  }

  /** Allows recording when a credential of a tenant was used, or refused. */
  notesCredentialUse(table: UsedTable): void {
    this.updatesOnly(table, credentialUsePrefix, credentialUseAttributes);
  }

  /** Allows recording how much of the grants of tenants was used, and no other change of a tenant. */
  settlesCredit(table: UsedTable): void {
    this.updatesOnly(table, tenantItemPrefix, creditAttributes);
  }

  /** Allows reading the names of all tenants. */
  listsTenants({ table }: UsedTable): void {
    this.role.addToPolicy(namesOfTenants(table));
  }

  /** `wildcards`: why a resource is more than one. */
  adds(statement: PolicyStatement, wildcards?: string): void {
    this.role.addToPolicy(statement);
    if (wildcards !== undefined) acknowledgeWildcards(this.role, statement.resources, wildcards);
  }

  /** Allows actions on a resource. `wildcards`: why it is more than one. */
  allows(actions: readonly string[], resource: string, wildcards?: string): void {
    this.adds(new PolicyStatement({ actions: [...actions], resources: [resource] }), wildcards);
  }

  /** Lets web pages of these origins read the answers. */
  answersPages(origins: readonly string[]): void {
    if (origins.length > 0) this.setVariable('GATEWAY_CORS_ORIGINS', origins.join(','));
  }

  /** Sets how long the ledger keeps its records. */
  keepsLedger(days: number): void {
    this.setVariable('GATEWAY_LEDGER_DAYS', `${days}`);
  }

  /** Sets the one region that serves tenants with credit; empty if there are no others. */
  servesCreditIn(region: string): void {
    if (region !== '') this.setVariable('GATEWAY_CREDIT_REGION', region);
  }

  /** Sets the longest that content is cached at providers. */
  cachesContent(seconds: number): void {
    this.setVariable('GATEWAY_CACHE_SECONDS', `${seconds}`);
  }

  setVariables(variables: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(variables)) this.setVariable(name, value);
  }

  private updatesOnly({ table }: UsedTable, prefix: string, attributes: readonly string[]): void {
    this.role.addToPolicy(changesOf(table, prefix, attributes));
    this.usesKey('dynamodb', tableKeyActions);
  }

  /** Allows a service to use the operator's key for the role, if there is one. */
  usesKey(service: string, actions: readonly string[], contextLike?: Record<string, string>): void {
    if (this.kmsKeyArn) this.role.addToPolicy(usingKey(this.kmsKeyArn, service, actions, contextLike));
  }

  private uses(
    { table, tableName, environmentVariable }: UsedTable,
    actions: readonly string[],
    items?: readonly string[],
  ): void {
    if (items) this.role.addToPolicy(itemsOf(table, items, actions));
    else table.grant(this.role, ...actions);
    this.usesKey('dynamodb', tableKeyActions);
    this.setVariable(environmentVariable, tableName);
  }
}
