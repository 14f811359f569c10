import type { Protocol } from '../core/model/protocol.ts';
import { modelList as anthropic } from './anthropic-messages/model-list.ts';
import { modelList as gemini } from './gemini/model-list.ts';
import type { ModelListFormat } from './model-list.ts';
import { modelList as openai } from './openai-chat/model-list.ts';

/** How providers list their models, by the protocol that they speak. Absent: they have no list that is known here. */
export const MODEL_LISTS: ReadonlyMap<Protocol, ModelListFormat> = new Map<Protocol, ModelListFormat>([
  ['openai-chat', openai],
  ['openai-responses', openai],
  ['anthropic-messages', anthropic],
  ['gemini', gemini],
]);
