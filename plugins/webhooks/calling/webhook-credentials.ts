import { readFileSync } from 'node:fs'
import { type AdmissionConfiguration, type Clock, readConfiguration, Type } from 'orch/sdk'
import {
  type CredentialSource,
  fileCredential,
  fixedCredential,
  parseConfigFile,
  type UserEntry,
} from 'orch/sdk/client'

const Settings = Type.Object({ kubeConfigFile: Type.String({ minLength: 1 }) })
const nobody = fixedCredential({})

/**
 * Who this server is to a webhook: the `users` of the client config file that the admission configuration names. They are
 * found by host and port, then by wildcards from the longest to the shortest (`*.ns.svc:8443`, `*.svc:8443`), then the same
 * without the port if it is 443, then `*`, then the user of the current context.
 */
export class WebhookCredentials {
  readonly #users: ReadonlyMap<string, CredentialSource>
  readonly #fallback: CredentialSource
  readonly #found = new Map<string, CredentialSource>()

  constructor(users: ReadonlyMap<string, CredentialSource>, fallback: CredentialSource = nobody) {
    this.#users = users
    this.#fallback = fallback
  }

  of(hostAndPort: string): CredentialSource {
    let source = this.#found.get(hostAndPort)
    if (!source) this.#found.set(hostAndPort, (source = this.#find(hostAndPort)))
    return source
  }
  #find(hostAndPort: string): CredentialSource {
    for (const name of namesFor(hostAndPort)) {
      const found = this.#users.get(name)
      if (found) return found
    }
    return this.#fallback
  }
}

function namesFor(hostAndPort: string): string[] {
  const host = hostAndPort.replace(/:443$/, '')
  const withWildcards = (name: string) => {
    const steps = name.split('.')
    return [name, ...steps.slice(1).map((_, i) => `*.${steps.slice(i + 1).join('.')}`)]
  }
  return [...withWildcards(hostAndPort), ...(host === hostAndPort ? [] : withWildcards(host)), '*']
}

/** Reads the credentials of a control; without a configuration there are none. Throws a sentence about what is wrong. */
export function loadCredentials(
  controlName: string,
  configuration: AdmissionConfiguration,
  settingsKinds: readonly string[],
  clock: Clock,
): WebhookCredentials {
  const settings = readConfiguration(configuration, controlName, Settings, settingsKinds)
  if (!settings) return new WebhookCredentials(new Map())
  const path = configuration.pathFor(controlName, settings.kubeConfigFile)
  const file = parseConfigFile(readFileSync(path, 'utf8'), path)
  const sources = new Map((file.users ?? []).map(({ name, user = {} }) => [name, sourceOf(name, user, path, clock)]))
  const current = file.contexts?.find(({ name }) => name === file['current-context'])?.context?.user
  return new WebhookCredentials(sources, sources.get(current ?? ''))
}

function sourceOf(name: string, user: UserEntry, path: string, clock: Clock): CredentialSource {
  if (user.exec || user['auth-provider'])
    throw new Error(`user "${name}" in ${path}: webhooks take certificates, passwords and tokens, not programs`)
  return fileCredential(user, clock)
}
