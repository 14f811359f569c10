import type { ButtonHTMLAttributes } from 'react';

const LOOKS = {
  plain: 'border-line-strong bg-card hover:bg-sunken',
  quiet: 'border-transparent text-muted hover:bg-sunken hover:text-ink',
  main: 'border-transparent bg-ink text-page hover:opacity-90',
  bad: 'border-transparent bg-bad-soft text-bad hover:opacity-90',
} as const;

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { readonly look?: keyof typeof LOOKS };

export function Button({ look = 'plain', className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`inline-flex min-h-8 cursor-pointer items-center justify-center gap-1.5 rounded-md border px-3 py-1 font-medium disabled:cursor-not-allowed disabled:opacity-50 ${LOOKS[look]} ${className}`}
    />
  );
}
