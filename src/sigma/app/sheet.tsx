/** Something over the page: a question, a list of keys, the search. The browser keeps the focus inside and gives it back. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLive } from "./hooks.ts";
import { Refused } from "./session.ts";

interface SheetProps {
  readonly title: string;
  readonly kind?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Sheet({ title, kind = "", onClose, children }: SheetProps) {
  const at = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    at.current?.showModal();
    return () => at.current?.close();
  }, []);
  return (
    <dialog
      ref={at}
      class={kind}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === at.current) onClose();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <div class="inside">
        {kind === "" && <h2>{title}</h2>}
        {children}
      </div>
    </dialog>
  );
}

export interface Change {
  /** On the button. */
  readonly verb: string;
  /** What it would do, in a sentence or two. */
  readonly words: string;
  readonly command: string;
  readonly method: string;
  readonly request: object;
  readonly isGrave?: boolean;
}

/** A button that asks first: it says what would happen, and how the same is done in a terminal. */
export function ChangeButton({ change, onDone }: { readonly change: Change; readonly onDone?: () => void }) {
  const live = useLive();
  const [isOpen, setOpen] = useState(false);
  const [said, setSaid] = useState("");
  const [isSent, setSent] = useState(false);
  const close = (): void => {
    setOpen(false);
    setSaid("");
    setSent(false);
  };
  const send = async (): Promise<void> => {
    setSent(true);
    try {
      await live.session.ask(change.method, { ...change.request, requestId: crypto.randomUUID() });
      close();
      onDone?.();
    } catch (error) {
      setSent(false);
      setSaid(
        error instanceof Refused
          ? error.message
          : "The cell does not answer: nobody knows whether it was done. Look at the page before you try again.",
      );
    }
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {change.verb}
      </button>
      {isOpen && (
        <Sheet title={`${change.verb}?`} onClose={close}>
          <p>{change.words}</p>
          <p class="quiet">
            The same in a terminal: <code>{change.command}</code>
          </p>
          {said !== "" && (
            <p role="alert" class="problem">
              {said}
            </p>
          )}
          <p class="buttons">
            <button type="button" onClick={close}>
              Leave it
            </button>
            <button type="button" class={change.isGrave ? "primary grave" : "primary"} disabled={isSent} onClick={() => void send()}>
              {isSent ? "Asking the cell …" : change.verb}
            </button>
          </p>
        </Sheet>
      )}
    </>
  );
}
