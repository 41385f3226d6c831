import { ResourceType } from '../../../kernel/index.js'
import type { AuthenticatorDefinition } from '../../identity/index.js'
import type { ApiObject, Needs, Registrar, ResourceDefinition } from '../../index.js'
import type { TypeSamples } from '../../plugin/conformance-samples.js'
import { makeNamespace } from '../make-namespace.js'
import { startServer, type TestServer } from '../start-server.js'
import type { AdmissionWatch } from './admission-watch.js'
import { type ConformanceUser, conformanceUsers, userTokens } from './conformance-users.js'
import { type PluginUnderTest, withRegistrar } from './plugin-under-test.js'
import { randomOf, resourceName } from './type-checks.js'
import { untilQuiet } from './until-quiet.js'

const sampleTries = 200
const sampleNamespace = 'conformance'

/** There is no valid object to continue with. */
export class NoSample extends Error {}

/** The response of the server to one request. */
export interface ProbeAnswer {
  readonly status: number
  readonly text: string
}

/** A server with the plugin and its controls observed. Control loops run if it is `busy`. Started on first use. */
export class ProbeServer {
  readonly #plugin: PluginUnderTest
  readonly #watch: AdmissionWatch
  readonly #loops: 'quiet' | 'busy'
  readonly #servicesOf = new Map<AuthenticatorDefinition, unknown>()
  #starting: Promise<TestServer> | undefined

  constructor(plugin: PluginUnderTest, watch: AdmissionWatch, loops: 'quiet' | 'busy') {
    this.#plugin = plugin
    this.#watch = watch
    this.#loops = loops
  }

  server(): Promise<TestServer> {
    this.#starting ??= this.#start()
    return this.#starting
  }
  async stop(): Promise<void> {
    await (await this.#starting?.catch(() => undefined))?.stop()
    this.#starting = undefined
  }

  async #start(): Promise<TestServer> {
    const { entry, others, vendor, newOptions } = this.#plugin
    const watched = this.#watch.watched(withRegistrar(entry, to => this.#listening(to)))
    const server = await startServer({
      plugins: [...others, watched, conformanceUsers],
      vendor: vendor.profile,
      options: { ...newOptions(), ...(this.#loops === 'busy' ? {} : { controllers: [] }) },
    })
    try {
      await makeNamespace(server, sampleNamespace)
      await this.#makeObjects(server)
      await untilQuiet(this.#plugin, server)
      return server
    } catch (failure) {
      // A server that failed to start would otherwise never be stopped.
      await server.stop()
      throw failure
    }
  }

  /** The objects that the samples need. Control loops may have created them meanwhile. */
  async #makeObjects(server: TestServer): Promise<void> {
    for (const object of this.#plugin.samples.objects ?? []) {
      const [group = '', version = ''] = object.apiVersion?.includes('/')
        ? object.apiVersion.split('/')
        : ['', object.apiVersion]
      const isIts = (each: ResourceDefinition) => each.group === group && each.kind === object.kind
      const type = this.#plugin.registry.resources.find(({ definition }) => isIts(definition))?.definition
      if (!type) throw new Error(`no plugin provides ${object.apiVersion} ${object.kind}, which the samples need`)
      const all = server.client.resource<ApiObject>({ group, version, resource: type.resource })
      const client = type.namespaced ? all.in(sampleNamespace) : all
      if (!(await client.find(object.metadata.name ?? ''))) await client.create(object)
    }
  }

  /** Keeps the services that authentication methods ask for, so that they can be tried one by one. */
  #listening(to: Registrar): Registrar {
    return {
      ...to,
      authenticator: (...methods) => {
        to.authenticator(...methods)
        for (const method of methods) {
          const needs: Needs = method.needs ?? {}
          const run = (services: unknown) => void this.#servicesOf.set(method, services)
          to.onStart({ name: `conformance of ${method.name}`, needs, run })
        }
      },
    }
  }
  async servicesOf(method: AuthenticatorDefinition): Promise<never> {
    await this.server()
    const [, services] = [...this.#servicesOf].find(([{ name }]) => name === method.name) ?? []
    return services as never
  }

  async send(method: string, resource: ResourceDefinition, suffix: string, body?: object): Promise<ProbeAnswer> {
    const response = await this.#fetch(method, resource, suffix, body)
    return { status: response.status, text: await response.text() }
  }
  async #fetch(
    method: string,
    resource: ResourceDefinition,
    suffix: string,
    body?: object,
    as?: ConformanceUser,
  ): Promise<Response> {
    const { baseUrl, token } = await this.server()
    return fetch(baseUrl + pathOf(resource) + suffix, {
      method,
      headers: {
        authorization: `Bearer ${as ? userTokens[as] : token}`,
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
  /** The status of a response without its body: a watch would not end. */
  async statusOf(method: string, resource: ResourceDefinition, suffix: string, as: ConformanceUser): Promise<number> {
    const response = await this.#fetch(method, resource, suffix, method === 'GET' ? undefined : {}, as)
    await response.body?.cancel()
    return response.status
  }
  /** POST as a dry run. */
  tryCreate(resource: ResourceDefinition, object: object): Promise<ProbeAnswer> {
    return this.send('POST', resource, '?dryRun=All', object)
  }

  /** Samples of a type: those of the plugin, or the first object that the server accepts. */
  async samplesOf(resource: ResourceDefinition, seed: number): Promise<TypeSamples> {
    const given = this.#plugin.samples.samples?.[resourceName(resource)]
    if (given) return given
    const type = new ResourceType('conformance', resource)
    const version = type.version(resource.versions[0]?.name ?? '') ?? type.storage
    let last = ''
    for (let tries = 0; tries < sampleTries; tries++) {
      const { metadata: _, ...fields } = tries === 0 ? ({} as ApiObject) : randomOf(version, seed + tries)
      const { status, text } = await this.tryCreate(resource, { ...fields, metadata: { name: 'sample' } })
      if (status === 201) return { valid: () => structuredClone(fields) }
      last = text
    }
    throw new NoSample(
      `none of ${sampleTries} random objects is valid. Export \`conformance\` from the plugin with a sample: ` +
        `{ samples: { '${resourceName(resource)}': { valid: () => ({ … }) } } }. The last error was ${last.slice(0, 300)}`,
    )
  }
}

const pathOf = ({ group, resource, namespaced, versions }: ResourceDefinition) => {
  const version = versions[0]?.name
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  return `${root}${namespaced ? `/namespaces/${sampleNamespace}` : ''}/${resource}`
}
