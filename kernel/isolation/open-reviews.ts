import { type AdmissionRequest, andThen, type ServedType } from 'orch/sdk'
import { isObject, type JsonObject, sameJson } from '../../libs/json/index.js'
import type { Handler } from './call-link.js'
import type { ChangedForm, Forms } from './plugin-messages.js'
import { textsIn, UnreadableAnswer } from './unreadable-answer.js'

type Phase = 'mutate' | 'validate'
interface OpenReview {
  readonly request: AdmissionRequest
  readonly phase: Phase
}

/** The requests that a plugin process reviews now, for what it asks about them meanwhile. */
export class OpenReviews {
  readonly #open = new Map<number, OpenReview>()
  readonly #numbers = new WeakMap<AdmissionRequest, number>()
  #last = 0

  /** Returns the number of the request, which it keeps if controls run a second time. */
  begin(request: AdmissionRequest, phase: Phase): number {
    const number = this.#numbers.get(request) ?? ++this.#last
    this.#numbers.set(request, number)
    this.#open.set(number, { request, phase })
    return number
  }
  end(number: number): void {
    this.#open.delete(number)
  }

  readonly handlers: Readonly<Record<string, Handler>> = {
    releaseLock: ({ review }) => this.#open.get(Number(review))?.request.releaseLock(),
    forms: content => this.#forms(content),
    change: content => this.#change(content),
  }

  async #forms(content: JsonObject): Promise<Forms> {
    const { request } = await this.#current(content)
    const { served } = request
    const as = content['as'] === undefined ? served.requested : typeFrom(request, content['as'])
    await served.prepare(as)
    return {
      requested: served.requested,
      equivalents: served.equivalents(),
      object: served.object(as),
      oldObject: served.oldObject(as),
    }
  }

  async #change(content: JsonObject): Promise<ChangedForm> {
    const { request, phase } = await this.#current(content)
    const { patch, fields } = content
    const as = typeFrom(request, content['as'])
    if (phase !== 'mutate') throw new Error('a validating control cannot change the object')
    await request.served.prepare(as)
    if (Array.isArray(patch)) return { isChanged: await request.served.patchObject(as, patch), object: request.object }
    if (isObject(fields)) return { isChanged: await request.served.mergeObject(as, fields), object: request.object }
    throw new UnreadableAnswer('no change of an object')
  }

  /** The review, with the changes that the control has made so far. */
  async #current(content: JsonObject): Promise<OpenReview> {
    const review = this.#open.get(Number(content['review']))
    if (!review) throw new Error('that review is over')
    if (review.phase === 'mutate') await applyChanges(review.request, content)
    return review
  }
}

/** Takes over changes that were made in the process. They are decoded as if a client had sent them. */
export function applyChanges(request: AdmissionRequest, { set = {}, unset = [] }: JsonObject): void | Promise<void> {
  if (!isObject(set) || !Array.isArray(unset)) throw new UnreadableAnswer('no changes of an object')
  const patch = [
    ...Object.entries(set).map(([name, value]) => ({ op: 'add', path: pointer(name), value })),
    ...textsIn(unset).map(name => ({ op: 'remove', path: pointer(name) })),
  ]
  if (patch.length === 0) return
  return andThen(request.served.patchObject(draftForm(request), patch), () => {})
}
const pointer = (name: string) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** The served type in the version that controls see. */
function draftForm({ served, version }: AdmissionRequest): ServedType {
  return served.equivalents().find(({ resource }) => resource.version === version) ?? served.requested
}

/** One of the types that serve the objects of the request. */
function typeFrom({ served }: AdmissionRequest, named: unknown): ServedType {
  const found = served.equivalents().find(each => sameJson(each, named))
  if (!found) throw new UnreadableAnswer('no type that serves the object')
  return found
}
