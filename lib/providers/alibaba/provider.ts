/** Alibaba Cloud Model Studio (Qwen), its international site. */
import type { WriteEffort } from '../../protocols/openai-chat/dialect.ts';
import { switchedBy } from '../../protocols/openai-chat/dialect.ts';
import { compatibleProvider } from '../openai-compatible.ts';

const onOff: WriteEffort = switchedBy({ enable_thinking: true }, { enable_thinking: false });

export const alibaba = compatibleProvider({
  name: 'alibaba',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  dialect: {
    names: { max_completion_tokens: 'max_tokens' },
    efforts: { switch: onOff },
    takesCacheControl: true,
  },
  lacks: ['frequency_penalty', 'service_tier'],
});
