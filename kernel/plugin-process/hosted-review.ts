import type { Verdict } from 'orch/sdk'
import {
  type AdmissionDefinition,
  type AdmissionRequest,
  andThen,
  isPromise,
  type Needs,
  type Resolved,
} from 'orch/sdk'
import { isObject, type JsonObject, setOwn, writeJson } from '../../libs/json/index.js'
import { type CallLink, sentFailure } from '../isolation/call-link.js'
import type { Changes, Reviewed } from '../isolation/plugin-messages.js'
import { whenFilled } from '../watch/filled-caches.js'
import { changesSince, fieldsOf, gather } from './gather-changes.js'
import { HostedForms, type ReviewedObject } from './hosted-forms.js'
import { received } from './received.js'

/** Requests that may be reviewed a second time; older ones are forgotten. */
const maxRemembered = 1_000
/** Objects are large, and are sent with every review. */
const noObjects = { object: undefined, oldObject: undefined }

type Phase = 'mutate' | 'validate'

/** Reviews of admission controls in this process. */
export class HostedReviews {
  readonly #link: () => CallLink
  /**
   * Requests by number, without their objects. A control may keep what it did in the first round in a WeakMap by request, so the second
   * round has to get the same one.
   */
  readonly #remembered = new Map<number, AdmissionRequest>()

  constructor(link: () => CallLink) {
    this.#link = link
  }

  run(control: AdmissionDefinition, content: JsonObject, services: Resolved<Needs>): Reviewed | Promise<Reviewed> {
    const phase: Phase = content['phase'] === 'mutate' ? 'mutate' : 'validate'
    const number = Number(content['review'])
    const { request, gathered, review } = this.#open(number, phase, content['request'])
    const fail = (thrown: unknown): Reviewed => {
      Object.assign(request, noObjects)
      return { ...gathered.answer(), failure: sentFailure(thrown) }
    }
    const conclude = (verdict: Verdict): Reviewed => {
      const changes = review.takeChanges()
      Object.assign(request, noObjects)
      return { ...gathered.answer(), ...changes, ...(verdict === undefined ? {} : { verdict }) }
    }
    try {
      const verdict = whenFilled(() => control.review(request, services, phase))
      if (!isPromise(verdict)) return conclude(verdict)
      return andThen(verdict, conclude, fail)
    } catch (thrown) {
      return fail(thrown)
    }
  }

  #open(number: number, phase: Phase, sent: unknown) {
    const request = this.#remembered.get(number) ?? received<AdmissionRequest>({})
    if (phase === 'mutate') this.#remember(number, request)
    const gathered = gather()
    const { timeLeftMs, ...data }: JsonObject = isObject(sent) ? sent : {}
    const until = typeof timeLeftMs === 'number' ? performance.now() + timeLeftMs : undefined
    const review = new MadeChanges(number, request, phase)
    const own: Partial<AdmissionRequest> = {
      served: new HostedForms(this.#link, review),
      releaseLock: () => this.#link().notify('releaseLock', { review: number }),
      timeLeftMs: () => (until === undefined ? Number.POSITIVE_INFINITY : until - performance.now()),
      warn: text => gathered.warn(text),
      annotate: (key, value, level = 'Metadata') =>
        gathered.annotate(key, typeof value === 'function' ? value() : value, level),
    }
    Object.assign(request, noObjects, data, own)
    if (!('signal' in request)) Object.defineProperty(request, 'signal', lazySignal)
    review.begin()
    return { request, gathered, review }
  }

  #remember(number: number, request: AdmissionRequest): void {
    this.#remembered.set(number, request)
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size <= maxRemembered || oldest === undefined) return
    this.#remembered.delete(oldest)
  }
}

/** Few controls look at it, and it is expensive. */
const lazySignal: PropertyDescriptor & ThisType<object> = {
  configurable: true,
  get() {
    const { signal } = new AbortController()
    Object.defineProperty(this, 'signal', { value: signal })
    return signal
  },
}

/** What a control changes of the object. */
class MadeChanges implements ReviewedObject {
  readonly number: number
  readonly #request: AdmissionRequest
  readonly #phase: Phase
  #before: ReadonlyMap<string, string> | undefined

  constructor(number: number, request: AdmissionRequest, phase: Phase) {
    this.number = number
    this.#request = request
    this.#phase = phase
  }
  /** Call this when the request has its objects. */
  begin(): void {
    if (this.#phase === 'mutate') this.#before = fieldsOf(this.#request.object)
  }
  takeChanges(): Changes {
    if (!this.#before) return {}
    const changes = changesSince(this.#before, this.#request.object)
    if (changes.set || changes.unset) this.#before = fieldsOf(this.#request.object)
    return changes
  }
  state(): string {
    return this.#phase === 'mutate' ? writeJson(this.#request.object) : ''
  }
  replaceObject(object: unknown): void {
    const own: JsonObject = Object.assign(this.#request.object)
    if (!isObject(object)) return
    for (const name of Object.keys(own)) if (object[name] === undefined) delete own[name]
    for (const [name, value] of Object.entries(object)) setOwn(own, name, value)
    this.begin()
  }
}
