import type { ListPage, Revision } from 'orch/sdk'
import { bodiesOf } from '../storage/bodies-of.js'
import type { EventEncoder } from './event-encoder.js'

/** What may be kept for watchers that start at the same version; beyond it every watcher reads for itself. */
const maxKeptBytes = 16 * 1024 * 1024
const pieceBytes = 64 * 1024

interface KeptState {
  readonly revision: Revision
  readonly pieces: readonly Buffer[]
}

/** The synthetic ADDED events of a collection, shared by watchers that start while nothing changes. */
export class InitialStates {
  readonly #kept = new Map<string, KeptState>()
  #keptBytes = 0

  /** The state under this id, if it is still that of `revision`. */
  find(id: string, revision: Revision): readonly Buffer[] | undefined {
    const kept = this.#kept.get(id)
    return kept?.revision === revision ? kept.pieces : undefined
  }

  /** Encodes a listing piece by piece, and keeps it when it is small enough. */
  async *encode(id: string, page: ListPage, encoder: EventEncoder): AsyncIterable<Buffer> {
    const pieces: Buffer[] = []
    let frames: Buffer[] = []
    let frameBytes = 0
    let total = 0
    const cut = () => {
      const piece = Buffer.concat(frames, frameBytes)
      total += piece.length
      if (total <= maxKeptBytes) pieces.push(piece)
      frames = []
      frameBytes = 0
      return piece
    }
    for await (const chunk of page.items) {
      for (const body of bodiesOf(chunk)) {
        const frame = encoder.encodeInitial(body)
        frames.push(frame)
        frameBytes += frame.length
        if (frameBytes >= pieceBytes) yield cut()
      }
    }
    if (frameBytes > 0) yield cut()
    if (total <= maxKeptBytes) this.#keep(id, { revision: page.revision, pieces }, total)
  }

  #keep(id: string, state: KeptState, bytes: number): void {
    if (this.#keptBytes + bytes > maxKeptBytes) {
      this.#kept.clear()
      this.#keptBytes = 0
    }
    this.#kept.set(id, state)
    this.#keptBytes += bytes
  }
}
