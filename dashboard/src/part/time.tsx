import { useNow } from './use-now.ts';
import { clockTime, fromNow, wholeSeconds } from './words.ts';

/** A moment as people say it; the moment itself is there for who points at it. */
export function Ago({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} className="whitespace-nowrap tabular-nums">
      {fromNow(at, now)}
    </time>
  );
}

/** Counts down to a moment; behind it there is nothing to say. */
export function Countdown({ until }: { readonly until: string }) {
  const now = useNow();
  const left = new Date(until).getTime() - now;
  return (
    <time dateTime={until} title={new Date(until).toLocaleString()} className="whitespace-nowrap tabular-nums">
      {left <= 0 ? 'now' : wholeSeconds(Math.ceil(left / 1000) * 1000)}
    </time>
  );
}

/** When something is in service again, as part of a sentence. */
export function BackIn({ until }: { readonly until: string }) {
  const isOver = new Date(until).getTime() <= useNow();
  return isOver ? (
    'may be tried now'
  ) : (
    <>
      back in <Countdown until={until} />
    </>
  );
}

/** `until 20:37:46`, and how long that is from now. */
export function Until({ until }: { readonly until: string }) {
  const isOver = new Date(until).getTime() <= useNow();
  return (
    <>
      until <At at={until} />
      {!isOver && (
        <>
          {' '}
          (<Countdown until={until} />)
        </>
      )}
    </>
  );
}

/** The moment itself, by the clock. */
export function At({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} className="whitespace-nowrap tabular-nums">
      {clockTime(at, useNow())}
    </time>
  );
}
