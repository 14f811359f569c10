import type { OptionalField } from '../../model/capability.ts';
import type { StatusSet } from '../matcher.ts';

/** Row 7, what can be left out. 404 is what routers say when none of their endpoints can. */
export const PART_STATUSES: StatusSet = [400, 404, 422];

/** Paths of body members as validators write them, without numbers of elements and without `body`. */
export const FIELD_PATHS: readonly (readonly [field: OptionalField, path: RegExp])[] = [
  ['context_management', /^context_management$/],
  ['thinking.display', /^thinking\.(?:\w+\.)?display$/],
  ['output_config.effort', /^output_config(?:\.effort)?$/],
  ['metadata', /^metadata$/],
  ['service_tier', /^service_tier$/],
  ['speed', /^speed$/],
  ['cache_control.scope', /(?:^|\.)cache_control\.(?:\w+\.)?scope$/],
  ['cache_control.ttl', /(?:^|\.)cache_control\.(?:\w+\.)?ttl$/],
  // Nobody takes a mark on a thought: that is a mistake of one request, and says nothing of the target.
  ['cache_control', /^(?:(?!.*thinking\.cache_control$)(?:system|tools|messages)\.(?:\w+\.)*)?cache_control$/],
  ['tools.defer_loading', /^tools\.(?:\w+\.)?defer_loading$/],
  ['tools.input_examples', /^tools\.(?:\w+\.)?input_examples$/],
  ['tools.eager_input_streaming', /^tools\.(?:\w+\.)?eager_input_streaming$/],
];

/** Names that say enough without a path, in the sentences of `REFUSED_PARAM_WORDS`. */
export const FIELD_NAMES: readonly (readonly [field: OptionalField, name: string])[] = [
  ['context_management', 'context_management'],
  ['output_config.effort', 'output_config'],
  ['service_tier', 'service_tier'],
  ['cache_control', 'cache_control'],
  ['tools.defer_loading', 'defer_loading'],
  ['tools.input_examples', 'input_examples'],
  ['tools.eager_input_streaming', 'eager_input_streaming'],
];

/** What stands around a path that is not allowed: `path: extra inputs are not permitted`, `extraneous key [path]`. */
export const FIELD_SENTENCES: readonly RegExp[] = [
  /(?:^|[\s:({,])(\w+(?:\.\w+)*): extra (?:inputs|fields) (?:are )?not permitted/g,
  /extraneous key \[([\w.]+)\] is not permitted/g,
];

/**
 * What stands around flags: behind or before them, or instead of them. The group holds the flags, if any. `isList`: it
 * holds nothing else. `fields`: who says so has no endpoint for what belongs to the flag either.
 */
export const BETA_SENTENCES: readonly {
  readonly pattern: RegExp;
  readonly isList: boolean;
  readonly fields: boolean;
}[] = [
  { pattern: /unexpected value\(s\)(.{0,1000}?) for the anthropic-beta header/, isList: true, fields: false },
  {
    pattern:
      /(?:unsupported|unexpected|unknown|invalid|unrecognized)(?: anthropic)?[ -]beta (?:headers?|flags?|features?|values?)(?:\(s\))?(.{0,400})/,
    isList: false,
    fields: false,
  },
  {
    pattern: /no endpoints (?:available|found) that support anthropics .{0,80}\((.{1,100}?)\)/,
    isList: true,
    fields: true,
  },
];

/** A version of the protocol that a provider does not know. */
export const VERSION_SENTENCES: readonly string[] = ['anthropic-version: * is not a valid version'];

/** The field that a flag is there for. */
export const FIELDS_OF_BETAS: readonly (readonly [beta: RegExp, field: OptionalField])[] = [
  [/^context-management-/, 'context_management'],
];
