/** Alibaba Cloud Model Studio (Qwen), its international site. */
import type { WriteEffort } from '../../protocols/openai-chat/dialect.ts';
import { switchedBy } from '../../protocols/openai-chat/dialect.ts';
import { hostDialect } from '../../protocols/openai-embeddings/dialect.ts';
import { compatibleEmbeddings } from '../compatible-embeddings.ts';
import { compatibleProvider } from '../openai-compatible.ts';
import type { Provider } from '../provider.ts';

const onOff: WriteEffort = switchedBy({ enable_thinking: true }, { enable_thinking: false });

export const alibaba: Provider = {
  ...compatibleProvider({
    name: 'alibaba',
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    dialect: {
      names: { max_completion_tokens: 'max_tokens' },
      efforts: { switch: onOff },
      takesCacheControl: true,
    },
    lacks: ['frequency_penalty', 'service_tier'],
  }),
  embeddings: compatibleEmbeddings({ ...hostDialect, batchSize: 10 }),
};
