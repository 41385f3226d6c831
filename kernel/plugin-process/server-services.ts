import type { Authorizer, GroupResource, StoreReader } from 'orch/sdk'
import type { AccessAttributes, AccessDecision, RulesOfUser } from 'orch/sdk/identity'
import type { JsonObject } from '../../libs/json/index.js'
import type { CallLink } from '../isolation/call-link.js'
import { received } from './received.js'
import type { SentState } from './server-state.js'

const noLimit = Number.POSITIVE_INFINITY

/** Direct reads from the store of the server, with the rights of the plugin. */
export class LinkReader implements StoreReader {
  readonly #link: () => CallLink
  /** Lists whose objects arrive. */
  readonly #arriving = new Map<number, unknown[]>()
  #last = 0

  constructor(link: () => CallLink) {
    this.#link = link
  }

  async get<T>({ group, resource }: GroupResource, namespace: string, name: string): Promise<T | undefined> {
    return received<T | null>(await this.#read({ group, resource, namespace, name })) ?? undefined
  }
  async list<T>({ group, resource }: GroupResource, namespace = ''): Promise<T[]> {
    const id = ++this.#last
    const objects: T[] = []
    this.#arriving.set(id, objects)
    try {
      await this.#read({ id, group, resource, namespace })
      return objects
    } finally {
      this.#arriving.delete(id)
    }
  }
  receive({ id, object }: JsonObject): void {
    this.#arriving.get(Number(id))?.push(object)
  }
  #read(content: object): Promise<unknown> {
    return this.#link().call('read', content, noLimit)
  }
}

/** The authorizer chain of the server. */
export function linkAuthorizer(link: () => CallLink, state: SentState): Authorizer {
  const authorize = async (access: AccessAttributes): Promise<AccessDecision> => {
    const answer = await link().call('authorize', { access }, noLimit)
    const none: AccessDecision = { decision: 'noOpinion' }
    return Object.assign(none, answer)
  }
  return {
    get modes() {
      return state.modes
    },
    authorize,
    async rulesFor(user, namespace): Promise<RulesOfUser> {
      const answer = await link().call('authorize', { user, namespace }, noLimit)
      return Object.assign({ resourceRules: [], nonResourceRules: [], incomplete: true }, answer)
    },
    async allows(user, verb, target) {
      const { group = '', version = '*', resource = '', subresource = '', namespace = '', name = '' } = target
      const access = { ...target, user, verb, group, version, resource, subresource, namespace, name, path: undefined }
      return (await authorize(access)).decision === 'allow'
    },
  }
}
