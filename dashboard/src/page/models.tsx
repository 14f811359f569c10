import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { useState } from 'react';
import type { ModelEntry } from '../../../src/management/contract.ts';
import { ApiError, ask } from '../api/client.ts';
import { modelsQuery, planQuery } from '../api/queries.ts';
import { Badge } from '../part/badge.tsx';
import { Button } from '../part/button.tsx';
import { Card, Empty } from '../part/card.tsx';
import { Choice } from '../part/choice.tsx';
import { type DraftModel, type DraftTarget, draftOf, entryOf, moved, STRATEGIES } from '../part/draft-model.ts';
import { PageHead } from '../part/page-head.tsx';
import { QueryState } from '../part/query-state.tsx';
import { BackIn } from '../part/time.tsx';
import { WhatIf } from '../part/what-if-card.tsx';
import { reasonWords, routeName, stateTone, stateWord } from '../part/words.ts';
import { toYaml } from '../part/yaml.ts';

/** The names that clients ask for, and who stands behind each. */
export function ModelsPage() {
  const query = useQuery(modelsQuery);
  return (
    <>
      <PageHead title="Models" what="The names that clients ask for, and who stands behind each." />
      <QueryState query={query}>
        {({ data, version }) => (
          <div className="space-y-4">
            {data.length === 0 && (
              <Card>
                <Empty title="No model is configured.">Run understudy init, or add one to the configuration.</Empty>
              </Card>
            )}
            {data.map((entry) => (
              // Anew where the entry is another: what was begun in others stays.
              <ModelCard key={`${entry.name} ${JSON.stringify(entry.config)}`} entry={entry} version={version} />
            ))}
          </div>
        )}
      </QueryState>
    </>
  );
}

const BESIDE = ['who is asked now', 'what if'] as const;

type ModelCardProps = { readonly entry: ModelEntry; readonly version: string | null };

function ModelCard({ entry, version }: ModelCardProps) {
  const [draft, setDraft] = useState<DraftModel>(() => draftOf(entry));
  const [view, setView] = useState<'order' | 'file'>('order');
  const [beside, setBeside] = useState<(typeof BESIDE)[number]>('who is asked now');
  const client = useQueryClient();
  const before = JSON.stringify(entryOf(entry, draftOf(entry)));
  const isChanged = JSON.stringify(entryOf(entry, draft)) !== before;
  const save = useMutation({
    mutationFn: () =>
      ask(`/models/${encodeURIComponent(entry.name)}`, {
        method: 'PUT',
        body: entryOf(entry, draft),
        headers: version === null ? {} : { 'if-match': `"${version}"` },
      }),
    onSuccess: () => client.invalidateQueries(),
  });
  const isFixed = entry.config === null;
  const written = isFixed ? { strategy: entry.strategy, targets: entry.targets } : entryOf(entry, draft);
  return (
    <Card
      title={entry.name}
      aside={
        <span className="flex flex-wrap items-center gap-2">
          {entry.aliases.length > 0 && <span className="text-xs text-muted">also {entry.aliases.join(', ')}</span>}
          {entry.default && <Badge tone="info">default</Badge>}
          <Choice label={`View of ${entry.name}`} value={view} options={['order', 'file']} onChange={setView} />
        </span>
      }
    >
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
        {view === 'file' ? (
          <pre className="self-start rounded-md bg-sunken p-3 font-mono text-xs break-words whitespace-pre-wrap">
            {toYaml({ models: { [entry.name]: written } })}
          </pre>
        ) : (
          <Order draft={draft} isFixed={isFixed} onChange={setDraft} />
        )}
        <div className="min-w-0">
          <Choice label={`Beside ${entry.name}`} value={beside} options={BESIDE} onChange={setBeside} />
          <div className="mt-3">
            {beside === 'what if' ? (
              <WhatIf model={entry.name} targets={entry.targets} />
            ) : (
              <PlanNow model={entry.name} version={version} />
            )}
          </div>
        </div>
      </div>
      {isFixed && (
        <p className="mt-3 text-xs text-muted">
          No file says this, so it can not be changed here: <code className="font-mono">understudy init</code> writes
          one.
        </p>
      )}
      {save.error !== null && <SaveTrouble error={save.error} />}
      {isChanged && (
        <div className="mt-4 flex gap-2 border-t border-line pt-4">
          <Button look="main" disabled={save.isPending} onClick={() => save.mutate()}>
            Write to the file
          </Button>
          <Button onClick={() => setDraft(draftOf(entry))}>Discard</Button>
        </div>
      )}
    </Card>
  );
}

function SaveTrouble({ error }: { readonly error: Error }) {
  const problems = error instanceof ApiError ? (error.problem.problems ?? []) : [];
  return (
    <div role="alert" className="mt-4 rounded-md bg-bad-soft px-4 py-3 text-bad">
      <p>{error.message}</p>
      <ul className="mt-1 list-disc pl-5">
        {problems.map(({ path, message, hint }) => (
          <li key={`${path} ${message}`}>
            <code className="font-mono text-xs">{path}</code>: {message}
            {hint === null ? '' : ` (${hint})`}
          </li>
        ))}
      </ul>
    </div>
  );
}

type OrderProps = {
  readonly draft: DraftModel;
  readonly isFixed: boolean;
  readonly onChange: (draft: DraftModel) => void;
};

function Order({ draft, isFixed, onChange }: OrderProps) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [told, setTold] = useState('');
  const put = (targets: readonly DraftTarget[]): void => onChange({ ...draft, targets });
  const move = (from: number, to: number): void => {
    put(moved(draft.targets, from, to));
    setTold(`${draft.targets[from]?.id ?? ''} is now ${to + 1} of ${draft.targets.length}.`);
  };
  const change = (index: number, part: Partial<DraftTarget>): void =>
    put(draft.targets.map((target, i) => (i === index ? { ...target, ...part } : target)));
  return (
    <div>
      <fieldset disabled={isFixed} className="mb-3">
        <Choice
          label="Strategy"
          value={draft.strategy}
          options={STRATEGIES}
          onChange={(strategy) => onChange({ ...draft, strategy })}
        />
      </fieldset>
      <ol className="space-y-1.5">
        {draft.targets.map((target, index) => (
          <li
            key={target.id}
            draggable={!isFixed}
            onDragStart={() => setDragged(index)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => {
              if (dragged !== null) move(dragged, index);
              setDragged(null);
            }}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border border-line px-2 py-1.5"
          >
            <GripVertical size={14} aria-hidden="true" className="cursor-grab text-muted max-md:hidden" />
            <span className="min-w-0 flex-1 truncate font-mono text-[0.8rem] max-sm:basis-full" title={target.id}>
              {target.id}
            </span>
            <NumberField
              label={`Tier of ${target.id}`}
              name="tier"
              min={0}
              value={target.tier}
              isFixed={isFixed}
              onChange={(tier) => change(index, { tier })}
            />
            <NumberField
              label={`Weight of ${target.id}`}
              name="weight"
              min={1}
              value={target.weight}
              isFixed={isFixed}
              onChange={(weight) => change(index, { weight })}
            />
            <span className="flex">
              <Move
                target={target.id}
                way="up"
                disabled={isFixed || index === 0}
                onMove={() => move(index, index - 1)}
              />
              <Move
                target={target.id}
                way="down"
                disabled={isFixed || index === draft.targets.length - 1}
                onMove={() => move(index, index + 1)}
              />
            </span>
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {told}
      </p>
    </div>
  );
}

type NumberFieldProps = {
  readonly label: string;
  readonly name: string;
  readonly min: number;
  readonly value: number;
  readonly isFixed: boolean;
  readonly onChange: (value: number) => void;
};

function NumberField({ label, name, min, value, isFixed, onChange }: NumberFieldProps) {
  return (
    <label className="flex items-center gap-1 text-xs text-muted">
      {name}
      <input
        type="number"
        aria-label={label}
        min={min}
        max={10_000}
        value={value}
        disabled={isFixed}
        onChange={(event) => onChange(Number(event.target.value))}
        className="w-14 rounded border border-line-strong bg-card px-1.5 py-0.5 text-ink tabular-nums"
      />
    </label>
  );
}

type MoveProps = {
  readonly target: string;
  readonly way: 'up' | 'down';
  readonly disabled: boolean;
  readonly onMove: () => void;
};

function Move({ target, way, disabled, onMove }: MoveProps) {
  const Icon = way === 'up' ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      aria-label={`Move ${target} ${way}`}
      // Not `disabled`: the focus would be lost at an end of the list.
      aria-disabled={disabled}
      onClick={() => !disabled && onMove()}
      className="cursor-pointer rounded p-1.5 text-muted hover:bg-sunken aria-disabled:cursor-default aria-disabled:opacity-30"
    >
      <Icon size={14} aria-hidden="true" />
    </button>
  );
}

/** Who would be asked now, in which order, and why. */
function PlanNow({ model, version }: { readonly model: string; readonly version: string | null }) {
  const query = useQuery(planQuery(model, version));
  return (
    <QueryState query={query}>
      {({ candidates }) => (
        <ol className="divide-y divide-line">
          {candidates.map(({ route, target, credential, rank, availability, reason }) => (
            <li key={route} className="grid grid-cols-[1.25rem_1fr_auto] items-center gap-x-2 py-1.5">
              <span className="text-muted tabular-nums">{rank ?? '–'}</span>
              <span className="min-w-0 truncate font-mono text-[0.8rem]" title={route}>
                {routeName(target, credential)}
              </span>
              <Badge tone={stateTone(availability.state)}>{stateWord(availability.state)}</Badge>
              {reason !== stateWord(availability.state) && (
                <span className="col-span-2 col-start-2 text-xs text-muted">
                  {reasonWords(reason, availability.until !== null)}
                  {availability.until !== null && (
                    <>
                      , <BackIn until={availability.until} />
                    </>
                  )}
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
    </QueryState>
  );
}
