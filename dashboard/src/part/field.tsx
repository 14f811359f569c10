import type { ReactNode } from 'react';

/** How fields look that something is typed or chosen in. */
export const FIELD = 'block w-full rounded-md border border-line-strong bg-card px-2 py-1.5 text-sm text-ink';

type FieldProps = { readonly label: string; readonly children: ReactNode; readonly className?: string };

/** A field below its name. */
export function Field({ label, children, className = '' }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the field is among the children.
    <label className={`block min-w-0 text-xs text-muted ${className}`}>
      <span className="mb-1 block">{label}</span>
      {children}
    </label>
  );
}
