import { SCHEMA_COMMENT } from './from-environment.ts';
import type { PresetData } from './preset-data.ts';
import { groupByProtocol, nameOfProtocol } from './service-order.ts';
import { NOBODY_STANDS_IN } from './warning.ts';

type StarterPreset = Pick<PresetData, 'name' | 'title' | 'keyVariable' | 'models' | 'protocol'>;

export type StarterVendor = {
  /** `others`: the same vendor with the same key by its other protocols. */
  readonly preset: StarterPreset & { readonly others: readonly StarterPreset[] };
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
 * A configuration file for a beginning: short, with a comment where somebody will ask. No key is in it, only the name
 * of the variable that holds it.
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

const providers = ({ vendors }: StarterChoice): readonly string[] => [
  'providers:',
  ...vendors.flatMap(({ preset }) => [preset, ...preset.others]).flatMap(provider),
];

const provider = ({ name, title, keyVariable }: StarterPreset): readonly string[] =>
  keyVariable === null
    ? [`  ${name}: { preset: ${name} } # ${title}, needs no key`]
    : [
        `  ${name}: { preset: ${name}, apiKey: "\${${keyVariable}}" }${title.toLowerCase() === name ? '' : ` # ${title}`}`,
      ];

export type StarterTarget = {
  readonly id: string;
  readonly preset: StarterPreset;
  readonly model: string;
  readonly protocol: StarterPreset['protocol'];
  /** All in one: within a tier a client's own protocol goes first. */
  readonly tier: 0;
};

/** Each vendor by each protocol that it speaks, one protocol after the other. */
export function listStarterTargets({ vendors }: Pick<StarterChoice, 'vendors'>): readonly StarterTarget[] {
  const all = vendors.flatMap(({ preset, model }) =>
    [preset, ...preset.others].map((each) => ({ preset: each, model, protocol: each.protocol })),
  );
  return groupByProtocol(all).flatMap(({ members }) =>
    members.map((each) => ({ ...each, id: `${each.preset.name}/${each.model}`, tier: 0 as const })),
  );
}

/** Some clients of each protocol, for those who know them better than it. */
const CLIENTS: { readonly [P in StarterPreset['protocol']]?: string } = {
  'openai-chat': 'most SDKs, opencode',
  'openai-responses': 'Codex',
  'anthropic-messages': 'Claude Code',
  gemini: 'Gemini CLI',
};

const models = (choice: StarterChoice): readonly string[] => [
  'models:',
  "  # The name that clients ask for. Targets of a client's own protocol are asked first, one after the other.",
  '  # Then the others are, with the request translated. A target with "tier: 1" is asked when none of them can serve.',
  '  main:',
  '    translate: last                    # or: in-order (as they stand), never',
  '    targets:',
  ...groupByProtocol(listStarterTargets(choice)).flatMap(({ protocol, members }) => [
    `      # ${nameOfProtocol(protocol)} (${CLIENTS[protocol] ?? 'others'})${
      members.length === 1 && listStarterTargets(choice).length === 1
        ? `: ${NOBODY_STANDS_IN}; list a second target`
        : ''
    }`,
    ...members.flatMap((target) => [writeTarget(target), ...alternatives(target)]),
  ]),
  '    # preset: resilient                # gives up sooner on who is slow, waits out short rate limits',
  '    # timeouts: { firstOutput: 20s }   # so long a target may be silent before the next one is asked',
];

const writeTarget = ({ id }: Pick<StarterTarget, 'id'>): string => `      - ${quote(id)}`;

/** Other models of the vendor, for those who want them. */
const alternatives = ({ preset, model }: StarterTarget): readonly string[] =>
  preset.models.filter((other) => other !== model).map((other) => `      # - ${quote(`${preset.name}/${other}`)}`);

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
