import type { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';

/** A handler that wants to know which connection its request was given to. */
export interface ConnectionAware extends Dispatcher.DispatchHandler {
  onAssigned(client: TrackedClient): void;
}

/**
 * One connection at a time, with what undici does not tell: whether its socket has served before, and which error ended
 * it. Pipelining is 1, so at most one request waits or runs here.
 */
export class TrackedClient extends Client {
  #served = 0;
  #connecting: Socket | null = null;
  #socketError: Error | null = null;

  constructor(origin: string | URL, options: Client.Options, connect: buildConnector.connector) {
    super(origin, { ...options, connect: (how, done) => this.#connect(connect, how, done) });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (isConnectionAware(handler)) handler.onAssigned(this);
    return super.dispatch(options, handler);
  }

  /** A request is being written. True: the socket had served another one before. */
  beginRequest(): boolean {
    this.#served += 1;
    return this.#served > 1;
  }

  /** The error that broke the present socket, also where undici took it for an end. */
  get socketError(): Error | null {
    return this.#socketError;
  }

  /** Gives up a connection that is still being made, together with the request that waits for it. */
  cancelConnect(): void {
    this.#connecting?.destroy(Object.assign(new Error('connection no longer wanted'), { code: 'ECONNABORTED' }));
  }

  #connect(
    connect: buildConnector.connector,
    how: buildConnector.Options,
    done: buildConnector.Callback,
  ): Socket | undefined {
    let isSettled = false;
    // Typed as void; undici's own connector gives the socket, and undici cancels unwanted connections through it.
    const socket = connect(how, (...outcome) => {
      isSettled = true;
      this.#connecting = null;
      if (outcome[1]) this.#adopt(outcome[1]);
      done(...outcome);
    }) as unknown as Socket | undefined;
    if (!isSettled && socket !== undefined && typeof socket.destroy === 'function') this.#connecting = socket;
    return socket;
  }

  #adopt(socket: Socket): void {
    this.#served = 0;
    this.#socketError = null;
    socket.on('error', (error) => {
      this.#socketError = error;
    });
  }
}

function isConnectionAware(handler: Dispatcher.DispatchHandler): handler is ConnectionAware {
  return 'onAssigned' in handler;
}
