import { existsSync, readFileSync } from 'node:fs'
import { type AdmissionConfiguration, type Clock, type Logger, type Metrics, Type } from 'orch/sdk'
import {
  type ConfigFile,
  type CredentialSource,
  checkedCredential,
  fileCredential,
  filesNamedBy,
  fixedCredential,
  parseConfigFile,
} from 'orch/sdk/client'
import { FollowedFiles, readConfiguration } from 'orch/sdk/files'

const Settings = Type.Object({ kubeConfigFile: Type.String({ minLength: 1 }) })
const anonymous = fixedCredential({})

/** Where the credentials of a control are configured. */
export interface CredentialParts {
  readonly controlName: string
  readonly configuration: AdmissionConfiguration
  readonly settingsKinds: readonly string[]
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

/**
 * The credentials for webhooks: the `users` of the client config file that the admission configuration names. They are
 * looked up by host and port, then by wildcards from the longest to the shortest (`*.ns.svc:8443`, `*.svc:8443`), then the same
 * without the port if it is 443, then `*`, then the user of the current context. The file is reloaded when it, or a file that it
 * names, changes.
 */
export class WebhookCredentials {
  readonly #parts: CredentialParts
  readonly #files: FollowedFiles<ConfigFile> | undefined
  #users: ReadonlyMap<string, CredentialSource> = new Map()
  #fallback = anonymous
  readonly #found = new Map<string, CredentialSource>()
  #isFollowing = false

  /** Without a configuration there are no credentials. Throws if it is invalid. */
  constructor(parts: CredentialParts) {
    this.#parts = parts
    const { controlName, configuration, settingsKinds } = parts
    const settings = readConfiguration(configuration, controlName, Settings, settingsKinds)
    if (!settings) return
    const path = configuration.pathFor(controlName, settings.kubeConfigFile)
    const parse = ([text = '']: readonly string[]) => withoutPrograms(parseConfigFile(text, path), path)
    // Used at once: writes during startup may already call webhooks.
    this.#use(parse([readFileSync(path, 'utf8')]))
    this.#files = new FollowedFiles({
      ...parts,
      what: `client config of ${controlName}`,
      paths: [path],
      parse,
      namedIn: file => filesNamedBy(usersOf(file)).filter(path => existsSync(path)),
      apply: async file => {
        // At startup a missing certificate only disables the webhooks that need it, instead of the server.
        if (this.#isFollowing) await Promise.all(usersOf(file).map(user => checkedCredential(user)))
        else this.#warnOfMissingFiles(file)
        this.#use(file)
      },
    })
  }

  /** Starts watching the files. Rejects if they are invalid. */
  async start(): Promise<void> {
    await this.#files?.start()
    this.#isFollowing = true
  }
  #warnOfMissingFiles(file: ConfigFile): void {
    const files = filesNamedBy(usersOf(file)).filter(path => !existsSync(path))
    if (files.length === 0) return
    const { controlName, logger } = this.#parts
    logger.warn(`the client config of ${controlName} names files that do not exist; webhooks that need them fail`, {
      files: files.join(', '),
    })
  }
  async stop(): Promise<void> {
    await this.#files?.stop()
  }

  of(hostAndPort: string): CredentialSource {
    let source = this.#found.get(hostAndPort)
    if (!source) this.#found.set(hostAndPort, (source = this.#find(hostAndPort)))
    return source
  }

  #use(file: ConfigFile): void {
    const { clock } = this.#parts
    const sources = (file.users ?? []).map(({ name, user = {} }) => [name, fileCredential(user, clock)] as const)
    const current = file.contexts?.find(({ name }) => name === file['current-context'])?.context?.user
    this.#users = new Map(sources)
    this.#fallback = this.#users.get(current ?? '') ?? anonymous
    this.#found.clear()
  }
  #find(hostAndPort: string): CredentialSource {
    for (const name of namesFor(hostAndPort)) {
      const found = this.#users.get(name)
      if (found) return found
    }
    return this.#fallback
  }
}

const usersOf = (file: ConfigFile) => (file.users ?? []).map(({ user = {} }) => user)

function withoutPrograms(file: ConfigFile, path: string): ConfigFile {
  const program = file.users?.find(({ user }) => user?.exec || user?.['auth-provider'])
  if (!program) return file
  throw new Error(
    `user "${program.name}" in ${path}: webhooks support certificates, passwords and tokens, not credential plugins`,
  )
}

function namesFor(hostAndPort: string): string[] {
  const host = hostAndPort.replace(/:443$/, '')
  const withWildcards = (name: string) => {
    const steps = name.split('.')
    return [name, ...steps.slice(1).map((_, i) => `*.${steps.slice(i + 1).join('.')}`)]
  }
  return [...withWildcards(hostAndPort), ...(host === hostAndPort ? [] : withWildcards(host)), '*']
}
