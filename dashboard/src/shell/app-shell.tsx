import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Ellipsis, Moon, Sun, SunMoon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useFeed, useFeedState } from '../api/feed.ts';
import { PAGES } from './pages.ts';
import { applyTheme, readTheme, type Theme } from './theme.ts';

/** The frame of every page: a menu at the side, or at the foot of a telephone. */
export function AppShell() {
  useFeed(useQueryClient());
  usePageTitle();
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[13rem_1fr]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-20 focus:m-2 focus:rounded focus:bg-card focus:p-2"
      >
        Skip to the content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col border-r border-line bg-card p-3 md:flex">
        <Brand />
        <nav aria-label="Pages" className="mt-4 flex flex-1 flex-col gap-0.5">
          {PAGES.map(({ path, name, icon: Icon }) => (
            <Link
              key={path}
              to={path}
              className="flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-muted hover:bg-sunken hover:text-ink"
              activeProps={{ className: 'bg-sunken font-medium !text-ink', 'aria-current': 'page' }}
              activeOptions={{ exact: path === '/' }}
            >
              <Icon size={16} aria-hidden="true" />
              {name}
            </Link>
          ))}
        </nav>
        <FeedMark />
        <ThemeSwitch />
      </aside>
      <div className="flex min-w-0 flex-col pb-20 md:pb-0">
        <header className="flex items-center justify-between border-b border-line bg-card px-2 py-2 md:hidden">
          <Brand />
          <FeedMark />
        </header>
        <main id="content" tabIndex={-1} className="mx-auto w-full max-w-7xl flex-1 p-4 outline-none md:p-6 lg:px-8">
          <Outlet />
        </main>
      </div>
      <BottomBar />
    </div>
  );
}

/** Tabs and histories tell pages apart by it. */
function usePageTitle(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const page = PAGES.find(({ path }) => path === `/${pathname.split('/')[1] ?? ''}`);
    document.title = page === undefined ? 'Understudy' : `${page.name} · Understudy`;
  }, [pathname]);
}

function Brand() {
  return (
    <Link to="/" className="flex items-center gap-2 rounded-md px-2 py-1 font-semibold">
      <img src={new URL('../icon.svg', import.meta.url).href} alt="" width={22} height={22} />
      Understudy
    </Link>
  );
}

/** Whether what stands on the page is told as it happens. */
function FeedMark() {
  const isLive = useFeedState() === 'live';
  return (
    <p
      className="flex items-center gap-2.5 px-2.5 py-1.5 text-xs text-muted"
      title={isLive ? 'The gateway tells what happens as it happens.' : 'The gateway is asked every two seconds.'}
    >
      <span aria-hidden="true" className={`size-2 rounded-full ${isLive ? 'bg-good' : 'border border-muted'}`} />
      {isLive ? 'Live' : 'Polling'}
    </p>
  );
}

/** As many as a thumb reaches; the others stand behind "More". */
const AT_HAND = 4;

function BottomBar() {
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  useEffect(() => {
    if (pathname !== '') setOpen(false);
  }, [pathname]);
  useEffect(() => {
    const close = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setOpen(false);
    };
    window.addEventListener('keydown', close);
    return () => window.removeEventListener('keydown', close);
  }, []);
  const isBehind = PAGES.slice(AT_HAND).some(({ path }) => pathname.startsWith(path));
  return (
    <div className="fixed inset-x-0 bottom-0 z-10 border-t border-line bg-card pb-[env(safe-area-inset-bottom)] md:hidden">
      {isOpen && (
        <nav aria-label="More pages" id="more" className="grid grid-cols-2 gap-1 border-b border-line p-2">
          {PAGES.slice(AT_HAND).map(({ path, name, icon: Icon }) => (
            <Link
              key={path}
              to={path}
              className="flex items-center gap-2.5 rounded-md px-3 py-2.5 text-muted"
              activeProps={{ className: 'bg-sunken !text-ink font-medium', 'aria-current': 'page' }}
            >
              <Icon size={18} aria-hidden="true" />
              {name}
            </Link>
          ))}
          <div className="col-span-2 border-t border-line pt-1">
            <ThemeSwitch />
          </div>
        </nav>
      )}
      <nav aria-label="Pages" className="grid grid-cols-5">
        {PAGES.slice(0, AT_HAND).map(({ path, name, icon: Icon }) => (
          <Link
            key={path}
            to={path}
            className="flex flex-col items-center gap-0.5 px-1 py-2 text-[0.7rem] text-muted"
            activeProps={{ className: '!text-accent font-medium', 'aria-current': 'page' }}
            activeOptions={{ exact: path === '/' }}
          >
            <Icon size={20} aria-hidden="true" />
            {name}
          </Link>
        ))}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls="more"
          onClick={() => setOpen(!isOpen)}
          className={`flex cursor-pointer flex-col items-center gap-0.5 px-1 py-2 text-[0.7rem] ${isBehind || isOpen ? 'font-medium text-accent' : 'text-muted'}`}
        >
          <Ellipsis size={20} aria-hidden="true" />
          More
        </button>
      </nav>
    </div>
  );
}

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const THEME_ICONS = { system: SunMoon, light: Sun, dark: Moon } as const;

function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme);
  const Icon = THEME_ICONS[theme];
  const change = (): void => {
    applyTheme(NEXT[theme]);
    setTheme(NEXT[theme]);
  };
  return (
    <button
      type="button"
      onClick={change}
      className="flex w-full cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 text-muted hover:bg-sunken hover:text-ink max-md:py-2.5"
    >
      <Icon size={16} aria-hidden="true" />
      Theme: {theme}
    </button>
  );
}
