import type { ServedType } from 'orch/sdk'
import type { ServedForms } from 'orch/sdk/host'
import { copyJson, isObject, type JsonObject } from '../../libs/json/index.js'
import type { CallLink } from '../isolation/call-link.js'
import type { ChangeOrder, Changes, Forms } from '../isolation/plugin-messages.js'
import { CacheNotFilled } from '../watch/filled-caches.js'
import { received } from './received.js'

/** The review that the forms belong to. */
export interface ReviewedObject {
  readonly number: number
  /** What the control has changed since the server last heard of it. */
  takeChanges(): Changes
  /** A text that is another one after every change. */
  state(): string
  /** Takes over the object after the server changed it. */
  replaceObject(object: unknown): void
}

type Pair = Pick<Forms, 'object' | 'oldObject'>
const noLimit = Number.POSITIVE_INFINITY
const keyOf = ({ kind, resource }: ServedType) =>
  `${kind.group}/${kind.version}/${kind.kind}/${resource.group}/${resource.version}/${resource.resource}`

/**
 * The objects of a request in its served types. The server converts them. Most controls need none, so they are fetched when one is first
 * read: that throws as reading a cache does that is not filled, and the control is called again.
 */
export class HostedForms implements ServedForms {
  readonly #link: () => CallLink
  readonly #review: ReviewedObject
  #types: Pick<Forms, 'requested' | 'equivalents'> | undefined
  readonly #pairs = new Map<string, Pair>()
  #state = ''

  constructor(link: () => CallLink, review: ReviewedObject) {
    this.#link = link
    this.#review = review
  }

  get requested(): ServedType {
    return this.#known().requested
  }
  equivalents(): readonly ServedType[] {
    return this.#known().equivalents
  }
  prepare(as: ServedType): void | Promise<void> {
    if (!this.#current(as)) return this.#fetch(as)
  }
  object(as: ServedType): JsonObject | null {
    return copyOf(this.#pair(as).object)
  }
  oldObject(as: ServedType): JsonObject | null {
    return copyOf(this.#pair(as).oldObject)
  }
  readable(as: ServedType, which: 'object' | 'oldObject'): JsonObject | null {
    const value = this.#pair(as)[which]
    return isObject(value) ? value : null
  }
  patchObject(as: ServedType, patch: readonly unknown[]): Promise<boolean> {
    return this.#change({ as, patch })
  }
  mergeObject(as: ServedType, fields: Readonly<Record<string, unknown>>): Promise<boolean> {
    return this.#change({ as, fields })
  }

  #known(): Pick<Forms, 'requested' | 'equivalents'> {
    if (!this.#types) throw new CacheNotFilled('the types of this request', () => this.#fetch())
    return this.#types
  }
  #pair(as: ServedType): Pair {
    const pair = this.#current(as)
    if (!pair) throw new CacheNotFilled('the objects of this request', () => this.#fetch(as))
    return pair
  }
  #current(as: ServedType): Pair | undefined {
    if (this.#state !== this.#review.state()) this.#pairs.clear()
    return this.#pairs.get(keyOf(as))
  }

  async #fetch(as?: ServedType): Promise<void> {
    const { number } = this.#review
    const order = { review: number, ...(as === undefined ? {} : { as }), ...this.#review.takeChanges() }
    const answer = await this.#link().call('forms', order, noLimit)
    const { requested, equivalents, ...pair } = received<Forms>(answer)
    this.#types = { requested, equivalents }
    const state = this.#review.state()
    if (state !== this.#state) this.#pairs.clear()
    this.#state = state
    this.#pairs.set(keyOf(as ?? requested), pair)
  }

  async #change(change: Omit<ChangeOrder, 'review'>): Promise<boolean> {
    const { number } = this.#review
    const order = { review: number, ...change, ...this.#review.takeChanges() }
    const answer = await this.#link().call('change', order, noLimit)
    if (!isObject(answer)) throw new Error('the server did not answer')
    this.#pairs.clear()
    this.#review.replaceObject(answer['object'])
    // The type was prepared before, so the control must not be called again because of this.
    await this.#fetch(change.as)
    return answer['isChanged'] === true
  }
}

const copyOf = (value: unknown): JsonObject | null => (isObject(value) ? copyJson(value) : null)
