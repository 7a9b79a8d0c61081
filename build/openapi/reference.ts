/** What the reference has of each operation beside its route: summary, fields, and the schemas of its answers. */
import type { OperationReferences } from './operation-reference.ts';
import { audioReference } from './reference/audio.ts';
import { batchesReference } from './reference/batches.ts';
import { chatReference } from './reference/chat.ts';
import { embeddingsReference } from './reference/embeddings.ts';
import { filesReference } from './reference/files.ts';
import { imagesReference } from './reference/images.ts';
import { modelsReference } from './reference/models.ts';
import { responsesReference } from './reference/responses.ts';
import { usageReference } from './reference/usage.ts';

export const reference: Required<OperationReferences> = {
  ...chatReference,
  ...responsesReference,
  ...embeddingsReference,
  ...imagesReference,
  ...audioReference,
  ...filesReference,
  ...batchesReference,
  ...modelsReference,
  ...usageReference,
};
