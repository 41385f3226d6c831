import type {
  AdmissionConfiguration,
  Authorizer,
  Caches,
  ControllerRule,
  GroupResource,
  PluginPermissions,
  ResourceCatalogue,
  StoreReader,
  UserInfo,
} from 'orch/sdk'
import { forbidden } from 'orch/sdk'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import { collectionName } from '../watch/filled-caches.js'
import type { Handler } from './call-link.js'
import { type Outlet, PacedSending, TooMuch } from './paced-sending.js'
import { type ServerState, serverServices } from './plugin-messages.js'
import { sendCollection } from './send-collection.js'
import { UnreadableAnswer } from './unreadable-answer.js'

/** The services of the server that a plugin process can use over its link, outside of control loops. */
export interface SharedServices {
  readonly caches: Caches
  readonly reader: StoreReader
  readonly resources: ResourceCatalogue
  readonly authorizer: Authorizer
  readonly admissionConfiguration: AdmissionConfiguration
  /** The user that a service account of the system namespace acts as. Until roles are granted it may do everything. */
  userOf(account: string): UserInfo
}

type Notify = (topic: string, content: object) => void

/** What the plugin registered, as far as it decides what the process may use. */
export interface ServiceUser {
  readonly account: string
  readonly permissions: PluginPermissions
  /** Names of the services that it needs. */
  readonly uses: readonly string[]
  readonly controls: readonly string[]
}

const maxFollowed = 1_000
/** Memory that the process itself needs. */
const ownMegabytes = 24
/** The most that is sent of one collection: objects take more memory than their JSON. */
const maxMegabytes = (memoryMegabytes: number, parts: number) =>
  Math.ceil(Math.max(memoryMegabytes - ownMegabytes, ownMegabytes) / parts)
const partsForCache = 2
const partsForList = 4
/** A collection that was too large is not tried again for this long: each of its readers would ask for it. */
const restMs = 30_000
const mebibyte = 1024 * 1024

/**
 * Serves caches, direct reads, authorization and the catalogue of types to a plugin process. Changes of caches are sent
 * as they are committed, over the same link as reviews, so that a control there sees every write that was acknowledged
 * before its review, as it would in the server.
 */
export class ServiceCalls {
  #services: SharedServices | undefined
  #user: ServiceUser = { account: '', permissions: {}, uses: [], controls: [] }
  readonly #followed = new Map<number, AbortController>()
  readonly #lists = new Set<AbortController>()
  readonly #tooLarge = new Map<string, { readonly why: string; readonly until: number }>()
  #stopTypes: () => void = () => {}

  set user(user: ServiceUser) {
    this.#user = user
  }

  /** The plugin is part of a server now. */
  attach(services: SharedServices, notify: Notify): void {
    this.#services = services
    this.begin(notify)
  }

  /** In a new process: sends what code there reads synchronously, and keeps it current. */
  begin(notify: Notify): void {
    this.interrupt()
    const services = this.#services
    const { uses } = this.#user
    if (!services || !serverServices.some(name => uses.includes(name))) return
    const { resources, authorizer } = services
    const state: ServerState = {
      modes: authorizer.modes,
      types: resources.all(),
      ...(uses.includes('admissionConfiguration') ? { configuration: this.#configuration(services) } : {}),
    }
    notify('serverState', state)
    this.#stopTypes = resources.onChange(({ added, removed }) => notify('typesChanged', { added, removed }))
  }

  /** The process is gone, or stopped. */
  interrupt(): void {
    this.#stopTypes()
    this.#stopTypes = () => {}
    for (const controller of [...this.#followed.values(), ...this.#lists]) controller.abort()
    this.#followed.clear()
    this.#lists.clear()
  }

  handlers(outlet: Outlet, memoryMegabytes: number): Record<string, Handler> {
    return {
      follow: content => this.#follow(content, outlet, memoryMegabytes),
      unfollow: ({ id }) => this.#unfollow(id),
      read: content => this.#read(content, outlet, memoryMegabytes),
      authorize: content => this.#authorize(content),
    }
  }

  async #follow(content: JsonObject, outlet: Outlet, memoryMegabytes: number): Promise<void> {
    const { id } = content
    const collection = collectionFrom(content)
    if (typeof id !== 'number' || this.#followed.has(id)) throw new Error('the id is missing or in use')
    if (this.#followed.size >= maxFollowed) throw new Error(`it already follows ${maxFollowed} collections`)
    const following = new AbortController()
    this.#followed.set(id, following)
    try {
      const { caches } = await this.#permitted(['list', 'watch'], collection, '', '')
      const known = this.#tooLarge.get(collectionName(collection))
      if (known && performance.now() < known.until) throw new Error(known.why)
      const cache = caches.of(collection)
      await cache.ready()
      const megabytes = maxMegabytes(memoryMegabytes, partsForCache)
      const tooLong = `the objects of ${collectionName(collection)} are more than ${megabytes} MiB, too much for a cache in a process with ${memoryMegabytes} MB of memory: raise its limit (memoryMegabytes, --isolated-plugin-memory), or read pages of a list with the client (limit: 500)`
      const sending = new PacedSending(outlet, following.signal, megabytes * mebibyte, tooLong)
      await sendCollection(cache, following.signal, sending, change => outlet.notify('changed', { id, ...change }), id)
    } catch (thrown) {
      following.abort()
      if (thrown instanceof TooMuch)
        this.#tooLarge.set(collectionName(collection), { why: thrown.message, until: performance.now() + restMs })
      if (this.#followed.get(id) === following) this.#followed.delete(id)
      throw thrown
    }
  }
  #unfollow(id: unknown): void {
    if (typeof id !== 'number') return
    this.#followed.get(id)?.abort()
    this.#followed.delete(id)
  }

  /** Answers with an object. Those of a list are sent before, one by one. */
  async #read(content: JsonObject, outlet: Outlet, memoryMegabytes: number): Promise<unknown> {
    const collection = collectionFrom(content)
    const { id, namespace, name } = content
    const where = typeof namespace === 'string' ? namespace : ''
    if (typeof name === 'string') {
      const { reader } = await this.#permitted(['get'], collection, where, name)
      return reader.get(collection, where, name)
    }
    const { reader } = await this.#permitted(['list'], collection, where, '')
    const megabytes = maxMegabytes(memoryMegabytes, partsForList)
    const tooLong = `the list of ${collectionName(collection)} has more than ${megabytes} MiB, too much for a process with ${memoryMegabytes} MB of memory: read it in pages with the client (limit: 500), or by namespace`
    const listing = new AbortController()
    this.#lists.add(listing)
    try {
      const sending = new PacedSending(outlet, listing.signal, megabytes * mebibyte, tooLong)
      for (const object of await reader.list(collection, where)) {
        if (listing.signal.aborted) break
        await sending.send('listed', { id, object })
      }
    } finally {
      this.#lists.delete(listing)
    }
    return null
  }

  async #authorize({ access, user, namespace }: JsonObject): Promise<unknown> {
    const { authorizer } = this.#attached()
    if (!this.#user.permissions.services?.includes('authorizer'))
      throw new Error('it may not use the authorizer: declare it under permissions.services')
    if (isObject(access) && isUserInfo(access['user'])) return authorizer.authorize(accessFrom(access, access['user']))
    if (isUserInfo(user)) return authorizer.rulesFor(user, String(namespace))
    throw new UnreadableAnswer('no question to the authorizer')
  }

  /** The services, if the account of the plugin has these rights. */
  async #permitted(
    verbs: readonly string[],
    { group, resource }: GroupResource,
    namespace: string,
    name: string,
  ): Promise<SharedServices> {
    const services = this.#attached()
    const { account, permissions } = this.#user
    const { resources: rules = [] } = permissions
    if (account === '') throw new Error('it has no account: declare what it accesses under permissions.resources')
    const user = services.userOf(account)
    for (const verb of verbs) {
      const isDeclared = rules.some(rule => covers(rule, verb, group, resource, namespace, name))
      // The role that is granted may have been narrowed since.
      if (!isDeclared || !(await services.authorizer.allows(user, verb, { group, resource, namespace, name })))
        throw forbidden({ group, resource, name }, `User "${user.name}" cannot ${verb} resource "${resource}"`)
    }
    return services
  }

  #attached(): SharedServices {
    if (!this.#services) throw new Error('the server has not started')
    return this.#services
  }

  #configuration({ admissionConfiguration }: SharedServices): NonNullable<ServerState['configuration']> {
    return this.#user.controls.map(control => ({
      control,
      configuration: admissionConfiguration.of(control),
      folder: admissionConfiguration.pathFor(control, '.'),
    }))
  }
}

function covers(
  { verbs, apiGroups = [''], resources = [], resourceNames = [], namespace: within }: ControllerRule,
  verb: string,
  group: string,
  resource: string,
  namespace: string,
  name: string,
): boolean {
  const has = (list: readonly string[], value: string) => list.includes('*') || list.includes(value)
  const isThere = within === undefined || within === namespace
  const isNamed = resourceNames.length === 0 || resourceNames.includes(name)
  return isThere && isNamed && has(verbs, verb) && has(apiGroups, group) && has(resources, resource)
}

function collectionFrom({ group, resource }: JsonObject): GroupResource {
  if (typeof group !== 'string' || typeof resource !== 'string') throw new UnreadableAnswer('no collection')
  return { group, resource }
}

const isUserInfo = (value: unknown): value is UserInfo =>
  isObject(value) && typeof value['name'] === 'string' && Array.isArray(value['groups'])

/** Authorizers expect every field to be there. */
function accessFrom(access: JsonObject, user: UserInfo) {
  const text = (name: string): string => {
    const value = access[name]
    return typeof value === 'string' ? value : ''
  }
  if (typeof access['path'] === 'string') return { user, verb: text('verb'), path: access['path'] }
  const { fieldSelector, labelSelector } = access
  return {
    user,
    verb: text('verb'),
    group: text('group'),
    version: text('version'),
    resource: text('resource'),
    subresource: text('subresource'),
    namespace: text('namespace'),
    name: text('name'),
    ...(Array.isArray(fieldSelector) ? { fieldSelector } : {}),
    ...(Array.isArray(labelSelector) ? { labelSelector } : {}),
  }
}
