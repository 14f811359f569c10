import { describe, expect, it } from 'vitest';
import { complaintOf, problemsOf } from '../../test/kit/config-text.ts';

const ONE = `
providers:
  a: { protocol: openai-chat, baseUrl: "http://127.0.0.1:9001/v1", apiKey: key-a }
  b: { protocol: openai-chat, baseUrl: "http://127.0.0.1:9002/v1", apiKey: key-b }
`;
const MODELS = `${ONE}models:
  main: { targets: [a/m-a, b/m-b] }
`;

/** A configuration whose model `main` has these lines, and the complaint about it. */
const inModel = (lines: string): string => complaintOf(`${ONE}models:\n  main:\n${lines.replace(/^/gm, '    ')}\n`);

describe('what is wrong is told with path, line, column and hint', () => {
  const table: readonly (readonly [what: string, complaint: () => string, wanted: string])[] = [
    [
      'unknown provider in a target',
      () => inModel('targets: [a/x, zzz/x]'),
      'understudy.yaml:7:20  models.main.targets[1]  unknown provider "zzz"\n    → providers: a, b',
    ],
    [
      'unknown provider that is close to a known one',
      () =>
        complaintOf('providers: { openai: { preset: openai, apiKey: k } }\nmodels: { main: { targets: [opnai/x] } }'),
      'understudy.yaml:2:29  models.main.targets[0]  unknown provider "opnai"\n    → did you mean "openai"?',
    ],
    [
      'duplicate target, in both ways of writing it',
      () => inModel('targets:\n  - a/x\n  - { provider: a, model: x }'),
      'understudy.yaml:9:9  models.main.targets[1]  the target "a/x" stands twice\n    → it is targets[0] already: remove one, or use "weight"',
    ],
    [
      'weight that is no integer',
      () => inModel('targets: [{ provider: a, model: x, weight: 1.5 }]'),
      'understudy.yaml:7:48  models.main.targets[0].weight  must be an integer from 1 to 10000 (not 1.5)',
    ],
    [
      'weight out of range',
      () => inModel('targets: [{ provider: a, model: x, weight: 10001 }]'),
      'understudy.yaml:7:48  models.main.targets[0].weight  must be an integer from 1 to 10000 (not 10001)',
    ],
    [
      'sticky out of range',
      () => inModel('sticky: 101\ntargets: [a/x]'),
      'understudy.yaml:7:13  models.main.sticky  must be an integer from 1 to 100 (not 101)',
    ],
    [
      'empty targets',
      () => inModel('targets: []'),
      'understudy.yaml:7:14  models.main.targets  is empty\n    → list at least one provider/model',
    ],
    [
      'no targets at all',
      () => inModel('strategy: failover'),
      'understudy.yaml:6:3  models.main.targets  is empty\n    → list at least one provider/model',
    ],
    [
      'alias and alias',
      () => complaintOf(`${ONE}models:\n  m: { aliases: [x], targets: [a/x] }\n  n: { aliases: [x], targets: [a/x] }`),
      'understudy.yaml:7:18  models.n.aliases[0]  the alias "x" stands twice\n    → models.m has it already: remove one of the two',
    ],
    [
      'alias and model',
      () => complaintOf(`${ONE}models:\n  m: { aliases: [n], targets: [a/x] }\n  n: { targets: [a/x] }`),
      'understudy.yaml:6:18  models.m.aliases[0]  the alias "n" is the name of a model\n    → choose another alias, or rename the model',
    ],
    [
      'alias and provider',
      () => complaintOf(`${ONE}models:\n  m: { aliases: [b], targets: [a/x] }`),
      'understudy.yaml:6:18  models.m.aliases[0]  the alias "b" is the name of a provider\n    → choose an alias that does not begin with the name of a provider',
    ],
    [
      'alias and pinned target',
      () => complaintOf(`${ONE}models:\n  m: { aliases: [b/*], targets: [a/x] }`),
      'understudy.yaml:6:18  models.m.aliases[0]  the alias "b/*" hides targets of the provider "b"\n    → choose an alias that does not begin with the name of a provider',
    ],
    [
      'model name',
      () => complaintOf(`${ONE}models:\n  "-x y": { targets: [a/x] }`),
      'understudy.yaml:6:11  models["-x y"]  the model name "-x y" is not allowed\n    → begin with a letter or digit; then letters, digits and . _ : / -, at most 128',
    ],
    [
      'total shorter than firstOutput',
      () => inModel('targets: [a/x]\ntimeouts: { total: 30s }'),
      'understudy.yaml:8:24  models.main.timeouts.total  is shorter than "firstOutput" (120s)\n    → lengthen it, or shorten timeouts.firstOutput',
    ],
    [
      'firstOutput of a target longer than total',
      () => inModel('targets: [{ provider: a, model: x, timeouts: { firstOutput: 2h } }]'),
      'understudy.yaml:7:65  models.main.targets[0].timeouts.firstOutput  is longer than "total" (3600s)\n    → shorten it, or give timeouts.total at least as much',
    ],
    [
      'two credentials with one name',
      () =>
        complaintOf(
          'providers:\n  a:\n    preset: openai\n    credentials:\n      - { name: x, apiKey: k1 }\n      - { name: x, apiKey: k2 }\nmodels: { m: { targets: [a/x] } }',
        ),
      'understudy.yaml:6:17  providers.a.credentials[1].name  two credentials are named "x"\n    → give each a name of its own',
    ],
    [
      'a credential that resolves to an empty string',
      () => complaintOf('providers:\n  a: { preset: openai, apiKey: "${KEY:-}" }\nmodels: { m: { targets: [a/x] } }'),
      'understudy.yaml:2:32  providers.a.apiKey  KEY is an empty key\n    → set KEY, or remove the entry',
    ],
    [
      'a key that is what samples have in its place',
      () => complaintOf('providers:\n  a: { preset: openai, apiKey: "${KEY:-…}" }\nmodels: { m: { targets: [a/x] } }'),
      'understudy.yaml:2:32  providers.a.apiKey  KEY holds "…", which no key has\n    → "…" stands for your key: put that in its place',
    ],
    [
      'dots in the place of a key',
      () => complaintOf('providers:\n  a: { preset: openai, apiKey: "..." }\nmodels: { m: { targets: [a/x] } }'),
      'understudy.yaml:2:32  providers.a.apiKey  holds "…", which no key has\n    → "…" stands for your key: put that in its place',
    ],
    [
      'a key of two words',
      () =>
        complaintOf('providers:\n  a: { preset: openai, apiKey: "${KEY:-a b}" }\nmodels: { m: { targets: [a/x] } }'),
      'understudy.yaml:2:32  providers.a.apiKey  KEY holds a space, a line break or another character that no key has\n    → check KEY',
    ],
    [
      'a host with its port',
      () => complaintOf(`server: { host: "0.0.0.0:4199" }\nauth: { required: false }${MODELS}`),
      'understudy.yaml:1:17  server.host  "0.0.0.0:4199" holds a port\n    → the port has a place of its own: server.port, or --host 0.0.0.0 --port 4199',
    ],
    [
      'a file of LiteLLM',
      () => complaintOf(`model_list: []${MODELS}`),
      'understudy.yaml:1:1  model_list  unknown key "model_list"\n    → this is how LiteLLM writes it: docs/migrate.md has the same for this file',
    ],
    [
      'a target that names a virtual model',
      () => complaintOf(`${ONE}models:\n  m: { targets: [a/x, n] }\n  n: { targets: [a/x] }`),
      'understudy.yaml:6:23  models.m.targets[1]  "n" is a virtual model, and models can not be nested\n    → list its targets here, or use tiers',
    ],
    [
      'a target that names an alias',
      () => complaintOf(`${ONE}models:\n  m: { targets: [a/x, gpt-x] }\n  n: { aliases: [gpt-*], targets: [a/x] }`),
      'understudy.yaml:6:23  models.m.targets[1]  "gpt-x" is a virtual model, and models can not be nested\n    → list its targets here, or use tiers',
    ],
    [
      'more workers than the store serves',
      () => complaintOf(`server: { workers: 2 }\nstore: { kind: memory }${MODELS}`),
      'understudy.yaml:1:20  server.workers  more than one process is not available in this version\n    → remove the key, or set it to 1',
    ],
    [
      'a missing variable',
      () =>
        complaintOf('providers:\n  a:\n    preset: openai\n    apiKey: "${NOPE}"\nmodels: { m: { targets: [a/x] } }'),
      'understudy.yaml:4:13  providers.a.apiKey  the variable NOPE is not set\n    → set it: export NOPE=…',
    ],
    [
      'a missing variable that is no secret',
      () => complaintOf(`server: { host: "\${NOPE}" }${MODELS}`),
      'understudy.yaml:1:17  server.host  the variable NOPE is not set\n    → set it (export NOPE=…), or give a default: ${NOPE:-value}',
    ],
    [
      'a secret file that is not there',
      () =>
        complaintOf('providers:\n  a: { preset: openai, apiKey: "${file:/none}" }\nmodels: { m: { targets: [a/x] } }'),
      'understudy.yaml:2:32  providers.a.apiKey  the file "/none" can\'t be read: it does not exist\n    → check its path and who may read it',
    ],
    [
      'an unknown key',
      () => inModel('targets: [a/x]\nstratgey: failover'),
      'understudy.yaml:8:5  models.main.stratgey  unknown key "stratgey"\n    → did you mean "strategy"?',
    ],
    [
      'a duration without a unit',
      () => inModel('targets: [a/x]\ntimeouts: { idle: 30 }'),
      'understudy.yaml:8:23  models.main.timeouts.idle  a duration needs a unit (not 30)\n    → write it with a unit: "30ms" or "30s"',
    ],
    [
      'a size without a unit',
      () => complaintOf(`server: { bodyLimit: "100" }${MODELS}`),
      'understudy.yaml:1:22  server.bodyLimit  is no size (not "100")\n    → write a number with KiB, MiB or GiB: 4MiB',
    ],
    [
      'a number in quotes',
      () => complaintOf(`server: { port: "80" }${MODELS}`),
      'understudy.yaml:1:17  server.port  must be an integer from 0 to 65535 (not "80")\n    → write it without quotes',
    ],
    [
      'an unknown preset',
      () => complaintOf('providers: { a: { preset: openrouted, apiKey: k } }\nmodels: { m: { targets: [a/x] } }'),
      'understudy.yaml:1:27  providers.a.preset  unknown preset "openrouted"\n    → did you mean "openrouter"?',
    ],
    [
      'a vendor without its key',
      () => complaintOf('providers: { a: { preset: groq } }\nmodels: { m: { targets: [a/x] } }'),
      'understudy.yaml:1:17  providers.a  needs an apiKey\n    → add apiKey: "${GROQ_API_KEY}"',
    ],
    [
      'a provider that says nothing',
      () => complaintOf('providers: { groq: { apiKey: k } }\nmodels: { m: { targets: [groq/x] } }'),
      'understudy.yaml:1:20  providers.groq  needs a preset or a protocol\n    → add "preset: groq"',
    ],
    [
      'a base URL with the path of an endpoint',
      () =>
        complaintOf(
          'providers: { a: { protocol: openai-chat, baseUrl: "https://x.test/v1/chat/completions" } }\nmodels: { m: { targets: [a/x] } }',
        ),
      'understudy.yaml:1:51  providers.a.baseUrl  must end before "/chat/completions"\n    → write https://x.test/v1',
    ],
    [
      'two defaults',
      () =>
        complaintOf(`${ONE}models:\n  m: { default: true, targets: [a/x] }\n  n: { default: true, targets: [a/x] }`),
      'understudy.yaml:7:17  models.n.default  a second model is the default\n    → models.m is it already: keep one',
    ],
    [
      'keys that are needed and not there',
      () => complaintOf(`server: { host: 0.0.0.0 }${MODELS}`),
      'understudy.yaml:1:1  auth.keys  keys are needed (the host 0.0.0.0 is no loopback address), but there are none\n    → add one: { name: me, key: "${UNDERSTUDY_KEY}" }',
    ],
    [
      'nothing at all',
      () => complaintOf('# nothing\n'),
      'understudy.yaml:1:1  models  there is no model to serve\n    → add one: models: { main: { targets: [provider/model] } }',
    ],
    [
      'a key twice',
      () => complaintOf('server: {}\nserver: {}\n'),
      'understudy.yaml:2:1  this key stands twice in one map\n    → keep one of the two',
    ],
    [
      'broken YAML',
      () => complaintOf('server:\n\thost: x\n'),
      'understudy.yaml:2:1  a tab can not indent YAML\n    → use spaces',
    ],
    [
      'a tag',
      () => complaintOf('stateDir: !env HOME\n'),
      'understudy.yaml:1:11  tags are not supported\n    → write ${NAME} for a variable, ${file:/path} for a file',
    ],
    [
      'a merge key',
      () => complaintOf(`server: { <<: { port: 1 } }${MODELS}`),
      'understudy.yaml:1:11  server["<<"]  unknown key "<<"\n    → YAML merge keys are not part of YAML 1.2: write the keys out',
    ],
  ];
  it.each(table)('%s', (_, complaint, wanted) => {
    expect(complaint().split('\n').slice(0, wanted.split('\n').length).join('\n')).toBe(wanted);
    expect(complaint()).toContain(wanted);
  });

  it('all at once, in the order of the file', () => {
    const problems = problemsOf(`
server: { prot: 1, host: "\${NOPE}" }
providers:
  a: { protocol: openai-chat, baseUrl: "http://127.0.0.1:1/v1", apiKey: "" }
  "b/c": { preset: ollama }
models:
  main:
    strategy: least-busy
    targets:
      - a/x
      - zz/x
      - { provider: a, model: x, weight: 0 }
      - a/x
    hedge: { after: 1s }
    timeouts: { idle: 5 }
  other: { targets: [] }
`);
    expect(problems.map((problem) => `${problem.line} ${problem.path}`)).toEqual([
      '2 server.prot',
      '2 server.host',
      '4 providers.a.apiKey',
      '5 providers["b/c"]',
      '8 models.main.strategy',
      '11 models.main.targets[1]',
      '12 models.main.targets[2].weight',
      '13 models.main.targets[3]',
      '14 models.main.hedge',
      '15 models.main.timeouts.idle',
      '16 models.other.targets',
    ]);
    for (const problem of problems) expect(problem.column).toBeGreaterThan(0);
  });

  it('without telling what only follows from it', () => {
    const text =
      'providers: { a: { preset: opena, apiKey: "${NOPE}" } }\nmodels: { m: { targets: [a/x, { provider: a, model: 5 }] } }';
    expect(problemsOf(text).map((problem) => problem.path)).toEqual([
      'providers.a.preset',
      'providers.a.apiKey',
      'models.m.targets[1].model',
    ]);
  });
});
