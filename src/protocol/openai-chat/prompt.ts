import type { JsonObject } from '../../core/model/json-value.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { decodeUtf8, parseExact } from '../json/index.ts';
import { isJsonObject, listOf, without } from '../shared/json-object.ts';
import type { ReadPrompt } from '../translation.ts';
import { extended } from './members.ts';
import { readMessages } from './message-read.ts';
import { readSettings } from './settings-read.ts';
import { readTools } from './tool-read.ts';

/** Members that are read elsewhere, or into the tools. */
const READ = ['model', 'stream', 'messages', 'tools', 'functions'];

/**
 * The tree of a request that `decodeRequest` took. A member that nobody here knows, or that has a form that nobody
 * knows, rides in `extensions` where it stood. A message or tool that can't be read is a problem of the client's.
 */
export function readPrompt(request: CanonicalRequest): ReadPrompt {
  const body = parseExact(decodeUtf8(request.original)) as JsonObject;
  const read = readMessages(listOf(body['messages']));
  if (!read.ok) return read;
  const { tools, problem } = readTools(body);
  if (problem !== null) return { ok: false, problem };
  const { settings, used, rest } = readSettings(body);
  const search = isJsonObject(body['web_search_options']) ? ['web_search_options'] : [];
  const left = without(body, [...READ, ...used, ...search, 'stream_options']);
  const extensions = extended({ ...left, ...readOptions(body), ...rest });
  return { ok: true, prompt: { messages: read.messages, tools, settings, ...extensions } };
}

/** Whether usage is asked for is the gateway's to say. */
function readOptions(body: JsonObject): JsonObject {
  const options = body['stream_options'];
  if (!isJsonObject(options)) return options == null ? {} : { stream_options: options };
  const left = without(options, ['include_usage']);
  return Object.keys(left).length === 0 ? {} : { stream_options: left };
}
