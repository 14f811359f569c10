import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { gatewayNow } from '../api/gateway-clock.ts';
import { modelsQuery, type RequestFilter, targetsQuery, usageQuery } from '../api/queries.ts';
import { Button } from './button.tsx';
import { FIELD, Field } from './field.tsx';
import { clockTime, KIND_WORDS, OUTCOME_WORDS } from './words.ts';

type Change = (name: keyof RequestFilter, value: string) => void;

const MINUTE_MS = 60_000;
const SINCE: readonly (readonly [name: string, minutes: number])[] = [
  ['last 5 minutes', 5],
  ['last hour', 60],
  ['last day', 24 * 60],
];

/** What narrows the list of requests. All of it stands in the page's address. */
export function RequestFilters({ filter }: { readonly filter: RequestFilter }) {
  const navigate = useNavigate({ from: '/requests' });
  const change: Change = (name, value) =>
    void navigate({ search: (old) => ({ ...old, cursor: undefined, [name]: value === '' ? undefined : value }) });
  const { data: models } = useQuery(modelsQuery);
  const { data: targets } = useQuery(targetsQuery);
  const { data: keys } = useQuery(usageQuery('key', null));
  const isFiltered = Object.entries(filter).some(([name, value]) => name !== 'cursor' && value !== undefined);
  return (
    <search className="mb-4 grid grid-cols-2 items-end gap-2 sm:grid-cols-3 lg:grid-cols-[repeat(6,minmax(0,1fr))_auto]">
      <TextFilter
        name="model"
        label="Model"
        value={filter.model}
        known={(models?.data ?? []).flatMap(({ name, aliases }) => [name, ...aliases])}
        onChange={change}
      />
      <TextFilter
        name="target"
        label="Target"
        value={filter.target}
        known={[...new Set((targets?.data ?? []).flatMap(({ target }) => (target === null ? [] : [target])))]}
        onChange={change}
      />
      <SelectFilter name="outcome" label="Outcome" value={filter.outcome} none="all" onChange={change}>
        {Object.entries(OUTCOME_WORDS)
          .filter(([outcome]) => !outcome.startsWith('skipped'))
          .map(([outcome, word]) => (
            <option key={outcome} value={outcome}>
              {word}
            </option>
          ))}
      </SelectFilter>
      <SelectFilter name="kind" label="Kind" value={filter.kind} none="of clients" onChange={change}>
        {Object.entries(KIND_WORDS).map(([kind, word]) => (
          <option key={kind} value={kind}>
            {word}
          </option>
        ))}
        <option value="all">all, probes too</option>
      </SelectFilter>
      <TextFilter
        name="key"
        label="Client key"
        value={filter.key}
        known={(keys?.data ?? []).flatMap(({ key }) => (key == null ? [] : [key]))}
        onChange={change}
      />
      <SinceFilter value={filter.since} onChange={change} />
      {isFiltered && (
        <Button onClick={() => void navigate({ search: {} })} className="max-lg:col-span-full">
          Clear
        </Button>
      )}
    </search>
  );
}

type TextFilterProps = {
  readonly name: keyof RequestFilter;
  readonly label: string;
  readonly value: string | undefined;
  readonly known: readonly string[];
  readonly onChange: Change;
};

/** Takes effect with Enter, when it is left, or when one of the known names stands in it. */
function TextFilter({ name, label, value = '', known, onChange }: TextFilterProps) {
  const id = useId();
  const apply = (text: string): void => {
    if (text !== value) onChange(name, text);
  };
  return (
    <Field label={label}>
      <input
        key={value}
        defaultValue={value}
        list={id}
        placeholder="all"
        autoComplete="off"
        onChange={({ currentTarget }) => known.includes(currentTarget.value) && apply(currentTarget.value)}
        onBlur={({ currentTarget }) => apply(currentTarget.value.trim())}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && apply(currentTarget.value.trim())}
        className={FIELD}
      />
      <datalist id={id}>
        {known.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </Field>
  );
}

type SelectFilterProps = {
  readonly name: keyof RequestFilter;
  readonly label: string;
  readonly value: string | undefined;
  readonly none: string;
  readonly children: ReactNode;
  readonly onChange: Change;
};

function SelectFilter({ name, label, value = '', none, children, onChange }: SelectFilterProps) {
  return (
    <Field label={label}>
      <select value={value} onChange={(event) => onChange(name, event.target.value)} className={FIELD}>
        <option value="">{none}</option>
        {children}
      </select>
    </Field>
  );
}

function SinceFilter({ value = '', onChange }: { readonly value: string | undefined; readonly onChange: Change }) {
  const now = gatewayNow();
  const choose = (minutes: string): void =>
    onChange('since', minutes === '' ? '' : new Date(gatewayNow() - Number(minutes) * MINUTE_MS).toISOString());
  return (
    <Field label="Since">
      <select value={value} onChange={(event) => choose(event.target.value)} className={FIELD}>
        <option value="">the beginning</option>
        {value !== '' && <option value={value}>{clockTime(value, now)}</option>}
        {SINCE.map(([name, minutes]) => (
          <option key={name} value={minutes}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}
