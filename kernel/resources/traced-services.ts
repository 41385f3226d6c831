import { ForwardingStore, type ListRequest, type Revision, type Store, type Write } from 'orch/sdk/host'
import { asStage, type TraceStage } from 'orch/sdk/server'
import type { Representations } from '../representation/representations.js'
import { derive } from '../schema/derive.js'
import type { ResourceServices } from './resource-services.js'

/**
 * The services of a traced request: calls of the store and the encoding of responses are spans. They are
 * instances of two classes, and not proxies: code that was once called with a proxy stays slow for requests without a trace.
 */
export function tracedServices(services: ResourceServices, request: TraceStage): ResourceServices {
  const Traced = derive(services.representations, tracedRepresentations)
  return { ...services, store: new TracedStore(services.store, request), representations: new Traced(request) }
}

class TracedStore extends ForwardingStore {
  readonly #request: TraceStage

  constructor(inner: Store, request: TraceStage) {
    super(inner)
    this.#request = request
  }
  override get(key: string, notOlderThan?: Revision): ReturnType<Store['get']> {
    return asStage(this.#request, 'store get', () => this.inner.get(key, notOlderThan))
  }
  override list(request: ListRequest): ReturnType<Store['list']> {
    return asStage(this.#request, 'store list', () => this.inner.list(request))
  }
  override write(write: Write): ReturnType<Store['write']> {
    return asStage(this.#request, 'store write', stage => {
      // Pass on the same object: later writes may refer to it by identity.
      Object.assign(write, { traceHeaders: stage.headers })
      return this.inner.write(write)
    })
  }
}

const isAnswer = (name: string): boolean => /^(respond|stream)/.test(name)

/** A class whose instances delegate to `inner`, one for each request. */
function tracedRepresentations(inner: Representations): new (request: TraceStage) => Representations {
  class Traced {
    constructor(readonly request: TraceStage) {}
  }
  for (const name of [...Object.keys(inner), ...Object.getOwnPropertyNames(Object.getPrototypeOf(inner))]) {
    if (name === 'constructor') continue
    const value: unknown = Reflect.get(inner, name)
    const member: PropertyDescriptor & ThisType<Traced> =
      typeof value !== 'function'
        ? { get: () => Reflect.get(inner, name), set: changed => void Reflect.set(inner, name, changed) }
        : isAnswer(name)
          ? {
              value(...args: unknown[]) {
                return asStage(this.request, 'encode answer', () => value.apply(inner, args))
              },
            }
          : { value: value.bind(inner) }
    Object.defineProperty(Traced.prototype, name, member)
  }
  return Traced as unknown as new (
    request: TraceStage,
  ) => Representations
}
