/** Reads errors of Google's embedding APIs. */
import type { GatewayError } from '../../core/errors/errors.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import { withInternalNames } from '../failure.ts';
import { readFailure as readGenerationFailure } from '../google-generate-content/failure.ts';

const internalNames = {
  content: 'texts',
  outputDimensionality: 'dimensions',
  output_dimensionality: 'dimensions',
  taskType: 'input_type',
  task_type: 'input_type',
};

export function readFailure(failure: UpstreamFailure): GatewayError {
  return withInternalNames(readGenerationFailure(failure), internalNames);
}
