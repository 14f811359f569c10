/**
 * What a replay tells. Every replayed request is in one member of `changes`, but for those of names that the new
 * configuration does not have, which are in `refused`. *Then* and *before* are what is on record, *now* and *after*
 * what the new configuration makes of it.
 */
export type ReplayReport = {
  /** Path of the new configuration; null where no file holds it. */
  readonly config: string | null;
  /** When the first and the last of the requests came; null: there is none. */
  readonly from: string | null;
  readonly until: string | null;
  /** Requests on record that nothing can be said of: still running, refused before any plan, of other protocols. */
  readonly left_out: number;
  readonly replayed: number;
  readonly refused: {
    readonly requests: number;
    readonly answered_then: number;
    readonly models: readonly { readonly model: string; readonly requests: number }[];
  };
  /** Of those that were not left by their client, with those that are refused now. */
  readonly answered: {
    readonly of: number;
    readonly before: number;
    readonly after: number;
    /** Of those after: by a send of which nothing is known. */
    readonly after_unknown: number;
  };
  readonly changes: ReplayChanges;
  /** The first requests of each kind for which something changes. */
  readonly examples: readonly ReplayExample[];
  readonly sends: {
    readonly before: number;
    readonly after: number;
    /** Of those after: nothing is on record that tells how they would have gone. */
    readonly unknown: number;
    /** Null: there is no send. */
    readonly unknown_share: number | null;
  };
  readonly served: readonly {
    readonly target: string;
    readonly before: number;
    readonly after: number;
    /** Of those after: by a send of which nothing is known. */
    readonly after_unknown: number;
  }[];
  /** What the gateway left behind; a mistake of the gateway, if there is any. */
  readonly leftovers: readonly string[];
};

export type ReplayExample = {
  readonly change: keyof ReplayChanges;
  /** Of the request on record. */
  readonly id: string;
  /** The target that answered, or the outcome. */
  readonly before: string;
  readonly after: string;
};

export type ReplayChanges = {
  /** Answered then and now, by the same target or by another. */
  readonly same_target: number;
  readonly other_target: number;
  /** Failed then, answered now; the other way round. */
  readonly rescued: number;
  readonly lost: number;
  readonly failed_both: number;
  /** The client left, or the gateway was ended: then, or (as it would leave) now. */
  readonly client_left: number;
  /** Answered now by a send of which nothing is known: it was answered then, or failed. */
  readonly unknown_answered_then: number;
  readonly unknown_failed_then: number;
};
