/**
 * A value that must not be printed. It shows as `[secret]` in strings, JSON and inspection; the one way to the value is
 * `reveal`, called where a header is written and nowhere else.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  get isEmpty(): boolean {
    return this.#value === '';
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }
}

/** The values of many, by name, for the place where they are written. */
export function revealAll(secrets: Readonly<Record<string, Secret>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()]));
}
