/**
 * The route table: every operation of the API, once.
 *
 * The CDK stack, the local gateway, the API reference and the tests loop over this table; paths appear nowhere else.
 */
import { batchRows } from './operations/batches.ts';
import { fileRows } from './operations/files.ts';
import { generationRows } from './operations/generation.ts';
import { oneCallRows } from './operations/one-call.ts';
import type { FunctionGroup, FunctionName, Operation, OperationName } from './operations/operation.ts';
import { ownRows } from './operations/own.ts';

export type {
  BatchesOperation,
  ErrorForm,
  FilesOperation,
  FunctionGroup,
  FunctionName,
  Operation,
  OperationName,
} from './operations/operation.ts';

export const operations: readonly Operation[] = [
  ...generationRows,
  ...oneCallRows,
  ...fileRows,
  ...batchRows,
  ...ownRows,
];

export function operationNamed(name: OperationName): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new RangeError(`No operation is named ${name}.`);
  return found;
}

/** Which function serves an operation. */
export const functionNameOf = ({ name, function: group }: Operation): FunctionName =>
  group ?? (name as FunctionName);

/** Of all operations. */
export const functionNames: readonly FunctionName[] = [...new Set(operations.map(functionNameOf))];

export const operationsOf = (group: FunctionGroup): readonly Operation[] =>
  operations.filter((operation) => operation.function === group);
