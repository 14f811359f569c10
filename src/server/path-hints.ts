type Hint = { readonly path: RegExp; readonly hint: string };

/** What is asked for at paths that are not served, and what to do instead. The first row that fits is told. */
const HINTS: readonly Hint[] = [
  {
    path: /^\/(?:health|healthz|ready|ready[sz]|live|status|ping|up)(?:\/.*)?$/,
    hint: 'GET /livez says that the process is alive, GET /readyz that it takes requests.',
  },
  {
    path: /^\/v1$/,
    hint: 'This is the base URL of OpenAI clients, which put paths such as /chat/completions behind it. GET / names all paths.',
  },
  {
    path: /^\/(?:chat\/completions|completions|responses|messages|models|embeddings)(?:\/.*)?$/,
    hint: 'The base URL of this client lacks the /v1 at its end.',
  },
  {
    path: /^\/v1\/(?:chat|chat\/completion|completion|response|message|model)$/,
    hint: 'Chat is at POST /v1/chat/completions, POST /v1/responses and POST /v1/messages, the list of models at GET /v1/models.',
  },
  {
    path: /^\/.+\/v1\/(?:chat\/completions|responses|messages|models)$|\/(chat\/completions|responses|messages)\/\1$/,
    hint: 'The base URL of this client holds too much: it is the address of the gateway with /v1 for OpenAI clients, without it for Claude Code and the SDKs of Anthropic.',
  },
  {
    path: /^\/api\/(?:chat|generate|tags|show|embed|embeddings|ps|version)$/,
    hint: 'The API of Ollama is not spoken: choose a connection of the kind OpenAI, with a base URL that ends in /v1.',
  },
  {
    path: /^\/openai(?:\/.*)?$/,
    hint: 'The paths of Azure are not served: choose a connection of the kind OpenAI, with a base URL that ends in /v1.',
  },
  { path: /^\/api(?:\/.*)?$/, hint: 'The management API is under /api/v1.' },
  {
    path: /^\/v1\/.*$/,
    hint: 'Of /v1 only chat/completions, responses, messages and models are served.',
  },
];

const OTHERWISE = 'GET / names the paths that there are.';

/** Longer paths are nobody's mistake, and are not looked at: some patterns would take their time. */
const MAX_PATH = 256;

/** A sentence for somebody who asked at a path that is not served. */
export function hintFor(path: string): string {
  const found = path.length > MAX_PATH ? undefined : HINTS.find((row) => row.path.test(path));
  return found?.hint ?? OTHERWISE;
}
