import { type Needs, type ServiceToken, services } from 'orch/sdk'
import { proposedServices, serviceNameOf } from 'orch/sdk/host'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import type { Contribution, Registry, ResourceContribution } from '../registry/registry.js'

/** A definition that needs services, described for a message. */
interface Needer {
  readonly plugin: string
  readonly what: string
  readonly needs: Needs | undefined
}
type Token = ServiceToken<unknown>

/** Finds missing services and cycles before anything is built, which is possible because `needs` is data. */
export function checkServices(registry: Registry): BootProblem[] {
  const kernelTokens = new Set<Token>([...Object.values(services), ...Object.values(proposedServices)])
  const offered = new Map(registry.services.map(contribution => [contribution.definition.token as Token, contribution]))
  const problems: BootProblem[] = registry.services
    .filter(({ definition }) => kernelTokens.has(definition.token))
    .map(({ plugin, definition }) =>
      problem('ORCH_SERVICE_DUPLICATE', { plugin, first: 'kernel', name: serviceNameOf(definition.token) }),
    )
  for (const { plugin, what, needs } of needers(registry)) {
    for (const token of Object.values(needs ?? {})) {
      if (typeof token !== 'symbol') {
        problems.push(problem('ORCH_SERVICE_MISSING', { plugin, service: String(token), neededBy: what }))
      } else if (!kernelTokens.has(token) && !offered.has(token)) {
        problems.push(problem('ORCH_SERVICE_MISSING', { plugin, service: serviceNameOf(token), neededBy: what }))
      }
    }
  }
  return [...problems, ...serviceCycles(offered)]
}

function serviceCycles(offered: ReadonlyMap<Token, Registry['services'][number]>): BootProblem[] {
  const problems: BootProblem[] = []
  const done = new Set<Token>()
  const path: Token[] = []
  const visit = (token: Token) => {
    const contribution = offered.get(token)
    if (!contribution || done.has(token)) return
    const start = path.indexOf(token)
    if (start >= 0) {
      const chain = [...path.slice(start), token].map(serviceNameOf)
      problems.push(problem('ORCH_SERVICE_CYCLE', { plugin: contribution.plugin, chain }))
      return
    }
    path.push(token)
    for (const needed of Object.values(contribution.definition.needs ?? {})) visit(needed as Token)
    path.pop()
    done.add(token)
  }
  for (const token of offered.keys()) visit(token)
  return problems
}

/** Every definition that can need services. */
export function* needers(registry: Registry): Iterable<Needer> {
  const named = <D extends { needs?: Needs }>(list: readonly Contribution<D>[], what: (definition: D) => string) =>
    list.map(({ plugin, definition }) => ({ plugin, what: what(definition), needs: definition.needs }))
  yield* named(registry.admissions, d => `admission control "${d.name}"`)
  yield* named(registry.authenticators, d => `authenticator "${d.name}"`)
  yield* named(registry.authorizers, d => `authorization mode "${d.mode}"`)
  yield* named(registry.controllers, d => `controller "${d.name}"`)
  yield* named(registry.typeSources, d => `source of types "${d.name}"`)
  yield* named(registry.healthChecks, d => `health check "${d.name}"`)
  yield* named(registry.routes, d => `route "${d.path}"`)
  yield* named(registry.services, d => `service "${serviceNameOf(d.token)}"`)
  yield* named(registry.startTasks, d => `start task "${d.name}"`)
  yield* named(registry.startNotices, d => `start notice "${d.name}"`)
  for (const contribution of registry.resources) yield* needersOfResource(contribution)
}

function* needersOfResource({ plugin, definition, addedBy }: ResourceContribution): Iterable<Needer> {
  if (definition.virtual) yield { plugin, what: `resource "${definition.resource}"`, needs: definition.virtual.needs }
  for (const [name, subresource] of Object.entries(definition.subresources ?? {})) {
    if (subresource.kind === 'update') continue
    yield {
      plugin: addedBy?.[name] ?? plugin,
      what: `subresource "${definition.resource}/${name}"`,
      needs: subresource.needs,
    }
  }
}
