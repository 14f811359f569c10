import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { RequestView } from '../../../src/management/contract.ts';
import { modelsQuery, nameableQuery, ownRequestQuery, providersQuery } from '../api/queries.ts';
import { type Asked, DIALECTS, type Dialect, type Head, requestOf, streamChat } from '../api/stream-chat.ts';
import { Badge } from '../part/badge.tsx';
import { Button } from '../part/button.tsx';
import { Card, Empty } from '../part/card.tsx';
import { Choice } from '../part/choice.tsx';
import { type Faults, faultsOf } from '../part/faults.ts';
import { FIELD, Field } from '../part/field.tsx';
import { LINK } from '../part/link.ts';
import { PageHead } from '../part/page-head.tsx';
import { useNow } from '../part/use-now.ts';
import { Waterfall } from '../part/waterfall.tsx';

type Answer = {
  /** The client's own id of the request. */
  readonly id: string;
  readonly head: Head | null;
  readonly text: string;
  readonly error: string | null;
  readonly isOver: boolean;
};

const asked = (id: string): Answer => ({ id, head: null, text: '', error: null, isOver: false });

type Sending = {
  readonly answer: Answer | null;
  readonly isRunning: boolean;
  readonly send: (question: Asked) => void;
  readonly stop: () => void;
};

/** One answer at a time; a new question takes the place of the old answer. */
function useSending(): Sending {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const controller = useRef<AbortController | null>(null);

  const run = async (question: Asked): Promise<void> => {
    const own = new AbortController();
    controller.current = own;
    const id = `playground-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
    setAnswer(asked(id));
    const change = (part: (old: Answer) => Partial<Answer>): void =>
      setAnswer((old) => (old?.id === id ? { ...old, ...part(old) } : old));
    try {
      await streamChat(
        { ...question, id, signal: own.signal },
        {
          onHead: (head) => change(() => ({ head })),
          onText: (more) => change((old) => ({ text: old.text + more })),
          onError: (error) => change(() => ({ error })),
        },
      );
    } catch (error) {
      const message = own.signal.aborted ? 'You stopped it.' : (error as Error).message;
      change(() => ({ error: message }));
    }
    change(() => ({ isOver: true }));
  };
  return {
    answer,
    isRunning: answer !== null && !answer.isOver,
    send: (question) => void run(question),
    stop: () => controller.current?.abort(),
  };
}

/** Ask as a client does, in any protocol, and watch who is asked. */
export function PlaygroundPage() {
  const sending = useSending();
  const { answer } = sending;
  return (
    <>
      <PageHead title="Playground" what="Ask as a client does, and watch who is asked for it." />
      <div className="grid gap-4 lg:grid-cols-2">
        <Card title="Request">
          <Question sending={sending} />
        </Card>
        <Card
          title="What the client gets"
          aside={answer?.head == null ? undefined : <HeadLine head={answer.head} isBroken={answer.error !== null} />}
        >
          {answer === null ? (
            <Empty title="Nothing yet.">The answer streams in here, as a client would read it.</Empty>
          ) : (
            <Said answer={answer} />
          )}
        </Card>
      </div>
      {answer !== null && <Tried key={answer.id} id={answer.id} />}
    </>
  );
}

/** What can be asked for here. */
function useNames(key: string) {
  const { data: nameable } = useQuery(nameableQuery(key));
  const { data: entries } = useQuery(modelsQuery);
  const { data: providers } = useQuery(providersQuery);
  return {
    needsKey: nameable?.needsKey === true,
    names: nameable?.names ?? [],
    faults: faultsOf(entries?.data ?? [], providers?.data ?? []),
  };
}

function Question({ sending: { isRunning, send, stop } }: { readonly sending: Sending }) {
  const [key, setKey] = useState('');
  const [dialect, setDialect] = useState<Dialect>('chat');
  const [chosen, setChosen] = useState('');
  const [text, setText] = useState('Tell me in two sentences what an understudy does.');
  const { needsKey, names, faults } = useNames(key);
  const model = chosen === '' ? (faults.covered[0]?.name ?? names[0] ?? '') : chosen;
  const question: Asked = { dialect, model, text, key };
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        send(question);
      }}
    >
      <Choice label="Protocol" value={dialect} options={DIALECTS} onChange={setDialect} />
      {needsKey && (
        <Field label="Client key: this gateway wants one">
          <input
            type="password"
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.target.value)}
            className={FIELD}
          />
        </Field>
      )}
      <Field label="Model, or a fault to try">
        <select value={model} onChange={(event) => setChosen(event.target.value)} className={FIELD}>
          <Names names={names} faults={faults} />
        </select>
      </Field>
      <Field label="Message">
        <textarea rows={3} required value={text} onChange={(event) => setText(event.target.value)} className={FIELD} />
      </Field>
      <div className="flex gap-2">
        <Button type="submit" look="main" disabled={isRunning || model === ''}>
          Send
        </Button>
        {isRunning && <Button onClick={stop}>Stop</Button>}
      </div>
      <Terminal question={question} />
    </form>
  );
}

function Names({ names, faults: { covered, alone } }: { readonly names: readonly string[]; readonly faults: Faults }) {
  const told = new Set([...covered, ...alone].map(({ name }) => name));
  return (
    <>
      {covered.length > 0 && (
        <optgroup label="The first target fails, another goes on">
          {covered.map(({ name, title }) => (
            <option key={name} value={name}>
              {name}: the first {title}
            </option>
          ))}
        </optgroup>
      )}
      <optgroup label="Models and targets">
        {names
          .filter((name) => !told.has(name))
          .map((name) => (
            <option key={name}>{name}</option>
          ))}
      </optgroup>
      {alone.length > 0 && (
        <optgroup label="A fault alone: nobody goes on">
          {alone.map(({ name, title }) => (
            <option key={name} value={name}>
              {name}: {title}
            </option>
          ))}
        </optgroup>
      )}
    </>
  );
}

/** The same for a terminal, to show that nothing else happens here. */
function Terminal({ question }: { readonly question: Asked }) {
  const { path, body } = requestOf(question);
  const key = question.key === '' ? '' : " -H 'authorization: Bearer …'";
  return (
    <details className="text-xs">
      <summary className="cursor-pointer text-muted">The same from a terminal</summary>
      <pre className="mt-2 rounded-md bg-sunken p-3 font-mono break-all whitespace-pre-wrap">
        {`curl -N '${location.origin}${path}' -H 'content-type: application/json'${key} -d '${body.replaceAll("'", "'\\''")}'`}
      </pre>
    </details>
  );
}

function HeadLine({ head: { status, servedBy }, isBroken }: { readonly head: Head; readonly isBroken: boolean }) {
  return (
    <span className="flex min-w-0 items-center gap-2 text-xs text-muted">
      {servedBy !== null && <span className="truncate font-mono">{servedBy}</span>}
      <Badge tone={isBroken || status >= 400 ? 'bad' : 'good'}>{status}</Badge>
    </span>
  );
}

function Said({ answer: { text, error, isOver } }: { readonly answer: Answer }) {
  return (
    <div aria-live="polite" aria-busy={!isOver}>
      <p className="break-words whitespace-pre-wrap">
        {text}
        {!isOver && (
          <span aria-hidden="true" className="ml-0.5 inline-block h-4 w-2 animate-pulse bg-muted align-text-bottom" />
        )}
      </p>
      {error !== null && <p className="mt-3 rounded-md bg-bad-soft px-3 py-2 break-words text-bad">{error}</p>}
    </div>
  );
}

/** Attempts as they happen: the record is found by the id that the page gave the request. */
function Tried({ id }: { readonly id: string }) {
  const { data: request } = useQuery(ownRequestQuery(id));
  return (
    <div className="mt-4">
      <Card
        title="Who is asked"
        aside={
          request == null ? undefined : (
            <Link to="/requests/$id" params={{ id: request.id }} className={`text-xs ${LINK}`}>
              Explain
            </Link>
          )
        }
      >
        {request == null || request.attempts.length === 0 ? (
          <p className="text-muted">{request?.reason ?? 'Attempts show here as they happen.'}</p>
        ) : (
          <Sends request={request} />
        )}
      </Card>
    </div>
  );
}

function Sends({ request }: { readonly request: RequestView }) {
  const now = useNow();
  const wholeMs = request.duration_ms ?? Math.max(0, now - new Date(request.started_at).getTime());
  return <Waterfall attempts={request.attempts} boundMs={request.committed_at_ms} wholeMs={wholeMs} />;
}
