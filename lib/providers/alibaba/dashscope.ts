/**
 * Model Studio's own API, DashScope, beside the one that is compatible with OpenAI's: of the same account, at another path. Source:
 * alibabacloud.com/help/en/model-studio/qwen-tts-non-realtime-api.
 */
import { alibabaSpeech } from '../../protocols/alibaba-speech.ts';
import { bearer, hasKey, keyHeader, type Provider } from '../provider.ts';
import { speechBy } from '../speech-rules.ts';

export const alibabaDashscope: Provider = {
  name: 'alibaba-dashscope',
  account: 'alibaba',
  isConfigured: hasKey,
  authorize: keyHeader('authorization', bearer),
  baseUrl: () => 'https://dashscope-intl.aliyuncs.com/api/v1',
  besideBaseUrl: (set) => set.replace(/\/compatible-mode\/v1\/?$/, '/api/v1'),
  speech: speechBy(alibabaSpeech),
};
