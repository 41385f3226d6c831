import { bodiesOf, type ListChunk, type ListPage, type Revision } from 'orch/sdk/host'
import type { EventEncoder } from './event-encoder.js'

/** What may be kept for watchers that start at the same version; beyond it every watcher reads for itself. */
const maxKeptBytes = 16 * 1024 * 1024
const pieceBytes = 64 * 1024
/** What an entry costs beside its pieces. Without it, states of empty collections would be kept without end. */
const entryBytes = 1024

interface KeptState {
  readonly revision: Revision
  readonly pieces: readonly Buffer[]
  readonly bytes: number
}

/** The synthetic ADDED events of a collection, shared by watchers that start while nothing changes. */
export class InitialStates {
  readonly #kept = new Map<string, KeptState>()
  /** States being encoded right now: a thousand watchers that start together wait for one of them. */
  readonly #begun = new Map<string, { readonly revision: Revision; readonly done: Promise<void> }>()
  #keptBytes = 0

  /** The state under this id, if it is still that of `revision`; waits for one that is just being made. */
  async find(id: string, revision: Revision): Promise<readonly Buffer[] | undefined> {
    const begun = this.#begun.get(id)
    if (begun?.revision === revision) await begun.done
    const kept = this.#kept.get(id)
    return kept?.revision === revision ? kept.pieces : undefined
  }

  /** Encodes a listing piece by piece, and keeps it when it is small enough and nobody else is doing so. */
  async *encode(id: string, page: ListPage, encoder: EventEncoder): AsyncIterable<Buffer> {
    if (this.#begun.has(id)) {
      yield* piecesOf(page, encoder)
      return
    }
    const source = piecesOf(page, encoder)
    try {
      const { pieces, next } = await this.#collect(id, page.revision, source)
      yield* pieces
      // What is too large to be kept goes on at the pace of this one watcher.
      for (let rest = next; !rest.done; rest = await source.next()) yield rest.value
    } finally {
      await source.return(undefined)
    }
  }

  /** Reads ahead as far as may be kept, so that those who wait depend on nobody's pace. */
  async #collect(id: string, revision: Revision, source: AsyncIterator<Buffer, void>): Promise<Collected> {
    let finish = () => {}
    const done = new Promise<void>(resolve => {
      finish = resolve
    })
    this.#begun.set(id, { revision, done })
    try {
      const pieces: Buffer[] = []
      let total = 0
      let next = await source.next()
      while (!next.done && total + next.value.length <= maxKeptBytes) {
        pieces.push(next.value)
        total += next.value.length
        next = await source.next()
      }
      if (next.done) this.#keep(id, { revision, pieces, bytes: total + entryBytes })
      return { pieces, next }
    } finally {
      this.#begun.delete(id)
      finish()
    }
  }

  #keep(id: string, state: KeptState): void {
    this.#keptBytes -= this.#kept.get(id)?.bytes ?? 0
    this.#kept.delete(id)
    if (this.#keptBytes + state.bytes > maxKeptBytes) {
      this.#kept.clear()
      this.#keptBytes = 0
    }
    this.#kept.set(id, state)
    this.#keptBytes += state.bytes
  }
}

interface Collected {
  readonly pieces: readonly Buffer[]
  /** The first piece beyond them, if there is one. */
  readonly next: IteratorResult<Buffer, void>
}

/** The bodies of a listing as frames, joined to pieces of a size that is worth a write. */
async function* piecesOf(page: ListPage, encoder: EventEncoder): AsyncGenerator<Buffer, void> {
  let frames: Buffer[] = []
  let bytes = 0
  for await (const chunk of page.items) {
    const encoded = encoder.outside
      ? await encoder.outside.encodeInitial([...bodiesOf(chunk)])
      : framesOf(chunk, encoder)
    for (const frame of encoded) {
      frames.push(frame)
      bytes += frame.length
      if (bytes < pieceBytes) continue
      yield Buffer.concat(frames, bytes)
      frames = []
      bytes = 0
    }
  }
  if (bytes > 0) yield Buffer.concat(frames, bytes)
}

function* framesOf(chunk: ListChunk, encoder: EventEncoder): Iterable<Buffer> {
  for (const body of bodiesOf(chunk)) yield encoder.encodeInitial(body)
}
