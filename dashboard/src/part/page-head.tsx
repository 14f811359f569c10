import type { ReactNode } from 'react';

type PageHeadProps = { readonly title: string; readonly what?: ReactNode; readonly children?: ReactNode };

/** The name of a page, what it is for, and what can be done on it. */
export function PageHead({ title, what, children }: PageHeadProps) {
  return (
    <header className="mb-5 flex flex-wrap items-end justify-between gap-3">
      <div className="min-w-0">
        <h1 className="text-xl font-semibold tracking-tight break-words">{title}</h1>
        {what !== undefined && <p className="mt-0.5 text-muted">{what}</p>}
      </div>
      {children !== undefined && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  );
}
