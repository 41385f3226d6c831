import { signal } from '@preact/signals'
import { failureOf, request } from './api.js'
import { objectPath } from './paths.js'
import type { ResourceType } from './resource-type.js'

export interface LogQuery {
  readonly container: string
  readonly isPrevious: boolean
}
/** More would fill the memory of a tab that stays open; the command line shows all. */
const keptLines = 5000
const firstLines = 1000

/** Follows the log of a container. */
export class LiveLog {
  readonly lines = signal<readonly string[]>([])
  readonly state = signal<'loading' | 'live' | 'ended'>('loading')
  readonly failure = signal<unknown>(undefined)
  readonly #ending = new AbortController()

  constructor(type: ResourceType, namespace: string, name: string, { container, isPrevious }: LogQuery) {
    // Only Pods have containers; other logs end with what has been kept so far.
    const ofPod = { container, timestamps: 'true', ...(isPrevious ? { previous: 'true' } : { follow: 'true' }) }
    const query = new URLSearchParams({ tailLines: String(firstLines), ...(container === '' ? {} : ofPod) })
    void this.#read(`${objectPath(type, namespace, name)}/log?${query}`)
  }
  close(): void {
    this.#ending.abort()
  }

  async #read(path: string): Promise<void> {
    const { signal } = this.#ending
    try {
      const response = await request(path, { headers: { Accept: '*/*' }, signal })
      if (!response.ok) throw await failureOf(response)
      this.state.value = 'live'
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      let rest = ''
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        const lines = (rest + next.value).split('\n')
        rest = lines.pop() ?? ''
        if (lines.length > 0) this.lines.value = [...this.lines.value, ...lines].slice(-keptLines)
      }
      if (rest !== '') this.lines.value = [...this.lines.value, rest]
    } catch (failure) {
      if (!signal.aborted) this.failure.value = failure
    }
    if (!signal.aborted) this.state.value = 'ended'
  }
}
