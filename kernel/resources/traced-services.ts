import { asStage, type TraceStage } from 'orch/sdk'
import type { Store, Write } from 'orch/sdk/host'
import type { Representations } from '../representation/representations.js'
import type { ResourceServices } from './resource-services.js'

/** What verbs work with in a request that is followed: calls of the store and the writing of answers are stages of it. */
export function tracedServices(services: ResourceServices, request: TraceStage): ResourceServices {
  return {
    ...services,
    store: staged<Store>(services.store, request, storeStages),
    representations: staged<Representations>(services.representations, request, answerStages),
  }
}

interface Stage {
  readonly name: string
  /** Called with the arguments before they are handed on. */
  prepare?(stage: TraceStage, args: readonly unknown[]): void
}
type Stages = Readonly<Record<string, Stage>>

const storeStages: Stages = {
  get: { name: 'store get' },
  list: { name: 'store list' },
  write: {
    name: 'store write',
    // The same object goes on: other writes may build on this very one.
    prepare: (stage, [write]) => Object.assign(write as Write, { traceHeaders: stage.headers }),
  },
}
const encoding: Stage = { name: 'encode answer' }
const answerStages: Stages = Object.fromEntries(
  [
    'respond',
    'respondObject',
    'respondList',
    'respondPlain',
    'respondProtobuf',
    'respondStatus',
    'streamProtobufList',
    'streamYamlList',
  ].map(name => [name, encoding]),
)

/** The same object, some of whose methods are stages. Only requests that are followed pay for it. */
function staged<T extends object>(object: T, request: TraceStage, stages: Stages): T {
  return new Proxy(object, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown
      if (typeof value !== 'function') return value
      const stage = typeof name === 'string' && Object.hasOwn(stages, name) ? stages[name] : undefined
      if (!stage) return value.bind(target)
      return (...args: unknown[]) =>
        asStage(request, stage.name, begun => {
          stage.prepare?.(begun, args)
          return value.apply(target, args)
        })
    },
  })
}
