import { AUTH_SCHEMES } from '../../core/model/protocol.ts';
import { choice, duration, flag, integer, list, named, secret, section, text } from './scalar.ts';
import { settingsShape } from './settings.ts';

const CREDENTIAL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const credential = section({
  name: text(
    { description: 'Name of the credential, as shown in records.' },
    { pattern: CREDENTIAL_NAME, rule: 'must be letters, digits, ".", "_" or "-", at most 64' },
  ),
  apiKey: secret({ description: 'The key.', examples: ['${NIM_KEY}'] }),
});

export const provider = section({
  preset: text({
    description: 'A vendor that is known: fills in protocol, base URL and quirks.',
    examples: ['openai'],
  }).optional(),
  protocol: choice(['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', 'bedrock-converse'], {
    description: 'Wire format.',
  }).optional(),
  baseUrl: text({
    description: 'Base URL, ending where the vendor documents it to end.',
    examples: ['https://api.openai.com/v1'],
  }).optional(),
  apiKey: secret({ description: 'The key, where there is one.', examples: ['${OPENAI_API_KEY}'] }).optional(),
  credentials: list(credential, { description: 'A pool of keys; each is a quota domain of its own.' }).optional(),
  auth: choice(['auto', ...AUTH_SCHEMES], {
    description:
      'How the key is sent. `auto`: as the protocol wants it: for Gemini `x-goog-api-key`, for Messages `x-api-key`, and a token (`sk-ant-oat…`) as `Authorization: Bearer` with the flag that it needs.',
    default: 'auto',
  }).optional(),
  credentialStrategy: choice(['order', 'round-robin'], {
    description: 'Order within the pool.',
    default: 'order',
  }).optional(),
  headers: named(secret({ description: 'Value.' }), {
    description: 'Headers for every request; one that turns out empty is not sent.',
  }).optional(),
  limits: section(
    {
      concurrency: integer(
        { description: 'Most requests at once; no limit when absent.' },
        { min: 1, max: 100_000 },
      ).optional(),
      queue: duration({ description: 'Longest wait for a free place.', default: '0s' }, { zero: true }).optional(),
    },
    { description: 'Limits towards this provider.' },
  ).optional(),
  pinned: choice(['listed', 'any', 'off'], {
    description: 'Which of its models clients may name as `provider/model`: those listed in a model, any, none.',
    default: 'listed',
  }).optional(),
  discover: flag({
    description: 'Ask it for the list of its models, for targets that `discover`, and so that clients may name them.',
    default: false,
  }).optional(),
  allowPrivateNetwork: flag({
    description:
      'Allow a host name that resolves to a private address. Private addresses, `localhost` and single words as host need no leave.',
    default: false,
  }).optional(),
  ...settingsShape,
});

export const providers = named(provider, { description: 'Where models come from.' });
