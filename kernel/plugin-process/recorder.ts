import {
  type AdmissionDefinition,
  addAll,
  type ControllerDefinition,
  type HealthCheckDefinition,
  type Needs,
  type Registrar,
  type ResourceDefinition,
  type ServiceDefinition,
  type StartTask,
} from 'orch/sdk'
import { proposedServices, serviceNameOf } from 'orch/sdk/host'
import type { AuthenticatorDefinition, AuthorizerDefinition } from 'orch/sdk/identity'
import { describeGraph, type Graph, NotDescribable } from '../isolation/graph.js'
import type { Registered } from '../isolation/plugin-messages.js'
import { OwnFunctions } from './own-functions.js'
import type { OwnServices } from './own-services.js'

type Supported =
  | 'resource'
  | 'admission'
  | 'authenticator'
  | 'authorizer'
  | 'controller'
  | 'healthCheck'
  | 'service'
  | 'onStart'
type Unsupported = Exclude<keyof Registrar, Supported>

/** What only code in the server's own process can contribute. Leaving a kind out of this table is a compile error. */
const unsupported: Readonly<Record<Unsupported, string>> = {
  subresource: 'a subresource of a type of another plugin',
  typeSource: 'a source of types',
  storage: 'a storage engine',
  storeLayer: 'a layer of the store',
  route: 'a route',
  command: 'a command',
  consolePage: 'a console page',
  startNotice: 'a start notice',
}

/** Records what a plugin registers: keeps the functions and describes the rest to the server. */
export class Recorder {
  readonly admissions: AdmissionDefinition[] = []
  readonly controllers: ControllerDefinition[] = []
  readonly authenticators: AuthenticatorDefinition[] = []
  readonly authorizers: AuthorizerDefinition[] = []
  readonly healthChecks: HealthCheckDefinition[] = []
  /** For its own contributions; other plugins cannot use them. */
  readonly services: ServiceDefinition<unknown>[] = []
  readonly startTasks: StartTask[] = []
  readonly functions = new OwnFunctions()
  readonly #resources: ResourceDefinition[] = []
  readonly #refused = new Set<string>()

  get registrar(): Registrar {
    const refuse = (kind: Unsupported) => () => void this.#refused.add(unsupported[kind])
    return {
      resource: (...definitions) => addAll(this.#resources, definitions),
      admission: (...definitions) => addAll(this.admissions, definitions),
      controller: (...definitions) => addAll(this.controllers, definitions),
      subresource: refuse('subresource'),
      typeSource: refuse('typeSource'),
      authenticator: (...definitions) => addAll(this.authenticators, definitions),
      authorizer: (...definitions) => addAll(this.authorizers, definitions),
      storage: refuse('storage'),
      storeLayer: refuse('storeLayer'),
      healthCheck: (...definitions) => addAll(this.healthChecks, definitions),
      route: refuse('route'),
      command: refuse('command'),
      consolePage: refuse('consolePage'),
      service: (...definitions) => addAll(this.services, definitions),
      onStart: (...tasks) => addAll(this.startTasks, tasks),
      startNotice: refuse('startNotice'),
    }
  }

  /** Throws for services that a separate process cannot offer. */
  describe(services: OwnServices): Registered {
    if (this.#refused.size > 0)
      throw new Error(
        `it brings ${[...this.#refused].join(', ')}, which a plugin in a process of its own cannot; run it in process`,
      )
    const withHeaders = this.authenticators.find(({ consumesHeaders }) => consumesHeaders)
    if (withHeaders)
      throw new Error(
        `the authenticator "${withHeaders.name}" has consumesHeaders, which the server must be able to call at once; run the plugin in process`,
      )
    const modes = this.authorizers.map(({ mode, needs }) => ({ name: mode, needs }))
    const users = [...this.admissions, ...this.startTasks, ...this.authenticators, ...modes, ...this.healthChecks]
    for (const { name, needs } of [...users, ...this.controllers]) refuseUnknown(name, needs, services)
    return {
      admission: this.admissions.map(({ review: _, needs: __, ...rest }) => rest),
      controller: this.controllers.map(({ start: _, needs: __, ...rest }) => rest),
      authenticator: this.authenticators.map(({ name, kind, audienceAware }) => ({ name, kind, audienceAware })),
      authorizer: this.authorizers.map(({ mode, standsFor, knowsLoopRoles, rulesFor }) => ({
        mode,
        standsFor,
        knowsLoopRoles,
        hasRules: rulesFor !== undefined,
      })),
      healthCheck: this.healthChecks.map(({ check: _, needs: __, ...rest }) => rest),
      startTask: this.startTasks.map(({ run: _, needs: __, ...rest }) => rest),
      uses: services.usedBy(users.map(({ needs }) => needs)),
      proposed: services
        .usedBy([...users, ...this.controllers].map(({ needs }) => needs))
        .filter(name => Object.hasOwn(proposedServices, name)),
      resource: this.#resources.map(definition => this.#graphOf(definition)),
    }
  }

  #graphOf(definition: ResourceDefinition): Graph {
    try {
      return describeGraph(definition, callable => this.functions.add(callable), ['needs'])
    } catch (thrown) {
      if (!(thrown instanceof NotDescribable)) throw thrown
      throw new Error(
        `the type "${definition.resource}" has ${thrown.message} in its definition, which cannot be described to the server`,
      )
    }
  }
}

function refuseUnknown(name: string, needs: Needs = {}, services: OwnServices): void {
  const missing = services.missingFor(needs)
  if (missing.length === 0) return
  const list = missing.map(token => `"${serviceNameOf(token)}"`).join(', ')
  throw new Error(`"${name}" needs ${list}, which a plugin in a process of its own does not have; run it in process`)
}
