/**
 * The route table: every operation of the API, once.
 *
 * The CDK stack, the local gateway, the API reference and the tests loop over this table; paths appear nowhere else.
 */
import { batchRows } from './operations/batches.ts';
import { fileRows } from './operations/files.ts';
import { generationRows } from './operations/generation.ts';
import { oneCallRows } from './operations/one-call.ts';
import { type FunctionName, type Operation, type OperationName, rowNamed } from './operations/operation.ts';
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

export const operationNamed = (name: OperationName): Operation => rowNamed(operations, name);

/** Which function serves an operation. */
export const functionNameOf = ({ name, function: group }: Operation): FunctionName =>
  group ?? (name as FunctionName);

/** Of all operations. */
export const functionNames: readonly FunctionName[] = [...new Set(operations.map(functionNameOf))];
