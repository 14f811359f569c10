/** What happens in the gateway, for those who watch. Nobody who watches makes anybody wait. */
export interface EventFeed {
  /**
   * A reader of what comes from now on; with `after`, of what came behind the event of that id, if that is still there:
   * else it is told `reset`.
   */
  open(options: FeedOptions): FeedReader;
  /** Names that events may have. */
  readonly names: readonly string[];
}

export type FeedOptions = {
  /** Id of the last event that was seen; null: none. */
  readonly after: string | null;
  /** Null: all of them. */
  readonly types: ReadonlySet<string> | null;
  /** There is something to take: told at most once until it was taken. */
  readonly onNews: () => void;
};

export interface FeedReader {
  /**
   * What has come since, as `text/event-stream`, in pieces of bounded size; null: nothing. A reader that took nothing for
   * so long that events were forgotten is told `lagged` and goes on with the oldest that is left.
   */
  take(): Uint8Array | null;
  close(): void;
}
