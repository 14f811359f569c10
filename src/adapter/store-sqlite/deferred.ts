/** A promise that is kept from outside. Nobody has to wait for it: its rejection is no fault of the process. */
export type Deferred<T> = {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: Error): void;
};

export function createDeferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((keep, breakIt) => {
    resolve = keep;
    reject = breakIt;
  });
  promise.catch(() => {});
  return { promise, resolve: (value) => resolve(value), reject: (error) => reject(error) };
}
