import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';

type ConfirmProps = {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** Asks before something is done that others notice. Escape leaves it undone. */
export function Confirm({ title, children, action, onConfirm, onClose }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element?.open === false) element.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      className="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-lg border border-line-strong bg-card p-5 text-ink backdrop:bg-black/50"
    >
      <h2 id={id} className="text-base font-semibold break-words">
        {title}
      </h2>
      <div className="mt-2 text-muted">{children}</div>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={() => dialog.current?.close()}>Cancel</Button>
        <Button
          look="bad"
          onClick={() => {
            onConfirm();
            dialog.current?.close();
          }}
        >
          {action}
        </Button>
      </div>
    </dialog>
  );
}
