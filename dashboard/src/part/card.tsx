import { type ReactNode, useId } from 'react';

type CardProps = {
  readonly title?: ReactNode;
  /** What stands at the end of the title's line. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly flush?: boolean;
  readonly className?: string;
};

/** One thing on a page. `flush`: its content goes to the edges, as lists do. */
export function Card({ title, aside, children, flush = false, className = '' }: CardProps) {
  const id = useId();
  return (
    <section
      {...(title === undefined ? {} : { 'aria-labelledby': id })}
      className={`min-w-0 overflow-hidden rounded-lg border border-line bg-card ${className}`}
    >
      {title !== undefined && (
        <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-2">
          <h2 id={id} className="text-sm font-semibold">
            {title}
          </h2>
          {aside}
        </header>
      )}
      <div className={flush ? '' : 'p-4'}>{children}</div>
    </section>
  );
}

type EmptyProps = { readonly title: string; readonly children: ReactNode };

/** What is not there yet, and how it comes to be. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="mx-auto max-w-prose px-4 py-8 text-center">
      <p className="font-medium">{title}</p>
      <div className="mt-1 text-muted">{children}</div>
    </div>
  );
}
