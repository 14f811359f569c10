import { SCHEMA_COMMENT } from './from-environment.ts';
import type { PresetData } from './preset-data.ts';

export type StarterVendor = {
  readonly preset: Pick<PresetData, 'name' | 'title' | 'keyVariable' | 'models'>;
  readonly model: string;
};

export type StarterChoice = {
  /** In the order of service; the first is the lead. */
  readonly vendors: readonly StarterVendor[];
  /** Clients need the key of UNDERSTUDY_KEY. */
  readonly needsKey: boolean;
  /** The management API needs the token of UNDERSTUDY_ADMIN_TOKEN. */
  readonly needsAdminToken: boolean;
};

/**
 * A configuration file for a beginning: short, with a comment where somebody will ask. No key is in it, only the name of
 * the variable that holds it.
 */
export function writeStarterFile(choice: StarterChoice): string {
  const parts = [head(), providers(choice), models(choice), auth(choice), server()];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const head = (): readonly string[] => [
  SCHEMA_COMMENT,
  '#',
  '# Keys stay in the environment: "${NAME}" stands for the value of a variable, "${file:/path}" for what a file holds.',
  '# The running gateway takes up each change of this file. "understudy check" says whether it is right.',
];

const providers = ({ vendors }: StarterChoice): readonly string[] => ['providers:', ...vendors.flatMap(provider)];

const provider = ({ preset: { name, title, keyVariable } }: StarterVendor): readonly string[] =>
  keyVariable === null
    ? [`  ${name}: { preset: ${name} } # ${title}, needs no key`]
    : [
        `  ${name}: { preset: ${name}, apiKey: "\${${keyVariable}}" }${title.toLowerCase() === name ? '' : ` # ${title}`}`,
      ];

function models({ vendors }: StarterChoice): readonly string[] {
  const [lead, ...backups] = vendors;
  const told =
    backups.length === 0
      ? ['    # With a second target, a failure of the first would not be seen.']
      : ['    # The lowest tier is asked first; the next one stands in when none of it can serve.'];
  return [
    'models:',
    '  # The name that clients ask for, whoever answers.',
    '  main:',
    ...told,
    '    targets:',
    ...(lead === undefined ? [] : [`      - ${quote(`${lead.preset.name}/${lead.model}`)}`, ...alternatives(lead)]),
    ...backups.flatMap((backup) => [
      `      - { provider: ${backup.preset.name}, model: ${quote(backup.model)}, tier: 1 }`,
      ...alternatives(backup),
    ]),
    '    # preset: resilient                # gives up sooner on who is slow, waits out short rate limits',
    '    # timeouts: { firstOutput: 20s }   # so long a target may be silent before the next one is asked',
  ];
}

/** Other models of the vendor, for those who want them. */
const alternatives = ({ preset, model }: StarterVendor): readonly string[] =>
  preset.models
    .filter((other) => other !== model)
    .map((other) => `      # - { provider: ${preset.name}, model: ${quote(other)}, tier: 1 }`);

function auth({ needsKey, needsAdminToken }: StarterChoice): readonly string[] {
  const key = '  keys: [{ name: me, key: "${UNDERSTUDY_KEY}" }]';
  const token = '  adminToken: "${UNDERSTUDY_ADMIN_TOKEN}"';
  if (!needsKey && !needsAdminToken) {
    return [
      '# Only this machine may call, without a key. For others (and with another "server.host"):',
      '# auth:',
      '#   required: true',
      `# ${key}`,
      `# ${token} # opens the management API`,
    ];
  }
  const keyed = needsKey ? ['  required: true', key] : [`  # required: true`, `  #${key.slice(1)}`];
  return [
    '# Who may call.',
    'auth:',
    ...keyed,
    needsAdminToken ? token : `  #${token.slice(1)} # opens the management API`,
  ];
}

const server = (): readonly string[] => ['# server: { host: 127.0.0.1, port: 4180 }'];

/** As YAML reads it, also inside braces. */
const quote = (text: string): string => (/^[A-Za-z]\w*[./-][\w./-]*$/.test(text) ? text : JSON.stringify(text));
