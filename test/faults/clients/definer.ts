import { setTimeout as pause } from 'node:timers/promises'
import { type Violation, violation } from '../checker/violation.js'
import { Client } from './client.js'
import type { Endpoint } from './send-request.js'
import { definedPath, definitionOf, definitionsPath } from './written-objects.js'

/** The maximum number of types at a time. */
const mostAtOnce = 4

/** Creates and deletes types, at any server, until it is stopped. */
export class Definer extends Client {
  protected override readonly thinkMs = 100
  /** Whether each type exists; undefined if a response was lost. */
  readonly #isThere = new Map<string, boolean | undefined>()
  #count = 0
  /** The number of acknowledged creations and deletions. */
  acknowledged = 0

  protected override async step(): Promise<void> {
    const known = [...this.#isThere].filter(([, isThere]) => isThere).map(([plural]) => plural)
    const isFull = this.#isThere.size >= mostAtOnce
    if (known.length > 0 && (isFull || this.random.between(0, 1) === 0)) return this.#remove(this.random.pick(known))
    if (!isFull) await this.#add(`type${this.#count++}s`)
  }
  async #add(plural: string): Promise<void> {
    this.#isThere.set(plural, undefined)
    const answer = await this.send({ method: 'POST', path: definitionsPath, body: definitionOf(plural) })
    if (answer.is === 'answered' && answer.status === 201) this.#note(plural, true)
    else if (answer.is === 'unsent' || (answer.is === 'answered' && answer.status < 500)) this.#isThere.delete(plural)
  }
  async #remove(plural: string): Promise<void> {
    this.#isThere.set(plural, undefined)
    const answer = await this.send({ method: 'DELETE', path: `${definitionsPath}/${nameOf(plural)}` })
    if (answer.is === 'answered' && answer.status === 200) this.#note(plural, false)
    else if (answer.is === 'unsent') this.#isThere.set(plural, true)
  }
  #note(plural: string, isThere: boolean): void {
    this.acknowledged++
    this.#isThere.set(plural, isThere)
  }

  /** In a quiet moment: waits until every server serves each created type and no deleted one. */
  async check(endpoints: readonly Endpoint[], withinMs: number): Promise<readonly Violation[]> {
    const end = performance.now() + withinMs
    const problems: string[] = []
    for (const [plural, isThere] of this.#isThere) {
      const wanted = isThere ?? (await this.#isStored(plural, endpoints[0]!))
      for (const endpoint of endpoints) {
        const status = wanted ? 200 : 404
        let seen = await this.#statusOf(endpoint, definedPath(plural))
        for (; seen !== status && performance.now() < end; await pause(50))
          seen = await this.#statusOf(endpoint, definedPath(plural))
        if (seen !== status) problems.push(`${endpoint.name} answers ${seen} and not ${status} for ${plural}`)
      }
      if (wanted) this.#isThere.set(plural, true)
      else this.#isThere.delete(plural)
    }
    return problems.map(problem => violation('a type is served as long as its definition exists', problem))
  }
  /** A definition that is being deleted does not count. */
  async #isStored(plural: string, endpoint: Endpoint): Promise<boolean> {
    const answer = await this.sendTo(endpoint, { method: 'GET', path: `${definitionsPath}/${nameOf(plural)}` })
    if (answer.is !== 'answered' || answer.status !== 200) return false
    return (answer.body as { metadata: { deletionTimestamp?: string } }).metadata.deletionTimestamp === undefined
  }
  async #statusOf(endpoint: Endpoint, path: string): Promise<number | undefined> {
    const answer = await this.sendTo(endpoint, { method: 'GET', path })
    return answer.is === 'answered' ? answer.status : undefined
  }
}

const nameOf = (plural: string): string => (definitionOf(plural) as { metadata: { name: string } }).metadata.name
