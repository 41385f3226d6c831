/** Bounds of the work done at a time. Tests lower them, so that few objects reach them all. */
export interface Limits {
  /** A chunk of a list is returned when it has this many bytes. */
  readonly chunkBytes: number
  /** Keys looked at before a list pauses, so that a selector that matches nothing does not block the process. */
  readonly keysPerRead: number
  /** Events read from the log at a time: they are copied out, and a snapshot must not outlive the call. */
  readonly eventsPerRead: number
  readonly eventBytesPerRead: number
  readonly logEntriesPerRead: number
  /** Changes since the last chunk that a list follows in the log; beyond, the index of past keys is faster. */
  readonly followedChanges: number
  /** Changes that a list remembers in all. */
  readonly rememberedChanges: number
  /** Keys that are counted in one turn: a key whose page is not in memory takes half a microsecond. */
  readonly keysPerCount: number
  /** Steps over past keys that cost as much as a seek. */
  readonly stepsPerSeek: number
  /** Number of lists by a selector, none of which read the whole collection, after which its index is built beside them. */
  readonly listsBeforeIndexing: number
  /** Smaller collections are scanned: an index gains nothing. */
  readonly keysWorthIndexing: number
  /** Keys that are visited in the time that one is looked up: an index is used for what leaves out more than that. */
  readonly keysPerLookup: number
  /** Keys in all indexes together, of about 120 bytes each. */
  readonly indexedKeys: number
  /** A compaction step runs on the main thread under the write lock: a few milliseconds. */
  readonly entriesPerCompaction: number
  /** A commit runs on the main thread, and other processes wait for it. */
  readonly writesPerCommit: number
  readonly bytesPerCommit: number
}

export const usualLimits: Limits = {
  chunkBytes: 240 * 1024,
  keysPerRead: 4000,
  eventsPerRead: 500,
  eventBytesPerRead: 2 ** 20,
  logEntriesPerRead: 5000,
  followedChanges: 500,
  rememberedChanges: 20_000,
  keysPerCount: 50_000,
  stepsPerSeek: 60,
  listsBeforeIndexing: 1,
  keysWorthIndexing: 500,
  keysPerLookup: 8,
  indexedKeys: 200_000,
  entriesPerCompaction: 200,
  writesPerCommit: 500,
  bytesPerCommit: 16 * 2 ** 20,
}
