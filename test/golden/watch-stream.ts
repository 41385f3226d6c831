import type { ClientRequest, IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { byName, inCanonicalOrder } from './canonical-order.js'
import { type JsonObject, pickPaths } from './json-paths.js'
import { mediaType, type Observation } from './observation.js'
import type { Step } from './scenario.js'
import type { Stream } from './scenario-client.js'

const pollMs = 50
const eventsLimitMs = 10_000
const closingLimitMs = 30_000
/** After the expected events, wait this long for unexpected ones. */
const quietMs = 300
const longestQuietMs = 400

/** A watch of a scenario: collects events until the step that ends it. */
export class WatchStream {
  readonly #response: IncomingMessage
  readonly #request: ClientRequest
  readonly #events: JsonObject[] = []
  #rest = ''
  #isClosed = false

  constructor({ response, request }: Stream) {
    this.#response = response
    this.#request = request
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => this.#read(chunk))
    for (const ending of ['end', 'close', 'error']) response.on(ending, () => this.#end())
  }

  stop(): void {
    this.#request.destroy()
  }

  /** Waits for the expected events, ends the watch and returns all events. */
  async finish(step: Step): Promise<Observation> {
    const started = Date.now()
    const until = async (limitMs: number, isEnough: () => boolean) => {
      while (!this.#isClosed && !isEnough() && Date.now() - started < limitMs) await sleep(pollMs)
    }
    if (step.untilClosed) {
      await until(step.maxMs ?? closingLimitMs, () => false)
    } else {
      const wanted = (step.expect?.body as { events?: unknown[] } | undefined)?.events?.length ?? 0
      await until(eventsLimitMs, () => this.#relevant(step).length >= wanted)
      await sleep(step.quietMs ? Math.min(step.quietMs, longestQuietMs) : quietMs)
    }
    const closed = this.#isClosed
    this.stop()
    const events = this.#relevant(step)
    const { statusCode = 0, headers } = this.#response
    return {
      seen: {
        status: statusCode,
        contentType: mediaType(headers['content-type']),
        chunked: headers['transfer-encoding'] === 'chunked',
        body: { events: step.pick ? events.map(event => picked(event, step.pick ?? [])) : inCanonicalOrder(events) },
        ...(step.untilClosed ? { closed } : {}),
      },
      body: { events },
    }
  }

  /** The events that a step compares: without bookmarks unless it requests them, the first ones sorted if it is unordered. */
  #relevant({ bookmarks, unordered }: Step): JsonObject[] {
    const isBookmark = (event: JsonObject | undefined) => event?.['type'] === 'BOOKMARK'
    const isKept = (event: JsonObject) =>
      bookmarks === true || !isBookmark(event) || (bookmarks === 'initial' && endsInitialEvents(event))
    let events = this.#events.filter(isKept)
    if (typeof unordered === 'number') {
      const first = events.slice(0, unordered).sort((left, right) => byName(left['object'], right['object']))
      events = [...first, ...events.slice(unordered)]
    }
    // The number of consecutive bookmarks depends on timing.
    return events.filter((event, index) => !(isBookmark(event) && isBookmark(events[index + 1])))
  }

  #read(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines)
      if (line.trim() !== '') this.#events.push(parsed(line) ?? { unparsed: line.slice(0, 100) })
  }

  #end(): void {
    const last = this.#rest.trim() === '' ? undefined : parsed(this.#rest)
    if (last) this.#events.push(last)
    this.#rest = ''
    this.#isClosed = true
  }
}

const endsInitialEvents = (event: JsonObject) => JSON.stringify(event['object']).includes('k8s.io/initial-events-end')

const errorParts = ['kind', 'code', 'reason', 'status']
const picked = (event: JsonObject, paths: readonly string[]) => ({
  type: event['type'],
  ...pickPaths(inCanonicalOrder(event['object']), event['type'] === 'ERROR' ? errorParts : paths),
})

function parsed(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
