import type { PluginEntry } from '../config.js'
import type { ApiObject } from '../meta.js'
import { definePlugin } from '../plugin.js'
import type { ResourceDefinition } from '../resource.js'
import type { VendorProfile } from '../vendor.js'
import { ConformanceSubject } from './conformance/conformance-subject.js'
import { deletionCases } from './conformance/deletion-cases.js'
import { listCases } from './conformance/list-cases.js'
import { readCases } from './conformance/read-cases.js'
import { representationCases } from './conformance/representation-cases.js'
import { watchCases } from './conformance/watch-cases.js'
import { writeCases } from './conformance/write-cases.js'
import { startServer } from './start-server.js'

/** What the battery must know about a type. Samples are what a client would send, without apiVersion and kind. */
export interface ConformanceRequest<T extends object = ApiObject> {
  readonly resource: ResourceDefinition
  /** Makes a new valid object; the battery fills in name and namespace. */
  valid(): Partial<T>
  /** Changes that each make a valid object invalid, by title. */
  readonly invalid?: Readonly<Record<string, (object: T) => void>>
  /** A change that is allowed on update. A label by default. */
  update?(object: T): void
  /** Plugins that must be there too. The type itself is registered by the battery unless one of them brings it. */
  readonly plugins?: readonly PluginEntry[]
  /** True when one of `plugins` brings the type. */
  readonly isRegistered?: boolean
  readonly vendor?: string | VendorProfile
  /** Further config keys. */
  readonly options?: Readonly<Record<string, unknown>>
}

export interface ConformanceCase {
  /** A sentence about behaviour. */
  readonly name: string
  run(): Promise<void>
}

/**
 * Every verb and every rule of the API, tried on one type over HTTP. Run the cases in order: they share one server, which
 * the last one stops.
 */
export function resourceConformance<T extends object = ApiObject>(request: ConformanceRequest<T>): ConformanceCase[] {
  const subject = new ConformanceSubject(request as unknown as ConformanceRequest, () => startFor(request))
  const cases = [writeCases, readCases, listCases, watchCases, deletionCases, representationCases].flatMap(make =>
    make(subject),
  )
  return [
    ...cases.map(({ name, run }) => ({ name: `${request.resource.kind}: ${name}`, run })),
    { name: `${request.resource.kind}: the server of the battery stops`, run: () => subject.stop() },
  ]
}

function startFor(
  request: Pick<ConformanceRequest<never>, 'resource' | 'plugins' | 'isRegistered' | 'vendor' | 'options'>,
) {
  const carrier = definePlugin({ name: 'conformance-carrier', register: to => to.resource(request.resource) })
  return startServer({
    plugins: [...(request.plugins ?? []), ...(request.isRegistered ? [] : [carrier])],
    ...(request.vendor === undefined ? {} : { vendor: request.vendor }),
    ...(request.options === undefined ? {} : { options: request.options }),
  })
}
