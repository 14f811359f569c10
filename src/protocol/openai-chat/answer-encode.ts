import type { AnswerEvent } from '../../core/model/answer.ts';
import { encodeUtf8, stringifyExact } from '../json/index.ts';
import type { AnswerOptions } from '../translation.ts';
import { AnswerBuilder } from './assemble.ts';
import { ChunkWriter } from './chunk-writer.ts';

/** Writes an answer as JSON: what its stream would add up to. */
export function writeAnswer(events: readonly AnswerEvent[], options: AnswerOptions): Uint8Array {
  const writer = new ChunkWriter({ ...options, usageAsked: true });
  const builder = new AnswerBuilder();
  for (const chunk of writer.push([...events, { type: 'end' }])) builder.add(chunk);
  return encodeUtf8(stringifyExact(builder.build()));
}
