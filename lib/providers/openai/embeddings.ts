/** The embeddings of OpenAI, and of its models on Azure. */
import { openaiDialect } from '../../protocols/openai-embeddings/dialect.ts';
import { compatibleEmbeddings } from '../compatible-embeddings.ts';

export const openaiEmbeddings = compatibleEmbeddings(openaiDialect);
