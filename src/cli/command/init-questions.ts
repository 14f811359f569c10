import { cancel, intro, isCancel, log, multiselect, outro, select, text } from '@clack/prompts';
import type { suggestAccess, Vendor } from '../../app/starter.ts';

type Access = ReturnType<typeof suggestAccess>;
export type Answers = Access & { readonly vendors: readonly { readonly preset: Vendor; readonly model: string }[] };

const ANOTHER = '';

/** Asks what the file is to hold; null: the user wants none. */
export async function askForChoice(vendors: readonly Vendor[], suggested: Access): Promise<Answers | null> {
  intro('A configuration for Understudy');
  log.message('Keys are not asked for: they stay in the environment.');
  try {
    const chosen = await askVendors(vendors);
    const models: { preset: Vendor; model: string }[] = [];
    for (const preset of chosen) models.push({ preset, model: await askModel(preset) });
    const answers = { vendors: models, ...suggested, needsKey: await askAccess(suggested) };
    outro('That is all.');
    return answers;
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    cancel('Nothing was written.');
    return null;
  }
}

class Cancelled extends Error {}

async function answered<T>(question: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await question;
  if (isCancel(answer)) throw new Cancelled();
  return answer as Exclude<T, symbol>;
}

async function askVendors(vendors: readonly Vendor[]): Promise<readonly Vendor[]> {
  const names = await answered(
    multiselect({
      message: 'Which providers? Two or more, so that one can stand in for another.',
      options: vendors.map(({ name, title, keyVariable, isReady }) => ({
        value: name,
        label: title,
        hint: keyVariable === null ? 'needs no key' : isReady ? `${keyVariable} is set` : `needs ${keyVariable}`,
      })),
      initialValues: vendors.filter((vendor) => vendor.isReady).map((vendor) => vendor.name),
      required: true,
    }),
  );
  const chosen = vendors.filter((vendor) => names.includes(vendor.name));
  if (chosen.length < 2) return chosen;
  const lead = await answered(
    select({
      message: 'Who is asked first? The others are its understudies.',
      options: chosen.map(({ name, title }) => ({ value: name, label: title })),
    }),
  );
  return [...chosen.filter(({ name }) => name === lead), ...chosen.filter(({ name }) => name !== lead)];
}

async function askModel({ title, models }: Vendor): Promise<string> {
  const [best = ''] = models;
  const known = models.map((model) => ({ value: model, label: model }));
  const choice = await answered(
    select({ message: `Which model of ${title}?`, options: [...known, { value: ANOTHER, label: 'another one …' }] }),
  );
  if (choice !== ANOTHER) return choice;
  const isName = (value: string | undefined): boolean => /^\S+$/.test(value ?? '');
  return answered(
    text({
      message: `Name of the model, as ${title} writes it`,
      placeholder: best,
      validate: (value) => (isName(value) ? undefined : 'A name without spaces.'),
    }),
  );
}

async function askAccess({ needsKey }: Access): Promise<boolean> {
  const choice = await answered(
    select({
      message: 'Who may call the gateway?',
      options: [
        { value: 'machine', label: 'programs on this machine', hint: 'without a key' },
        { value: 'key', label: 'who has a key', hint: 'the value of UNDERSTUDY_KEY' },
      ],
      initialValue: needsKey ? 'key' : 'machine',
    }),
  );
  return choice === 'key';
}
