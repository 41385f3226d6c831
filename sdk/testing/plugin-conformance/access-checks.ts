import { ResourceType } from '../../../kernel/index.js'
import type { ResourceDefinition } from '../../index.js'
import type { Verb } from '../../resource/resource.js'
import type { Check } from './check.js'
import type { ConformanceUser } from './conformance-users.js'
import type { ProbeServer } from './probe-server.js'
import { resourceName } from './type-checks.js'

const absent = '/no-such-object'
/** A request of each verb, as far as authorization looks at it. */
const requestOf: Readonly<Record<Verb, readonly [method: string, suffix: string]>> = {
  get: ['GET', absent],
  list: ['GET', ''],
  watch: ['GET', '?watch=true&timeoutSeconds=5'],
  create: ['POST', ''],
  update: ['PUT', absent],
  patch: ['PATCH', absent],
  delete: ['DELETE', absent],
  deletecollection: ['DELETE', ''],
}
const readingVerbs: readonly string[] = ['get', 'list', 'watch']
const methodOf: Readonly<Record<string, string>> = { get: 'GET', create: 'POST', update: 'PUT', patch: 'PATCH' }

/** Permissions are enforced: on every verb and every subresource of a type. */
export function accessChecks(resource: ResourceDefinition, probe: ProbeServer): Check[] {
  if (resource.virtual) return []
  const subject = `resource ${resourceName(resource)}`
  const { verbs } = new ResourceType('conformance', resource)
  const statusOf = (as: ConformanceUser, method: string, suffix: string) => probe.statusOf(method, resource, suffix, as)
  const refused = async (as: ConformanceUser, what: string, method: string, suffix: string) => {
    const status = await statusOf(as, method, suffix)
    if (status !== 403) throw new Error(`${what} (${method} ${suffix}) returns ${status} to a user without permission`)
  }
  return [
    {
      subject,
      title: 'a user without permissions is denied every verb',
      async run() {
        for (const verb of verbs) await refused('stranger', verb, ...requestOf[verb])
        for (const [verb, name] of subresourceVerbs(resource))
          await refused('stranger', `${verb} of ${name}`, methodOf[verb] ?? 'GET', `${absent}/${name}`)
      },
    },
    {
      subject,
      title: 'a user with read permissions can read, and is denied everything else',
      async run() {
        for (const verb of verbs) {
          const request = requestOf[verb]
          if (!readingVerbs.includes(verb)) {
            await refused('reader', verb, ...request)
            continue
          }
          const status = await statusOf('reader', ...request)
          if (status !== (verb === 'get' ? 404 : 200))
            throw new Error(`${verb} returns ${status} to a user with permission`)
        }
      },
    },
  ]
}

function subresourceVerbs({ subresources = {} }: ResourceDefinition): [verb: string, name: string][] {
  return Object.entries(subresources).flatMap(([name, definition]) => {
    const verbs =
      definition.kind === 'action' ? Object.keys(definition.handlers) : (definition.verbs ?? ['get', 'update', 'patch'])
    return verbs.map(verb => [verb, name] as [string, string])
  })
}
