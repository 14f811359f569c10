type ChoiceProps<T extends string> = {
  readonly label: string;
  readonly value: T;
  readonly options: readonly T[];
  readonly onChange: (value: T) => void;
};

/** One of a few, all of them in sight. */
export function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <fieldset className="inline-flex rounded-md border border-line-strong bg-card p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          onClick={() => onChange(option)}
          className="min-h-7 cursor-pointer rounded px-2.5 text-muted aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
        >
          {option}
        </button>
      ))}
    </fieldset>
  );
}
